"""What `check_pictures.py` asks a page."""

# Shared by the scripts below: whether a box is drawn, and how strongly two colours differ (WCAG 2.2).
TOOLS = r"""
const number = text => text.match(/[\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
  .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + .05) / (y + .05); };
const isClear = color => color === "none" || color === "transparent"
  || color.startsWith("rgba") && number(color)[3] === 0;
const pageColor = element => {
  for (let e = element; e; e = e.parentElement) {
    const color = getComputedStyle(e).backgroundColor;
    if (!isClear(color)) return color;
  }
  return getComputedStyle(document.documentElement).colorScheme.includes("dark")
    && matchMedia("(prefers-color-scheme: dark)").matches ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)";
};
const texts = [...document.querySelectorAll("svg text")];
const boxOf = element => { const b = element.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
"""

OVERLAPS = TOOLS + r"""
(() => {
  const boxes = texts.map(t => [boxOf(t), t.textContent, t.ownerSVGElement]);
  boxes.sort((a, b) => a[0][1] - b[0][1]);
  const found = [];
  for (let i = 0; i < boxes.length; i++) for (let j = i + 1; j < boxes.length; j++) {
    const [a, b] = [boxes[i][0], boxes[j][0]];
    if (b[1] > a[3]) break;
    // Boxes have the font's leading, which may touch.
    if (Math.min(a[2], b[2]) - Math.max(a[0], b[0]) > .5 && Math.min(a[3], b[3]) - Math.max(a[1], b[1]) > 2.5)
      found.push(boxes[i][1] + " / " + boxes[j][1]);
  }
  for (const [box, text, svg] of boxes) {
    const out = boxOf(svg);
    if (box[0] < out[0] - 1 || box[2] > out[2] + 1 || box[1] < out[1] - 2 || box[3] > out[3] + 2)
      found.push("outside: " + text);
  }
  return found;
})()
"""

# Of a text in a picture: what was last drawn below its middle and its ends, or its own halo.
CONTRAST = TOOLS + r"""
(() => {
  const found = [];
  for (const svg of document.querySelectorAll("svg.chart:not(.defs)")) {
    const drawn = [...svg.querySelectorAll("rect,circle,path,text")].filter(e => !e.closest("defs"));
    drawn.forEach((text, index) => {
      if (text.tagName !== "text") return;
      const style = getComputedStyle(text), box = text.getBBox();
      for (const part of [.04, .5, .96]) {
        const point = new DOMPoint(box.x + box.width * part, box.y + box.height / 2);
        let below = null;
        if (!isClear(style.stroke)) below = style.stroke;
        else for (let i = index - 1; i >= 0 && !below; i--) {
          const shape = drawn[i];
          if (shape.tagName === "text") continue;
          const frame = shape.getBBox();
          if (point.x < frame.x || point.x > frame.x + frame.width || point.y < frame.y
            || point.y > frame.y + frame.height) continue;
          const fill = getComputedStyle(shape).fill;
          if (isClear(fill) || !shape.isPointInFill(point)) continue;
          below = fill;
        }
        below = below || pageColor(svg);
        const value = below.startsWith("url") ? 0 : contrast(number(style.fill), number(below));
        if (value < 4.5) found.push(`${text.textContent}: ${value.toFixed(2)} (${style.fill} on ${below})`);
      }
    });
  }
  const detail = document.getElementById("detail");
  if (detail) { detail.hidden = false; detail.textContent = "the detail"; }
  const walker = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("svg,script,style")) continue;
    const value = contrast(number(getComputedStyle(element).color), number(pageColor(element)));
    if (value < 4.5) found.push(`${walker.currentNode.data.trim().slice(0, 40)}: ${value.toFixed(2)}`);
  }
  if (detail) detail.hidden = true;
  return found;
})()
"""

# The elements of each sort, by their places among all.
SORTS = r"""
(() => {
  const sorts = {};
  [...document.querySelectorAll("svg .lane .e")].forEach((element, index) => {
    const name = element.getAttribute("aria-label") || element.textContent;
    const sort = name.split(/[ ,.:]/)[0] + (name.includes("drawn as one") ? " merged" : "");
    (sorts[sort] = sorts[sort] || []).push(index);
  });
  return Object.entries(sorts);
})()
"""

# Where an element can be pointed at, if later ones do not cover it.
POINT = r"""
(index => {
  const element = document.querySelectorAll("svg .lane .e")[index];
  element.scrollIntoView({ block: "center" });
  const hit = element.querySelector(".hit").getBoundingClientRect();
  for (const part of [.5, .1, .9, .3, .7, .02, .98]) {
    const x = hit.left + hit.width * part, y = hit.top + hit.height / 2, top = document.elementFromPoint(x, y);
    if (top && top.closest(".e") === element) return [element.getAttribute("aria-label"), x, y];
  }
  return null;
})(%d)
"""
