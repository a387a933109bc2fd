"""The notebooks of docs/ as pages of the site.

A hook of MkDocs: see mkdocs.yml. `docs/gallery.ipynb` becomes the page `gallery.md`, with its
outputs as they were saved; the notebook itself stays beside it, to be downloaded.
"""

import re
from pathlib import PurePosixPath

from mkdocs.structure.files import File
from nbconvert import MarkdownExporter

LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)\s#]+)\.ipynb(?=[)#])")
NOTEBOOK = "[Open this page as a notebook]({}){{ .md-button download }}\n"


def on_files(files, config):
    """Add a page for each notebook, and its pictures."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        place = PurePosixPath(notebook.src_uri)
        text, extra = MarkdownExporter().from_filename(
            notebook.abs_src_path,
            {"unique_key": place.stem, "output_files_dir": f"{place.stem}_files"},
        )
        text = text.replace("![png](", "![What the lines above draw](")
        files.append(File.generated(config, str(place.with_suffix(".md")), content=text))
        for name, picture in extra["outputs"].items():
            files.append(File.generated(config, str(place.parent / name), content=picture))
    return files


def on_page_markdown(markdown, page, config, files):
    """Let links to a notebook lead to its page, and that page to its notebook."""
    markdown = LINK.sub(r"\1.md", markdown)
    place = PurePosixPath(page.file.src_uri).with_suffix(".ipynb")
    if files.get_file_from_path(str(place)) is None:
        return markdown
    return f"{markdown}\n\n{NOTEBOOK.format(place.name)}"
