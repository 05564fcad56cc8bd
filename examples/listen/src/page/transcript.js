// What was said in a session, as it is told: messages, tool calls that change, plans, terminals, notices.
//
// All that an agent says is put in as text. The page has no place where it is read as HTML.

/** An element with classes, and with texts or elements in it. */
export function element(name, classes = "", ...content) {
  const made = document.createElement(name);
  if (classes) made.className = classes;
  made.append(...content.filter((part) => part !== undefined && part !== null));
  return made;
}

const MESSAGES = { user_message: "user", agent_message: "agent", agent_thought: "thought" };

const STATUS = {
  pending: "waiting",
  in_progress: "running",
  paused: "paused",
  completed: "done",
  failed: "failed",
  cancelled: "cancelled",
};

const ENDS = {
  cancelled: "Cancelled.",
  max_tokens: "The answer has reached the limit of its length.",
  max_turn_requests: "The turn has made as many requests as it may.",
  refusal: "The agent does not go on from here.",
  error: "The turn has failed.",
};

/** A content block as a text or an element. */
function shown(block) {
  switch (block?.type) {
    case "text":
      return block.text;
    case "resource_link":
      return element("span", "resource", block.title ?? block.name ?? block.uri);
    case "resource":
      return element("span", "resource", block.resource?.uri ?? "resource");
    default:
      return element("span", "resource", block?.type ?? "content");
  }
}

/** The lines of a patch, each with its kind. */
function patch(text) {
  const lines = text.trimEnd().split("\n").map((line) => {
    const kind = /^(diff |index |---|\+\+\+|new file|deleted file)/.test(line) ? "head"
      : line.startsWith("@@") ? "hunk" : line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : "same";
    return element("span", kind, `${line}\n`);
  });
  return element("pre", "patch", ...lines);
}

const paths = (changes) => changes.map((change) => change.path ?? change.newPath ?? change.oldPath).filter(Boolean).join(", ");

const decoded = (base64) => Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0));

export class Transcript {
  #root;
  #scroller;
  #messages = new Map();
  #calls = new Map();
  #terminals = new Map();
  #plans = new Map();
  #compactions = new Map();
  #isWorking = false;

  constructor(root, scroller) {
    this.#root = root;
    this.#scroller = scroller;
    root.replaceChildren();
  }

  /** Shows an update of the session. Those that change no transcript are left alone. */
  apply(update) {
    const isAtEnd = this.#scroller.scrollHeight - this.#scroller.scrollTop - this.#scroller.clientHeight < 80;
    this.#apply(update);
    if (isAtEnd) this.scrollToEnd();
  }

  scrollToEnd() {
    this.#scroller.scrollTop = this.#scroller.scrollHeight;
  }

  /** A line of the page itself, or of the agent. */
  note(text, kind = "info") {
    this.#root.append(element("p", `note ${kind}`, text));
    this.scrollToEnd();
  }

