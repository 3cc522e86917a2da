/// What makes the page answer to a pointer and to keys. Without it the pictures and the tables are complete.
enum HTMLScript {
    static let text = #"""
        "use strict";
        (() => {
          const detail = document.getElementById("detail");
          let shown = null, spot = null, timer = 0;

          // One stop of the Tab key for each lane; the arrow keys move inside of it.
          const lanes = [];
          for (const lane of document.querySelectorAll("svg .lane")) {
            const elements = [...lane.querySelectorAll(".e")];
            if (elements.length === 0) continue;
            const index = lanes.push(elements) - 1;
            elements.forEach((element, place) => {
              const title = element.querySelector("title");
              element.lines = title.textContent.split("\n");
              element.setAttribute("aria-label", element.lines.join(". "));
              // Its own hint would lie on the detail.
              title.remove();
              element.setAttribute("tabindex", place === 0 ? "0" : "-1");
              element.lane = index;
              element.place = place;
            });
          }

          function place() {
            const box = shown.getBoundingClientRect();
            const x = spot ? spot.x : Math.max(box.left, 8);
            const width = detail.offsetWidth, height = detail.offsetHeight;
            const wide = document.documentElement.clientWidth, high = window.innerHeight;
            const below = box.bottom + 8;
            const top = below + height <= high - 8 ? below : Math.max(8, box.top - height - 8);
            detail.style.left = Math.max(8, Math.min(x, wide - width - 8)) + "px";
            detail.style.top = top + "px";
          }

          function show(element, at) {
            clearTimeout(timer);
            if (shown !== element) {
              detail.replaceChildren(...element.lines.map((line, index) => {
                const row = document.createElement(index === 0 ? "b" : "span");
                row.textContent = line;
                return row;
              }));
            }
            shown = element;
            spot = at;
            detail.hidden = false;
            place();
          }

          function hide() {
            clearTimeout(timer);
            detail.hidden = true;
            shown = null;
          }

          function focusOn(element) {
            for (const other of lanes[element.lane]) other.setAttribute("tabindex", other === element ? "0" : "-1");
            element.focus();
          }

          function middle(element) {
            const box = element.getBoundingClientRect();
            return (box.left + box.right) / 2;
          }

          function nearest(lane, element) {
            const x = middle(element);
            return lanes[lane].reduce((best, other) =>
              Math.abs(middle(other) - x) < Math.abs(middle(best) - x) ? other : best);
          }

          const elementOf = target => target.closest ? target.closest("svg .e") : null;
          // The detail can be pointed at as well, to read it or to copy from it.
          const leave = () => {
            timer = setTimeout(() => {
              const focused = elementOf(document.activeElement);
              if (focused && focused.lines) show(focused, null); else hide();
            }, 150);
          };

          document.addEventListener("pointerover", event => {
            const element = elementOf(event.target);
            if (element && element.lines) show(element, { x: event.clientX + 10 });
            else if (event.target.closest("#detail")) clearTimeout(timer);
            else if (shown && shown !== document.activeElement) leave();
          });
          document.addEventListener("click", event => {
            const element = elementOf(event.target);
            if (element && element.lines) focusOn(element);
          });
          document.addEventListener("focusin", event => {
            const element = elementOf(event.target);
            if (element && element.lines) show(element, null);
          });
          document.addEventListener("focusout", event => {
            if (elementOf(event.target) === shown) hide();
          });
          document.addEventListener("scroll", () => { if (shown) place(); }, { capture: true, passive: true });
          window.addEventListener("resize", () => { if (shown) place(); });

          document.addEventListener("keydown", event => {
            if (event.key === "Escape") return hide();
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            const element = elementOf(document.activeElement);
            if (!element || !element.lines) return;
            const lane = lanes[element.lane];
            let next = null;
            switch (event.key) {
              case "ArrowRight": next = lane[element.place + 1]; break;
              case "ArrowLeft": next = lane[element.place - 1]; break;
              case "Home": next = lane[0]; break;
              case "End": next = lane[lane.length - 1]; break;
              case "ArrowDown": if (element.lane + 1 < lanes.length) next = nearest(element.lane + 1, element); break;
              case "ArrowUp": if (element.lane > 0) next = nearest(element.lane - 1, element); break;
              default: return;
            }
            event.preventDefault();
            if (next) focusOn(next);
          });

          for (const hint of document.querySelectorAll(".live")) hint.hidden = false;
        })();
        """#
}
