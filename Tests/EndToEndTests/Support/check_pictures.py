#!/usr/bin/python3
"""Looks at pages and pictures of days as a reader would: with a browser, a pointer, keys, and paper.

    check_pictures.py [--prove] FILE.html|FILE.svg...

Says each check that fails, and ends with 1 then; with 2 when there is no browser. With --prove it breaks the first page
once for each check and fails unless that check sees it.
"""

import re
import sys
import zlib
from pathlib import Path
from xml.etree import ElementTree

from broken_pages import prove
from headless_browser import Browser, BrowserError, pixels
from picture_scripts import CONTRAST, OVERLAPS, POINT, SORTS


def short(found):
    return "; ".join(str(item) for item in found[:4]) + (f" and {len(found) - 4} more" if len(found) > 4 else "")


def detail(page):
    """What the detail says, or an empty text where none is shown."""
    return page.evaluate(
        "(() => { const d = document.getElementById('detail');"
        "return d && !d.hidden && getComputedStyle(d).visibility === 'visible' ? d.innerText : '' })()") or ""


def says(page, name):
    """Whether the detail shows what the element is called."""
    text = " ".join(detail(page).split())
    return bool(name) and bool(text) and " ".join(name.split(". ")[0].split()) in text


def focused(page):
    return page.evaluate(
        "(() => { const all = [...document.querySelectorAll('svg .lane .e')], e = document.activeElement;"
        "const lanes = [...document.querySelectorAll('svg .lane')].filter(l => l.querySelector('.e'));"
        "return [all.indexOf(e), e.closest('.lane') ? lanes.indexOf(e.closest('.lane')) : -1,"
        "e.getAttribute('aria-label') || ''] })()")


def check_console(page, url):
    page.open(url)
    found = [event["exceptionDetails"].get("text", "") for event in page.events("Runtime.exceptionThrown")]
    found += [event["entry"]["text"] for event in page.events("Log.entryAdded")
              if event["entry"]["level"] in ("error", "warning")]
    found += [event["type"] for event in page.events("Runtime.consoleAPICalled")
              if event["type"] in ("error", "assert")]
    found += [event["issue"]["code"] for event in page.events("Audits.issueAdded")
              if event["issue"]["code"] == "ContentSecurityPolicyIssue"]
    if found:
        return short(found)


def check_requests(page, url):
    page.open(url)
    # What a page asks for later, when a pointer moves over it, counts as well.
    page.point(300, 300)
    asked = [event["request"]["url"] for event in page.events("Network.requestWillBeSent")]
    left = [asked_url for asked_url in asked if asked_url != url]
    if left:
        return short(left)


def check_policy(page, url):
    """That a script which got in would not run."""
    page.open(url)
    ran = page.evaluate(
        "(() => { const s = document.createElement('script'); s.textContent = 'window.broken = 1';"
        "document.body.append(s); const i = document.createElement('div');"
        "i.innerHTML = '<img src=x onerror=\"window.broken = 1\">'; document.body.append(i);"
        "return new Promise(done => setTimeout(() => done(window.broken || 0), 200)) })()")
    if ran:
        return "a script that was added to the page ran"


def check_hover(page, url):
    page.open(url)
    sorts = page.evaluate(SORTS)
    if not sorts:
        return "there is nothing to point at"
    for sort, places in sorts:
        # The details of the one before could lie on it.
        page.press("Escape")
        found = next(filter(None, (page.evaluate(POINT % place) for place in places[:50])), None)
        if not found:
            return f"no {sort} can be pointed at"
        name, x, y = found
        page.point(x, y)
        if not says(page, name):
            return f"no details of {sort} ({name})"
    page.press("Escape")
    if detail(page):
        return "Escape does not close the details"


def check_focus(page, url):
    page.open(url)
    page.evaluate("document.body.focus()")
    seen = []
    count = page.evaluate("[...document.querySelectorAll('svg .lane')].filter(l => l.querySelector('.e')).length")
    for _ in range(min(count, 60)):
        page.press("Tab")
        index, lane, name = focused(page)
        if index < 0:
            return f"Tab does not lead to lane {len(seen) + 1} of {count}"
        if not says(page, name):
            return f"no details of {name or 'an element without a name'} when it has the focus"
        outline = page.evaluate(
            "(s => parseFloat(s.outlineWidth) * (s.outlineStyle !== 'none'))(getComputedStyle(document.activeElement))")
        if outline < 2:
            return "the focus cannot be seen"
        seen.append(lane)
    if seen != list(range(len(seen))):
        return f"Tab leads from lane to lane in the order {seen}"
    page.press("Escape")
    if detail(page):
        return "Escape does not close the details"


def check_arrows(page, url):
    page.open(url)
    longest = page.evaluate(
        "(() => { const lanes = [...document.querySelectorAll('svg .lane')].filter(l => l.querySelector('.e'));"
        "const sizes = lanes.map(l => l.querySelectorAll('.e').length), most = Math.max(...sizes);"
        "return [sizes.indexOf(most), most, lanes.length] })()")
    lane, size, lanes = longest
    page.evaluate(
        "[...document.querySelectorAll('svg .lane')].filter(l => l.querySelector('.e'))[%d].querySelector('.e').focus()"
        % lane)
    first = focused(page)[0]
    for key, expected in [("ArrowRight", first + 1), ("ArrowLeft", first), ("ArrowLeft", first),
                          ("End", first + size - 1), ("ArrowRight", first + size - 1), ("Home", first)]:
        page.press(key)
        index, _, name = focused(page)
        if index != expected:
            return f"{key} leads to element {index} instead of {expected}"
        if not says(page, name):
            return f"no details after {key}"
    key, step = ("ArrowDown", 1) if lane + 1 < lanes else ("ArrowUp", -1)
    page.press(key)
    if lanes > 1 and focused(page)[1] != lane + step:
        return f"{key} does not lead to the next lane"


