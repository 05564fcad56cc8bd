// The recording: its overview, and its lines as text. A line is read as JSON when it is shown.

const REQUEST = 0, ANSWER = 1, ERROR = 2, NOTIFICATION = 3, OUTPUT = 4, END = 5;
const SIDES = ["client", "agent"];
const KINDS = ["request", "answer", "error", "notification", "output", "end"];

const overview = JSON.parse(document.getElementById("overview").textContent);
const lines = document.getElementById("lines").textContent.split("\n");
// The text is there once, as lines.
document.getElementById("lines").remove();
document.getElementById("overview").remove();

const { labels, sessions, turns, calls, changes, findings } = overview;
const rows = overview.rows.map(([at, side, kind, label, session, turn, partner]) => ({ at, side, kind, label, session, turn, partner }));

/** The message of a row; a string, if it is other output. */
function message(row) {
  return rows[row].kind === END ? null : JSON.parse(lines[row]);
}

const grouped = (items, key) => {
  const groups = new Map();
  items.forEach((item, number) => {
    if (!groups.has(item[key])) groups.set(item[key], []);
    groups.get(item[key]).push(number);
  });
  return groups;
};
const findingsOf = grouped(findings, "row");
const changesOf = grouped(changes, "row");
const turnFrom = grouped(turns, "from");

const element = (name, properties = {}, ...children) => {
  const made = document.createElement(name);
  const { role, ...own } = properties;
  Object.assign(made, own);
  if (role) made.setAttribute("role", role);
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};
const byId = (id) => document.getElementById(id);

function duration(ms) {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const [minutes, seconds] = [Math.floor(ms / 60_000), Math.floor((ms % 60_000) / 1000)];
  return minutes < 60 ? `${minutes} min ${seconds} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
function size(count) {
  if (count < 1000) return `${count} B`;
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`;
}
const shortened = (text, most) => (text.length > most ? `${text.slice(0, most)}…` : text);
