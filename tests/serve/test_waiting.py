"""Rows that wait for their labels, in a file that may be lost."""

from budgetron.serve.waiting import WaitingRow, WaitingRows

ROW = WaitingRow(x=b"", version=1, row=0, label=None, classes=[], score=b"")


def test_a_number_is_not_given_again_after_the_file_was_lost(tmp_path):
    first = WaitingRows(tmp_path / "first")
    first.put([("a", ROW)], now=0, expires=2)
    number, _ = first.find(["a"], now=1)["a"]
    first.close()
    second = WaitingRows(tmp_path / "second", labelled=[number])  # as the log has it
    second.put([("b", ROW)], now=0, expires=2)
    assert second.find(["b"], now=1)["b"][0] > number
    second.close()
