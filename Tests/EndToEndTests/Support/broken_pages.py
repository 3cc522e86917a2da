"""Pages that are broken on purpose, each in one way, so that `check_pictures.py` is seen to find it."""

import re
import tempfile
from pathlib import Path


def without_policy(text):
    return re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)


def styled(rule):
    return lambda text: without_policy(text).replace("</style>", rule + "</style>", 1)


def swapped(old, new):
    return lambda text: without_policy(text).replace(old, new)


# For each check, pages that it has to find fault with.
BROKEN = {
    "console": [swapped("<script>", "<script>undefinedName();"),
                lambda text: text.replace("sha256-", "sha256-A", 2)],
    "requests": [swapped("</header>", '</header><img alt="" src="http://example.com/pixel.png">')],
    "policy": [without_policy],
    "hover": [swapped('"pointerover"', '"nothing"'), swapped('if (event.key === "Escape") return hide();', "")],
    "focus": [swapped('"focusin"', '"nothing"'), swapped(':focus-visible{outline:2.5px', ':focus-visible{outline:0px'),
              swapped('place === 0 ? "0" : "-1"', '"0"'), swapped('place === 0 ? "0" : "-1"', '"-1"')],
    "arrows": [swapped('case "ArrowRight": next', 'case "Nothing": next'),
               swapped('case "End": next', 'case "Nothing": next'),
               swapped('nearest(element.lane + 1, element)', "element")],
    "width": [styled("h1{width:1300px}")],
    "texts": [styled("svg text{font-family:'DejaVu Sans Mono'!important;font-size:17px!important}"),
              swapped('text-anchor="end"', "")],
    "contrast": [styled(".dim{fill:#999!important}"), styled("td{color:#aaa!important}"),
                 styled(".inverse{fill:#2c8!important}")],
    "motion": [swapped("transition:none!important", "")],
    "print": [styled("@media print{table{display:none!important}}"), swapped("size:A4 landscape", "size:A5"),
              styled("figure{height:900px}")],
    "image": [styled("body{visibility:hidden}")],
    "without scripts": [swapped('role="img"><title>', 'role="img"><desc>'), swapped(' live" hidden', ' live"')],
}


def prove(page, path, checks):
    """Whether each check finds fault with the pages that are broken for it."""
    text = path.read_text(encoding="utf-8")
    failed = False
    with tempfile.TemporaryDirectory(prefix="pictures-") as folder:
        for name, breaks in BROKEN.items():
            for number, change in enumerate(breaks):
                broken = change(text)
                if broken == text:
                    print(f"prove: {name} {number}: nothing was broken")
                    failed = True
                    continue
                file = Path(folder) / "broken.html"
                file.write_text(broken, encoding="utf-8")
                problem = checks[name](page, file.as_uri())
                print(f"prove: {name} {number}: {'seen: ' + problem[:110] if problem else 'NOT SEEN'}")
                failed |= problem is None
    return failed
