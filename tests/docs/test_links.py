"""Every page is in the site, and every link leads somewhere."""

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]
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
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(NAV) == sorted([*pages, *COPIED])


def test_copied_pages_are_there():
    assert all((ROOT / page).is_file() for page in COPIED.values())
    hook = (ROOT / "scripts" / "site_links.py").read_text()
    assert all(f'"{outside}": "{inside}"' in hook for inside, outside in COPIED.items())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_relative_links_lead_to_files(page):
    text = re.sub(r"```.*?```", "", page.read_text(), flags=re.DOTALL)
    links = re.findall(r"\]\((?!\w+:|#)([^)\s#]+)", text)
    assert [link for link in links if not (page.parent / link).is_file()] == []
