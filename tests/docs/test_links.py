"""Every page is in the site, and every link leads somewhere."""

import json
import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
NOTEBOOKS = sorted(DOCS.rglob("*.ipynb"))
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md")), *NOTEBOOKS]
COPIED = {
    "benchmarks.md": "BENCHMARKS.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
}
"""Pages of the site that lie elsewhere in the repository: see scripts/site_links.py."""


def entries(nav):
    for entry in nav:
        if isinstance(entry, dict):
            for value in entry.values():
                yield from entries(value) if isinstance(value, list) else [value]
        else:
            yield entry


NAV = [*entries(yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"])]


def test_every_page_is_in_the_navigation_once():
    pages = [*DOCS.rglob("*.md"), *(page.with_suffix(".md") for page in NOTEBOOKS)]
    pages = [page.relative_to(DOCS).as_posix() for page in pages]
    assert sorted(NAV) == sorted([*pages, *COPIED])


def test_copied_pages_are_there():
    assert all((ROOT / page).is_file() for page in COPIED.values())
    hook = (ROOT / "scripts" / "site_links.py").read_text()
    assert all(f'"{outside}": "{inside}"' in hook for inside, outside in COPIED.items())


def prose(page):
    if page.suffix == ".md":
        return page.read_text()
    cells = json.loads(page.read_text())["cells"]
    return "\n\n".join("".join(it["source"]) for it in cells if it["cell_type"] == "markdown")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_lead_to_files(page):
    text = re.sub(r"```.*?```", "", prose(page), flags=re.DOTALL)
    links = re.findall(r"\]\((?!\w+:|#)([^)\s#]+)", text)
    assert [link for link in links if not (page.parent / link).is_file()] == []