def check_width(page, url):
    for width in (800, 1200, 400):
        page.open(url, width=width)
        wide = page.evaluate("document.scrollingElement.scrollWidth")
        if wide > width:
            return f"at {width} px the page is {wide} px wide"
    page.size(1200, 900)


def check_texts(page, url):
    for width in (800, 1200):
        page.open(url, width=width)
        found = page.evaluate(OVERLAPS)
        if found:
            return f"at {width} px: {short(found)}"


def check_contrast(page, url):
    try:
        for scheme in ("light", "dark"):
            page.media(prefers_color_scheme=scheme, prefers_reduced_motion="reduce")
            page.open(url)
            found = page.evaluate(CONTRAST)
            if found:
                return f"{scheme}: {short(found)}"
    finally:
        page.media()


def check_motion(page, url):
    page.media(prefers_reduced_motion="reduce")
    page.open(url)
    moving = page.evaluate(
        "[...document.querySelectorAll('*')].filter(e => { const s = getComputedStyle(e);"
        "return parseFloat(s.transitionDuration) > 0 || parseFloat(s.animationDuration) > 0 }).length")
    page.media()
    if moving:
        return f"{moving} elements move although the reader wants none to"


def check_print(page, url):
    page.open(url)
    cells = page.evaluate("[...document.querySelectorAll('td')].filter(cell => cell.textContent).length")
    data = page.pdf()
    # The structure of the tables is in the file's objects, some of which are packed.
    for packed in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            data += zlib.decompress(packed)
        except zlib.error:
            pass
    printed = len(re.findall(rb"/S\s*/TD\b", data))
    if not cells or printed < cells:
        return f"{printed} of {cells} cells of the tables are in the PDF"
    width, height = map(float, re.search(rb"/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]", data).groups())
    if not (abs(width - 842) < 3 and abs(height - 595) < 3):
        return f"the paper is {width} by {height} points instead of A4 across"
    page.media("print")
    page.size(1047, 720)
    # Nothing of a picture is cut by the end of a page: each has room on one.
    high = page.evaluate("Math.max(0, ...[...document.querySelectorAll('figure')].map(f => f.offsetHeight))")
    page.media()
    if high > 718:
        return f"a picture is {high} px high, which no page across holds"


def check_image(page, url):
    page.open(url, width=800, height=600)
    rows, size = pixels(page.screenshot())
    counts = {}
    for row in rows:
        for place in range(0, len(row), size):
            color = bytes(row[place:place + 3])
            counts[color] = counts.get(color, 0) + 1
    ground = max(counts.values()) / sum(counts.values())
    if len(counts) < 12 or ground > 0.985:
        return f"{len(counts)} colours, and {ground:.1%} of it is empty"


def check_without_scripts(page, url):
    page.call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        page.load(url)
        root = page.call("DOM.getDocument", depth=0)["root"]["nodeId"]
        found = {}
        for selector in ("svg .lane .e > title", "td", "svg .lane .e", ".live:not([hidden])"):
            nodes = page.call("DOM.querySelectorAll", nodeId=root, selector=selector)["nodeIds"]
            found[selector] = len(nodes)
    finally:
        page.call("Emulation.setScriptExecutionDisabled", value=False)
    if found["svg .lane .e > title"] < found["svg .lane .e"] or not found["td"]:
        return f"elements have no words: {found}"
    if found[".live:not([hidden])"]:
        return "the hint promises keys that do not work"


def check_xml(_, path):
    try:
        tree = ElementTree.parse(path)
    except ElementTree.ParseError as error:
        return str(error)
    names = {element.tag.split("}")[-1] for element in tree.iter()}
    foreign = names - {"svg", "title", "desc", "style", "defs", "pattern", "g", "rect", "circle", "path", "use", "text"}
    links = [value for element in tree.iter() for name, value in element.attrib.items()
             if name.endswith("href") and not value.startswith("#") or name.startswith("on")]
    if foreign or links:
        return f"it has {foreign or links}"
    if tree.getroot().get("role") is None or not any(name in names for name in ("title", "desc")):
        return "it has no role, title or description"


PAGE = {
    "console": check_console, "requests": check_requests, "policy": check_policy, "hover": check_hover,
    "focus": check_focus, "arrows": check_arrows, "width": check_width, "texts": check_texts,
    "contrast": check_contrast, "motion": check_motion, "print": check_print, "image": check_image,
    "without scripts": check_without_scripts,
}
PICTURE = {
    "console": check_console, "requests": check_requests, "texts": check_texts, "contrast": check_contrast,
    "image": check_image,
}


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--prove"]
    if not arguments:
        sys.exit(__doc__)
    failed = False
    with Browser() as browser:
        page = browser.page()
        for name in arguments:
            path = Path(name).resolve()
            checks = PAGE if path.suffix == ".html" else PICTURE
            if path.suffix == ".svg":
                problem = check_xml(page, path)
                if problem:
                    print(f"check_pictures: {path.name}: xml: {problem}")
                    failed = True
                    continue
            for check, look in checks.items():
                problem = look(page, path.as_uri())
                if problem:
                    print(f"check_pictures: {path.name}: {check}: {problem}")
                    failed = True
        if "--prove" in sys.argv:
            failed |= prove(page, Path(arguments[0]).resolve(), PAGE)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    try:
        main()
    except BrowserError as error:
        print(f"check_pictures: {error}", file=sys.stderr)
        sys.exit(2)
