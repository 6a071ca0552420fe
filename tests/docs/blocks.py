"""Fenced blocks of Markdown pages, each with the mark above it (see CONTRIBUTING.md)."""
import re
from pathlib import Path
from typing import NamedTuple


class Block(NamedTuple):
    page: Path
    line: int       # of its first line
    language: str   # "" when there is none
    mark: str       # of the comment above it; "" without one
    text: str


def blocks(page):
    """Raises ValueError for a block that does not end."""
    found, mark, start, language, body = [], "", 0, None, []
    for number, line in enumerate(page.read_text().splitlines(), 1):
        fence = re.match(r"\s*```(.*)$", line)
        if language is not None:
            if fence:
                found.append(Block(page, start, language, mark, "\n".join(body) + "\n"))
                language, mark, body = None, "", []
            else:
                body.append(line)
        elif fence:
            start, language = number + 1, fence[1].strip()
        elif line.strip():
            comment = re.fullmatch(r"\s*<!--\s*(.*?)\s*-->\s*", line)
            mark = comment[1] if comment else ""
    if language is not None:
        raise ValueError(f"{page}:{start}: this block does not end")
    return found


def pages(source):
    """Those that people write; docs/nodes is written by `info nodes`."""
    all_pages = [source / "README.md", source / "CONTRIBUTING.md"]
    all_pages += sorted(p for p in (source / "docs").rglob("*.md") if "nodes" not in p.relative_to(source).parts)
    return [page for page in all_pages if page.exists()]
