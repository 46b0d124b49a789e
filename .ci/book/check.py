"""What must be true of the pages that `make docs` has built: links lead somewhere, nothing is fetched, formulas are set.

Usage: check.py FOLDER, which holds `index.html`, `book/` and `api/`. The pages of rustdoc are not read: rustdoc checks its own links.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

# Where no text of ours stands, or text as it is typed.
VERBATIM = {"code", "pre", "script", "style", "annotation", "title"}


class Page(HTMLParser):
    """The ids, links, fetched addresses and visible text of a page."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.fetched, self.text = set(), [], [], []
        self.formulas, self.open = 0, []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if "id" in attrs:
            self.ids.add(attrs["id"])
        if tag == "a" and attrs.get("href"):
            self.links.append(attrs["href"])
        self.fetched += [attrs[name] for name in ("src", "data-src") if attrs.get(name)]
        if tag == "link":
            self.fetched.append(attrs["href"])
        if "katex" in (attrs.get("class") or "").split():
            self.formulas += 1
        if tag in VERBATIM:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data):
        if not self.open:
            self.text.append(data)


def main(folder):
    told = []
    pages = {path: Page(path) for path in [folder / "index.html", *sorted((folder / "book").rglob("*.html"))]}
    for path, page in pages.items():
        name = path.relative_to(folder)
        for link in [*page.links, *page.fetched]:
            told += [f"{name}: {link} {why}" for why in faults(path, link, link in page.fetched, pages)]
        for data in page.text:
            for sign in re.findall(r"\$|\\[a-zA-Z]+|\[rule: [\w.-]+\]|```", data):
                told.append(f"{name}: `{sign}` is left in the text: {data.strip()[:80]}")
    for style in (folder / "book").rglob("*.css"):
        for address in re.findall(r"url\(['\"]?([^'\")]+)|@import ['\"]([^'\"]+)", style.read_text(encoding="utf-8")):
            address = "".join(address)
            if address.startswith("data:") or not address.endswith((".css", ".woff2")):
                continue
            if urlsplit(address).scheme or not (style.parent / address).exists():
                told.append(f"{style.relative_to(folder)}: {address} is not there")
    for line in told:
        print(line)
    formulas = sum(page.formulas for page in pages.values())
    print(f"{len(pages)} pages, {sum(len(p.links) for p in pages.values())} links, {formulas} formulas, {len(told)} faults")
    return bool(told) or formulas < 400


def faults(path, link, fetched, pages):
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ["is fetched from elsewhere"] if fetched else []
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return ["leads nowhere"]
    page = {p.resolve(): page for p, page in pages.items()}.get(target)
    if parts.fragment and page is not None and unquote(parts.fragment) not in page.ids:
        return ["leads to no heading"]
    return []


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
