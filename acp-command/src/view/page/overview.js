// The overview beside the list, and the strip above it.

/** The most entries of an overview that are in the page at once. */
const ENTRIES = 500;

const TABS = {
  Turns: () => turns.map((turn, number) => ({
    row: turn.from,
    title: `${number + 1}. ${turn.prompt || "(no prompt)"}`,
    words: [turn.end || (turn.to === null ? "open" : ""), turn.to === null ? "" : duration(rows[turn.to].at - rows[turn.from].at)].filter(Boolean).join(" · "),
    bad: (turn.end ?? "").startsWith("error"),
  })),
  Tools: () => calls.map((call) => ({
    row: call.from,
    title: call.title || call.id,
    words: [call.kind, call.steps.map(([, status]) => status).join(" → "), duration(rows[call.to].at - rows[call.from].at)].filter(Boolean).join(" · "),
    bad: call.steps.at(-1)?.[1] === "failed",
  })),
  Options: () => changes.map((change) => ({
    row: change.row,
    title: change.name,
    words: (change.before === null ? "" : `${change.before} → `) + change.after,
  })),
  Findings: () => findings.map((found) => ({
    row: found.row,
    title: found.rule,
    level: found.level,
    words: `${found.level}, the ${found.by}: ${found.text}`,
  })),
};

function overviewTabs(go) {
  const [tabs, list] = [byId("tabs"), byId("overview-list")];
  const open = (name) => {
    for (const tab of tabs.children) {
      const chosen = tab.dataset.name === name;
      tab.setAttribute("aria-selected", chosen);
      tab.tabIndex = chosen ? 0 : -1;
    }
    const entries = TABS[name]();
    const show = (most) => {
      const made = entries.slice(0, most).map(({ row, title, words, level, bad }) => {
        const button = element("button", { type: "button", className: level ?? "", title, onclick: () => go(row) },
          element("strong", { textContent: title }), element("span", { className: bad ? "bad" : "", textContent: words }));
        button.dataset.row = row;
        return button;
      });
      if (entries.length === 0) made.push(element("p", { textContent: "None." }));
      if (entries.length > most) {
        made.push(element("button", { type: "button", className: "more", textContent: `${entries.length - most} more`, onclick: () => show(most + ENTRIES) }));
      }
      list.replaceChildren(...made);
    };
    show(ENTRIES);
  };
  const counts = { Turns: turns, Tools: calls, Options: changes, Findings: findings };
  for (const name of Object.keys(TABS)) {
    const tab = element("button", { type: "button", role: "tab", onclick: () => open(name) }, `${name} `, element("small", { textContent: counts[name].length }));
    tab.dataset.name = name;
    tab.setAttribute("aria-controls", "overview-list");
    tabs.append(tab);
  }
  tabs.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    const all = [...tabs.children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    next.focus();
    next.click();
    event.stopPropagation();
  });
  open(findings.length > 0 && turns.length === 0 ? "Findings" : "Turns");
}

/** The times of the recording, from left to right. */
function strip(canvas, go) {
  const end = Math.max(1, rows.at(-1)?.at ?? 1);
  const draw = () => {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const scale = devicePixelRatio;
    canvas.width = width * scale;
    canvas.height = height * scale;
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const style = getComputedStyle(document.documentElement);
    const colour = (name) => style.getPropertyValue(`--${name}`);
    const pad = 10;
    const x = (at) => pad + (at / end) * (width - 2 * pad);
    const buckets = [new Uint32Array(width + 1), new Uint32Array(width + 1)];
    for (const row of rows) buckets[row.side][Math.round(x(row.at))] += 1;
    const most = buckets.map((side) => Math.log1p(side.reduce((a, b) => Math.max(a, b), 1)));
    SIDES.forEach((side, number) => {
      pen.fillStyle = colour(side);
      buckets[number].forEach((count, left) => {
        if (count === 0) return;
        const tall = 2 + (13 * Math.log1p(count)) / most[number];
        pen.fillRect(left - 0.75, number === 0 ? 18 - tall : 19, 1.5, tall);
      });
    });
    const spans = (all, top, tall, name) => {
      pen.fillStyle = colour(name);
      for (const { from, to } of all) {
        const [left, right] = [x(rows[from].at), x(rows[to ?? rows.length - 1].at)];
        pen.fillRect(left, top, Math.max(2, right - left - 1), tall);
      }
    };
    spans(turns, 38, 5, "turn");
    spans(calls, 45, 3, "agent");
    for (const level of ["note", "should", "must"]) {
      pen.fillStyle = colour(level);
      for (const found of findings) {
        if (found.level !== level) continue;
        const left = x(rows[found.row].at);
        pen.beginPath();
        pen.moveTo(left, 49);
        pen.lineTo(left - 3.5, 55);
        pen.lineTo(left + 3.5, 55);
        pen.fill();
      }
    }
  };
  new ResizeObserver(draw).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  canvas.addEventListener("click", (event) => {
    const at = ((event.offsetX - 10) / (canvas.clientWidth - 20)) * end;
    let [low, high] = [0, rows.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rows[middle].at < at) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && at - rows[low - 1].at < rows[low].at - at) low -= 1;
    go(low);
  });
}
