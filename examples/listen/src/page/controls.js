// The options of a session, and the questions that it asks.

import { element } from "./transcript.js";

/** The select of an option, with its groups. */
function select(option, set) {
  const control = element("select");
  const entry = ({ value, name, description }) => {
    const made = element("option", "", name);
    made.value = value;
    if (description) made.title = description;
    return made;
  };
  const all = option.options ?? [];
  for (const part of all) {
    if (part.groupId === undefined) control.append(entry(part));
    else {
      const group = element("optgroup", "", ...part.options.map(entry));
      group.label = part.name;
      control.append(group);
    }
  }
  const listed = [...control.options].some((one) => one.value === option.currentValue);
  // An agent may have a value in force that it does not list.
  if (!listed) control.prepend(entry({ value: option.currentValue, name: option.currentValue || "–" }));
  control.value = option.currentValue;
  control.addEventListener("change", () => set({ type: "id", value: control.value }));
  return control;
}

function checkbox(option, set) {
  const control = element("input");
  control.type = "checkbox";
  control.checked = option.currentValue;
  control.addEventListener("change", () => set({ type: "boolean", value: control.checked }));
  return control;
}

/** Shows options. `set(option, value)` is called when the user changes one. */
export function showOptions(root, options, set) {
  const kinds = { select, boolean: checkbox };
  root.replaceChildren(
    ...(options ?? []).filter(({ type }) => kinds[type]).map((option) => {
      const control = kinds[option.type](option, (value) => set(option, value));
      control.name = option.configId;
      const label = element("label", option.type, element("span", "", option.name), control);
      if (option.description) label.title = option.description;
      return label;
    }),
  );
}

/** The questions of a session that nobody has answered. */
export class Questions {
  #root;
  #cards = new Map();

  constructor(root) {
    this.#root = root;
    root.replaceChildren();
  }

  /** Shows a question for permission. `decide(outcome)` is called with the answer. */
  ask({ id, params }, decide) {
    const { title, description, subject, options } = params;
    const command = subject?.type === "command" ? element("pre", "", `$ ${subject.command}`) : undefined;
    const buttons = options.map((option) => {
      const button = element("button", option.kind === "allow_once" ? "primary" : "", option.name);
      button.type = "button";
      button.dataset.option = option.optionId;
      button.addEventListener("click", () => {
        this.withdraw(id);
        decide({ outcome: "selected", optionId: option.optionId });
      });
      return button;
    });
    const text = description ? element("p", "", description) : undefined;
    const card = element("section", "question", element("h3", "", title), text, command, element("div", "buttons", ...buttons));
    card.setAttribute("aria-label", "The agent asks");
    this.#cards.set(id, card);
    this.#root.append(card);
  }

  withdraw(id) {
    this.#cards.get(id)?.remove();
    this.#cards.delete(id);
  }
}
