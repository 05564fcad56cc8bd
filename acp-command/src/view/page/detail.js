// One message: its findings, its partner, and its JSON. What is large is cut, with a button that shows the rest.

/** Letters of a message, and of one string in it, before they are cut. */
const CUT = 20_000, CUT_STRING = 4_000;

class Detail {
  constructor(box, go) {
    Object.assign(this, { box, go });
    this.row = -1;
  }

  close() {
    this.row = -1;
    this.box.hidden = true;
  }

  open(row) {
    this.row = row;
    const { at, side, kind, session, turn, partner } = rows[row];
    const jump = (text, to) => element("button", { type: "button", textContent: text, onclick: () => this.go(to) });
    const close = element("button", { type: "button", className: "close", textContent: "✕", title: "Close (Esc)", onclick: () => this.onclose() });
    close.setAttribute("aria-label", "Close");
    const go = element("div", { className: "go" });
    if (partner >= 0) go.append(jump(partner > row ? `Answer after ${duration(rows[partner].at - at)}` : "Request", partner));
    if (turn >= 0 && turns[turn].from !== row) go.append(jump(`Begin of turn ${turn + 1}`, turns[turn].from));
    const meta = element("p", { className: "meta" },
      element("b", { className: SIDES[side], textContent: SIDES[side] }), ` · ${KINDS[kind]} · line ${row + 1} · ${(at / 1000).toFixed(3)} s · ${size(lines[row].length)}`,
      session >= 0 ? ` · session ${sessions[session]}` : "");
    const found = (findingsOf.get(row) ?? []).map((number) => {
      const finding = findings[number];
      return element("div", { className: `found ${finding.level}` },
        element("b", { textContent: `${finding.level} ${finding.rule}` }),
        element("p", { textContent: `The ${finding.by}: ${finding.text}${finding.times > 1 ? ` (and ${finding.times - 1} more)` : ""}` }),
        element("small", { textContent: `${finding.sentence} – ${finding.place}` }));
    });
    this.box.replaceChildren(close, element("h2", { textContent: title(row) }), meta, ...found, go, this.#content(row));
    this.box.hidden = false;
    this.box.scrollTop = 0;
  }

  #content(row) {
    const said = message(row);
    if (said === null) return element("p", { className: "meta", textContent: "No message came after this." });
    const box = element("div");
    const show = (whole) => {
      let text = typeof said === "string" ? said : JSON.stringify(said, whole ? undefined : cutStrings, 2);
      const was = text.length;
      const isCut = !whole && (was > CUT || typeof said !== "string" && lines[row].length > was + CUT_STRING);
      if (!whole) text = text.slice(0, CUT);
      const pre = element("pre");
      // Colours for each word of a very long text would take seconds.
      if (typeof said === "string" || text.length > 10 * CUT) pre.textContent = text;
      else pre.append(...coloured(text));
      box.replaceChildren(pre);
      if (isCut) {
        box.append(element("button", { type: "button", className: "cut", textContent: `Show all ${size(lines[row].length)}`, onclick: () => show(true) }));
      }
    };
    show(false);
    return box;
  }
}

function cutStrings(_, value) {
  return typeof value === "string" && value.length > CUT_STRING ? `${value.slice(0, CUT_STRING)}… (${size(value.length)})` : value;
}

/** JSON with its names, strings and numbers as elements. */
function coloured(text) {
  const parts = [];
  let from = 0;
  for (const found of text.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d[\d.eE+-]*/g)) {
    if (found.index > from) parts.push(text.slice(from, found.index));
    const kind = found[2] ? "k" : found[1] ? "s" : "n";
    parts.push(element("span", { className: kind, textContent: found[1] ?? found[0] }));
    if (found[2]) parts.push(found[2]);
    from = found.index + found[0].length;
  }
  parts.push(text.slice(from));
  return parts;
}
