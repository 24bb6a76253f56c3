# SPDX-License-Identifier: MIT
"""Fails when a site loads anything from another server, or a link within it leads nowhere.
usage: check_site.py FOLDER"""
import html.parser
import os
import re
import sys
import urllib.parse

LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"),
          ("object", "data")}


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.loaded, self.anchors = [], [], set()
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.anchors.update(values[name] for name in ("id", "name") if values.get(name))
        for name, value in attributes:
            if (tag, name) in LOADED and values.get("rel") != "canonical":
                self.loaded.append(value)
            elif (tag, name) == ("a", "href"):
                self.links.append(value)


def main(folder):
    pages, bad, checked = {}, [], 0
    for root, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(root, name)
            if name.endswith(".html"):
                pages[path] = Page(path)
            elif name.endswith(".css"):
                with open(path, encoding="utf-8") as file:
                    bad += [f"{path} loads {url}" for url in
                            re.findall(r"url\([\"']?((?:https?:)?//[^)]*)", file.read())]
    for path, page in pages.items():
        if os.path.basename(path) == "404.html":
            continue  # its links are those of a server's root
        for target in page.links + page.loaded:
            url = urllib.parse.urlparse(target or "")
            if url.scheme or url.netloc:
                if target in page.loaded:
                    bad.append(f"{path} loads {target}")
                continue
            checked += 1
            file = os.path.normpath(os.path.join(os.path.dirname(path), urllib.parse.unquote(url.path)))
            file = path if not url.path else file
            if os.path.isdir(file):
                file = os.path.join(file, "index.html")
            if not os.path.exists(file):
                bad.append(f"{path}: the link to {target} leads nowhere")
            elif url.fragment and file in pages and url.fragment not in pages[file].anchors:
                bad.append(f"{path}: {target}: there is no such heading")
    for line in bad:
        print(line)
    print(f"check_site: {checked} passed, {len(bad)} failed")
    return 1 if bad or checked < 500 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
