// The page: its head, its filters, its keys.

const list = new List(byId("list"), byId("rows"), rowElement);
const detail = new Detail(byId("detail"), (row) => goTo(row));
const filters = Object.fromEntries(["text", "side", "method", "session", "only"].map((id) => [id, byId(id)]));
/** The number of a row's item; rows that the filters hide have none. */
let itemOfRow = new Map();

function head() {
  document.title = `${overview.name} – acp view`;
  byId("name").textContent = overview.name;
  const program = (side, of) => element("span", { className: side }, `${side} `, element("b", { textContent: of ? `${of.name} ${of.version}`.trim() : "unknown" }));
  const fact = (count, what) => element("span", {}, element("b", { textContent: count.toLocaleString("en") }), ` ${what}${count === 1 ? "" : "s"}`);
  const levels = ["must", "should", "note"].map((level) => `${findings.filter((found) => found.level === level).length} ${level}`);
  const facts = byId("facts");
  facts.append(program("client", overview.client), program("agent", overview.agent));
  if (overview.version !== null) facts.append(element("span", {}, "protocol ", element("b", { textContent: overview.version })));
  facts.append(fact(rows.length, "line"), fact(turns.length, "turn"), element("span", {}, element("b", { textContent: duration(rows.at(-1).at) })));
  const found = fact(findings.length, "finding");
  found.append(` (${levels.join(", ")})`);
  facts.append(found);
  const choices = (select, texts) => texts.forEach(([value, text]) => select.append(element("option", { value, textContent: shortened(text, 60) })));
  const sorted = labels.map((label, number) => [number, label]).sort(([, one], [, other]) => (one < other ? -1 : 1));
  choices(filters.method, sorted);
  choices(filters.session, sessions.map((session, number) => [number, session]));
  filters.session.hidden = sessions.length < 2;
}

/** Whether a line has the words, as they are or as JSON writes them. */
function search(words) {
  if (words === "") return () => true;
  const inJson = JSON.stringify(words).slice(1, -1).replaceAll("<", "\\u003c");
  const inAscii = inJson.replace(/[^\x00-\x7f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const forms = [...new Set([words, inJson, inAscii])].map((form) => form.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(forms.join("|"), "i");
  return (row) => pattern.test(lines[row]) || (findingsOf.get(row) ?? []).some((found) => pattern.test(findings[found].text) || pattern.test(findings[found].rule));
}

function filter() {
  const [side, method, session] = [filters.side, filters.method, filters.session].map((select) => (select.value === "" ? -1 : Number(select.value)));
  const [only, has] = [filters.only.checked, search(filters.text.value.trim())];
  const isWhole = side < 0 && method < 0 && session < 0 && !only && filters.text.value.trim() === "";
  const chosen = list.items[list.chosen];
  const items = [];
  let count = 0;
  itemOfRow = new Map();
  rows.forEach((row, number) => {
    if (side >= 0 && row.side !== side) return;
    if (method >= 0 && row.label !== method) return;
    if (session >= 0 && row.session !== session) return;
    if (only && !findingsOf.has(number)) return;
    if (!has(number)) return;
    count += 1;
    for (const turn of turnFrom.get(number) ?? []) items.push({ row: number, turn });
    itemOfRow.set(number, items.length);
    items.push({ row: number });
    for (const finding of findingsOf.get(number) ?? []) items.push({ row: number, finding });
    if (!only) for (const change of changesOf.get(number) ?? []) items.push({ row: number, change });
  });
  byId("count").textContent = isWhole ? `${count.toLocaleString("en")} lines` : `${count.toLocaleString("en")} of ${rows.length.toLocaleString("en")}`;
  byId("reset").hidden = isWhole;
  list.chosen = -1;
  list.fill(items);
  const again = chosen && itemOfRow.get(chosen.row);
  if (again !== undefined) list.choose(again, true);
  else {
    list.box.scrollTop = 0;
    list.top = 0;
  }
}

function clear() {
  for (const name of ["text", "side", "method", "session"]) filters[name].value = "";
  filters.only.checked = false;
  filter();
}

/** Shows a row, also one that the filters hide. */
function goTo(row) {
  if (!itemOfRow.has(row)) clear();
  list.choose(itemOfRow.get(row), true);
  detail.open(row);
}

function choose(number) {
  if (list.items.length === 0) return;
  const next = Math.max(0, Math.min(number, list.items.length - 1));
  list.choose(next);
  if (!detail.box.hidden) detail.open(list.items[next].row);
}

/** The nearest item of a kind, before or behind the chosen one. */
function next(step, is) {
  for (let at = list.chosen + step; at >= 0 && at < list.items.length; at += step) {
    if (is(list.items[at])) return choose(at);
  }
}

detail.onclose = () => {
  detail.close();
  list.box.focus();
};

list.box.addEventListener("click", (event) => {
  const made = event.target.closest("[data-item]");
  if (!made) return;
  list.choose(Number(made.dataset.item));
  detail.open(list.items[list.chosen].row);
});

const page = () => Math.max(1, Math.floor(list.view / ROW) - 1);
const KEYS = {
  ArrowDown: () => choose(list.chosen + 1),
  ArrowUp: () => choose(list.chosen - 1),
  PageDown: () => choose(list.chosen + page()),
  PageUp: () => choose(list.chosen - page()),
  Home: () => choose(0),
  End: () => choose(list.items.length - 1),
  "]": () => next(1, (item) => item.turn !== undefined),
  "[": () => next(-1, (item) => item.turn !== undefined),
  n: () => next(1, (item) => item.finding !== undefined),
  p: () => next(-1, (item) => item.finding !== undefined),
  a: () => {
    const item = list.items[list.chosen];
    if (item && rows[item.row].partner >= 0) goTo(rows[item.row].partner);
  },
  Enter: () => {
    if (list.chosen < 0) return;
    detail.open(list.items[list.chosen].row);
    detail.box.focus();
  },
  Escape: () => !detail.box.hidden && detail.onclose(),
  "/": () => filters.text.focus(),
  "?": () => byId("help").showModal(),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || byId("help").open) return;
  const inField = event.target.closest("input, select");
  if (inField) {
    if (event.key === "Escape" || (event.key === "Enter" && inField === filters.text)) {
      list.box.focus();
      event.preventDefault();
    }
    return;
  }
  // A button takes Enter, and the open message scrolls by its own keys.
  const ofList = event.target === list.box || event.target === document.body;
  if (!ofList && ["Enter", "ArrowDown", "ArrowUp", "PageDown", "PageUp", "Home", "End"].includes(event.key)) return;
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

let waits = 0;
filters.text.addEventListener("input", () => {
  clearTimeout(waits);
  waits = setTimeout(filter, 150);
});
for (const name of ["side", "method", "session", "only"]) filters[name].addEventListener("change", filter);
byId("reset").addEventListener("click", clear);
byId("filters").addEventListener("submit", (event) => event.preventDefault());

head();
overviewTabs(goTo);
strip(byId("strip"), goTo);
filter();
