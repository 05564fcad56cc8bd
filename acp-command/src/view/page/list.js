// The list: only the rows in view are in the page. An item is a message, or what stands beside one: a turn's begin, a change of an
// option, a finding.

const ROW = 28, SPARE = 12;
/** Browsers show no higher element. Above this, the list scrolls faster than its scroll bar. */
const HIGHEST = 8_000_000;

class List {
  items = [];
  chosen = -1;
  #shown = new Map();
  #frame = 0;

  constructor(box, canvas, make) {
    Object.assign(this, { box, canvas, make });
    this.top = 0;
    box.addEventListener("scroll", () => {
      if (this.moving === box.scrollTop) return;
      this.moving = null;
      this.top = this.#fromScroll(box.scrollTop);
      this.draw();
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  get whole() { return this.items.length * ROW; }
  get height() { return Math.min(this.whole, HIGHEST); }
  get view() { return this.box.clientHeight; }
  #factor() { return this.height > this.view ? (this.whole - this.view) / (this.height - this.view) : 1; }
  #fromScroll(scroll) { return scroll * this.#factor(); }

  fill(items) {
    this.items = items;
    for (const made of this.#shown.values()) made.remove();
    this.#shown.clear();
    this.canvas.style.height = `${this.height}px`;
    this.draw();
  }

  draw() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const scroll = this.box.scrollTop;
      const from = Math.max(0, Math.floor(this.top / ROW) - SPARE);
      const to = Math.min(this.items.length, Math.ceil((this.top + this.view) / ROW) + SPARE);
      for (const [number, made] of this.#shown) {
        if (number < from || number >= to) {
          made.remove();
          this.#shown.delete(number);
        }
      }
      for (let number = from; number < to; number++) {
        let made = this.#shown.get(number);
        if (!made) {
          made = this.make(this.items[number], number);
          made.id = `item-${number}`;
          made.dataset.item = number;
          made.setAttribute("role", "option");
          made.setAttribute("aria-posinset", number + 1);
          made.setAttribute("aria-setsize", this.items.length);
          this.#shown.set(number, made);
          this.canvas.append(made);
        }
        made.style.top = `${Math.round(scroll + number * ROW - this.top)}px`;
        made.setAttribute("aria-selected", number === this.chosen);
      }
      if (this.chosen >= 0) this.box.setAttribute("aria-activedescendant", `item-${this.chosen}`);
      else this.box.removeAttribute("aria-activedescendant");
    });
  }

  /** Scrolls so far that an item is in view. */
  reveal(number, middle = false) {
    const at = number * ROW;
    if (!middle && at >= this.top && at + ROW <= this.top + this.view) return this.draw();
    let top = at < this.top ? at : at + ROW - this.view;
    if (middle) top = at - (this.view - ROW) / 2;
    this.top = Math.max(0, Math.min(top, this.whole - this.view));
    this.box.scrollTop = this.top / this.#factor();
    this.moving = this.box.scrollTop;
    this.draw();
  }

  choose(number, middle = false) {
    this.chosen = number;
    if (number >= 0) this.reveal(number, middle);
    else this.draw();
  }
}

/** A row's element. */
function rowElement(item) {
  if (item.turn !== undefined) {
    const turn = turns[item.turn];
    const took = turn.to === null ? "open" : duration(rows[turn.to].at - rows[turn.from].at);
    return element("div", { className: "row turn" },
      element("span", { className: "what", textContent: `Turn ${item.turn + 1}` }),
      element("span", { className: "words", textContent: turn.prompt.replace(/\s+/g, " ") }),
      element("span", { className: "size", textContent: [turn.end, took].filter(Boolean).join(" · ") }));
  }
  if (item.finding !== undefined) {
    const found = findings[item.finding];
    const more = found.times > 1 ? ` (and ${found.times - 1} more)` : "";
    return element("div", { className: `row finding ${found.level}`, title: found.sentence },
      element("span", { className: "what", textContent: `${found.level} ${found.rule}` }),
      element("span", { className: "words", textContent: `the ${found.by}: ${found.text}${more}` }));
  }
  if (item.change !== undefined) {
    const change = changes[item.change];
    const before = change.before === null ? "" : `${change.before} → `;
    return element("div", { className: "row change" },
      element("span", { className: "what", textContent: `⚙ ${change.name}` }),
      element("span", { className: "words", textContent: before + change.after }));
  }
  const { at, side, kind } = rows[item.row];
  const length = lines[item.row].length;
  return element("div", { className: `row ${SIDES[side]} ${KINDS[kind]}` },
    element("span", { className: "at", textContent: `${(at / 1000).toFixed(3)} s` }),
    element("span", { className: "side", textContent: SIDES[side] }),
    element("span", { className: "what", textContent: title(item.row) }),
    element("span", { className: "words", textContent: words(item.row) }),
    length > 2000 ? element("span", { className: "size", textContent: size(length) }) : null);
}
