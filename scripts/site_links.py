"""Links out of docs/, made to work in the site as they do in the repository.

A hook of MkDocs: see mkdocs.yml. The pages in `PAGES` are copied into the site. Other files of the
repository become pages of source, as soon as a page links to them.
"""

import re
from pathlib import Path, PurePosixPath
from posixpath import normpath, relpath

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "BENCHMARKS.md": "benchmarks.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
}
LINK = re.compile(r"(?<=\]\()(?!\w+:|#)([^)\s#]+)")


def on_files(files, config):
    """Add what is outside of docs/ and linked to."""
    texts = {file.src_uri: file.content_string for file in files.documentation_pages()}
    for outside, inside in PAGES.items():
        text = (ROOT / outside).read_text()
        texts[inside] = relinked(text, inside, of=outside)
        files.append(File.generated(config, inside, content=texts[inside]))
    linked = {
        target
        for page, text in texts.items()
        for target in map(outside_of_docs, LINK.findall(text), [page] * len(text))
        if target and target not in PAGES
    }
    for target in sorted(linked):
        files.append(File.generated(config, f"source/{target}.md", content=listing(target)))
    return files


def on_page_markdown(markdown, page, config, files):
    """Let links point to where the files are in the site."""
    inside = page.file.src_uri
    return markdown if inside in PAGES.values() else relinked(markdown, inside)


def relinked(text, inside, of=None):
    """The text of a page that is at `inside` in the site and at `of` in the repository."""

    def replaced(link):
        target = outside_of_docs(link[1], inside, of)
        if target is None:
            return link[1]
        place = PAGES.get(target) or (
            target.removeprefix("docs/") if target.startswith("docs/") else f"source/{target}.md"
        )
        return relpath(place, PurePosixPath(inside).parent)

    return LINK.sub(replaced, text)


def outside_of_docs(link, inside, of=None):
    """The file of the repository that a link leads to, if it has to be brought into the site."""
    home = PurePosixPath(of or f"docs/{inside}").parent
    target = normpath(home / link)
    if (of is None and target.startswith("docs/")) or not (ROOT / target).is_file():
        return None
    return target


def listing(target):
    """A page that shows a file; search is for the pages that explain."""
    text = (ROOT / target).read_text()
    language = {".py": "python", ".json": "json"}.get(PurePosixPath(target).suffix, "text")
    header = "---\nsearch:\n  exclude: true\n---\n"
    return f"{header}# {PurePosixPath(target).name}\n\n`{target}`\n\n````{language}\n{text}\n````\n"
