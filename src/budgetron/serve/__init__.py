"""A service that predicts, learns when labels come, and loses nothing that it acknowledged.

`budgetron serve` runs it; it needs `pip install 'budgetron[serve]'`.
"""