  #apply(update) {
    const { sessionUpdate: kind } = update;
    const whole = kind.replace(/_chunk$/, "");
    if (MESSAGES[whole]) return this.#message(MESSAGES[whole], update, whole !== kind);
    switch (kind) {
      case "tool_call_update":
        return this.#call(update);
      case "tool_call_content_chunk":
        return this.#call({ toolCallId: update.toolCallId, added: update.content });
      case "plan_update":
        return this.#plan(update.plan);
      case "terminal_update":
        return this.#terminal(update);
      case "terminal_output_chunk":
        return this.#output(update);
      case "notice":
        return this.note([update.title, update.description].filter(Boolean).join(": "), update.severity);
      case "compaction_update":
        return this.#compaction(update);
      case "state_update":
        return this.#state(update);
    }
  }

  #message(kind, { messageId, content }, isChunk) {
    let message = this.#messages.get(messageId);
    if (!message) {
      const body = element("div", "body");
      const outer = kind === "thought" ? element("details", "message thought", element("summary", "", "Thought"), body) : element("article", `message ${kind}`, body);
      message = { body };
      this.#messages.set(messageId, message);
      this.#root.append(outer);
      // The plans of a turn stand in it.
      if (kind === "user") this.#plans.clear();
    }
    if (!isChunk) return message.body.replaceChildren(...(content ?? []).map(shown));
    const part = shown(content);
    const last = message.body.lastChild;
    if (typeof part === "string" && last?.nodeType === Node.TEXT_NODE) last.appendData(part);
    else message.body.append(part);
  }

  #call({ sessionUpdate, toolCallId, added, ...changes }) {
    let call = this.#calls.get(toolCallId);
    if (!call) {
      call = { value: {}, title: element("span", "title"), status: element("span", "status"), content: element("div", "content") };
      call.outer = element("details", "call", element("summary", "", call.title, call.status), call.content);
      this.#calls.set(toolCallId, call);
      this.#root.append(call.outer);
    }
    const before = call.value.content;
    // A member that is absent changes nothing, and `null` clears it.
    call.value = { ...call.value, ...changes };
    if (added) call.value.content = [...(call.value.content ?? []), added];
    const { title, name, status, kind, content } = call.value;
    call.title.textContent = title ?? name ?? toolCallId;
    call.status.textContent = STATUS[status ?? "pending"] ?? status;
    call.outer.dataset.status = status ?? "pending";
    call.outer.dataset.kind = kind ?? "other";
    if (call.value.content !== before) call.content.replaceChildren(...(content ?? []).map((part) => this.#part(part)));
    if (!before?.length && content?.length) call.outer.open = true;
  }

  #part(part) {
    switch (part?.type) {
      case "content":
        return element("div", "text", shown(part.content));
      case "diff":
        return part.patch ? patch(part.patch.text) : element("div", "text", paths(part.changes ?? []));
      case "terminal":
        return this.#terminalOf(part.terminalId).outer;
      default:
        return element("div", "text", part?.type ?? "");
    }
  }

  #plan({ planId, entries }) {
    if (!entries) return;
    let plan = this.#plans.get(planId);
    if (!plan) {
      plan = element("ol", "plan");
      this.#plans.set(planId, plan);
      this.#root.append(plan);
    }
    plan.replaceChildren(
      ...entries.map((entry) => {
        const item = element("li", "", entry.content);
        item.dataset.status = entry.status;
        return item;
      }),
    );
  }

  #terminalOf(id) {
    let terminal = this.#terminals.get(id);
    if (!terminal) {
      terminal = { command: element("div", "command"), text: document.createTextNode(""), exit: element("div", "exit"), decoder: new TextDecoder() };
      terminal.outer = element("div", "terminal", terminal.command, element("pre", "", terminal.text), terminal.exit);
      this.#terminals.set(id, terminal);
    }
    return terminal;
  }

  #terminal({ terminalId, command, output, exitStatus }) {
    const terminal = this.#terminalOf(terminalId);
    if (command) terminal.command.textContent = `$ ${command}`;
    if (output) {
      terminal.decoder = new TextDecoder();
      terminal.text.data = terminal.decoder.decode(decoded(output.data), { stream: true });
    }
    if (exitStatus) terminal.exit.textContent = exitStatus.signal ? `ended by ${exitStatus.signal}` : `exit ${exitStatus.exitCode ?? "?"}`;
  }

  #output({ terminalId, data }) {
    const terminal = this.#terminalOf(terminalId);
    terminal.text.appendData(terminal.decoder.decode(decoded(data), { stream: true }));
  }

  #compaction({ compactionId, status, error }) {
    let line = this.#compactions.get(compactionId);
    if (!line) {
      line = element("p", "note info");
      this.#compactions.set(compactionId, line);
      this.#root.append(line);
    }
    line.textContent = `The conversation is shortened: ${STATUS[status] ?? status}${error ? `, ${error}` : ""}`;
  }

  #state({ state, stopReason, error }) {
    const hasEnded = this.#isWorking && state === "idle";
    this.#isWorking = state !== "idle";
    // A client that comes, or comes back, is told the state again.
    if (!hasEnded || !ENDS[stopReason]) return;
    this.note([ENDS[stopReason], error?.message].filter(Boolean).join(" "), stopReason === "error" ? "error" : "info");
  }
}
