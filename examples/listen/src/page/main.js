// The page: which sessions there are, and the one that it shows.

import { Questions, showOptions } from "./controls.js";
import { AgentError, Peer } from "./peer.js";
import { Transcript, element } from "./transcript.js";
import { Refused } from "./transport.js";

const AUTH_REQUIRED = -32000;
const CANCELLED = -32800;

const at = (id) => document.getElementById(id);

/** The token of the server, as long as the tab lives. Some browsers forbid to keep it: then it is asked for again. */
const token = {
  get: () => {
    try {
      return sessionStorage.getItem("token");
    } catch {
      return null;
    }
  },
  set: (value) => {
    try {
      sessionStorage.setItem("token", value);
    } catch {}
  },
};

/** The connection that the page shows, with its session, if it has one. The connection of a session that works and is left goes on until it is idle. */
let current;
let listed = [];

class Connection {
  /** `{ sessionId, cwd, title }` */
  session = undefined;
  state = "idle";
  #transcript;
  #questions;
  #held = 0;

  constructor() {
    this.peer = new Peer(token.get(), {
      update: (session, update) => session === this.session?.sessionId && this.#update(update),
      asked: (question) => this.#asked(question),
      withdrawn: ({ id }) => this.isShown && this.#questions?.withdraw(id),
      cut: (isCut) => this.isShown && showConnection(isCut ? "reconnecting" : "connected"),
      gone: () => this.isShown && void connect(this.session),
    });
  }

  get isShown() {
    return current === this;
  }

  /** Opens a session that the agent has, with all that was said in it. */
  async attach(session) {
    this.#show(session);
    const { sessionId, cwd } = session;
    this.peer.follow(sessionId);
    try {
      const params = { sessionId, cwd, mcpServers: [], replayFrom: { type: "start" } };
      this.#opened(await this.peer.request("session/resume", params, sessionId));
    } catch (error) {
      this.session = undefined;
      this.peer.unfollow(sessionId);
      throw error;
    }
  }

  async begin(cwd) {
    const opened = await this.peer.request("session/new", { cwd, mcpServers: [] });
    this.#show({ sessionId: opened.sessionId, cwd });
    this.peer.follow(opened.sessionId);
    this.#opened(opened);
  }

  #show(session) {
    this.session = session;
    this.state = "idle";
    this.#transcript = new Transcript(at("transcript"), at("scroller"));
    this.#questions = new Questions(at("questions"));
    at("held").replaceChildren();
    at("commands").replaceChildren();
    at("usage").textContent = "";
    showSession(session);
    showState("opening");
  }

  #opened({ configOptions, availableCommands }) {
    this.#showOptions(configOptions);
    showCommands(availableCommands);
    showState(this.state);
    this.#transcript.scrollToEnd();
    at("prompt").focus({ preventScroll: true });
  }

  #showOptions(options) {
    showOptions(at("options"), options, async ({ configId }, value) => {
      const { sessionId } = this.session;
      try {
        const set = await this.peer.request("session/set_config_option", { sessionId, configId, ...value }, sessionId);
        if (this.isShown) this.#showOptions(set.configOptions);
      } catch (error) {
        if (!this.isShown) return;
        this.#transcript.note(error.message, "error");
        this.#showOptions(options);
      }
    });
  }

  #update(update) {
    if (update.sessionUpdate === "state_update") this.state = update.state;
    if (!this.isShown) {
      if (this.state === "idle") this.peer.leave(true);
      return;
    }
    switch (update.sessionUpdate) {
      case "config_option_update":
        return this.#showOptions(update.configOptions);
      case "available_commands_update":
        return showCommands(update.availableCommands);
      case "session_info_update":
        if (update.title === undefined) return;
        this.session.title = update.title;
        showSession(this.session);
        return listAgain();
      case "usage_update":
        at("usage").textContent = `${update.used.toLocaleString()} of ${update.size.toLocaleString()} tokens`;
        return;
    }
    this.#transcript.apply(update);
    if (update.sessionUpdate === "state_update") {
      showState(this.state);
      // The agent makes the title of a session from its first prompt.
      if (this.state === "idle" && !this.session.title) listAgain();
    }
  }

  #asked(question) {
    if (!this.isShown) return;
    const { subject } = question.params;
    // The tool call of a question is applied as an update of it.
    if (subject?.type === "tool_call") this.#transcript.apply({ sessionUpdate: "tool_call_update", ...subject.toolCall });
    this.#questions.ask(question, (outcome) => {
      this.peer.answer(question, { outcome }).catch((error) => this.isShown && this.#transcript.note(error.message, "error"));
    });
  }

  /** Sends a prompt. It waits, if the agent works on another one. */
  async prompt(text) {
    const { sessionId } = this.session;
    const waits = element("p", "note held", text);
    if (this.state !== "idle") at("held").append(waits);
    try {
      await this.peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] }, sessionId);
    } catch (error) {
      if (!this.isShown) return;
      const isCancelled = error instanceof AgentError && error.code === CANCELLED;
      this.#transcript.note(isCancelled ? "Not sent." : `Not sent: ${error.message}`, isCancelled ? "info" : "error");
      if (!at("prompt").value) at("prompt").value = text;
    } finally {
      waits.remove();
    }
  }

  async cancel() {
    const { sessionId } = this.session;
    await this.peer.notify("session/cancel", { sessionId }, sessionId);
  }

  /** The page shows another session. A turn goes on as long as the page is open. */
  leave() {
    if (this.state === "idle" || !this.session) this.peer.leave(true);
  }
}

function showConnection(text) {
  at("connection").textContent = text;
  at("connection").dataset.state = text;
}

function showProblem(error) {
  at("problem").hidden = !error;
  at("problem").textContent = error?.message ?? "";
}

function showSession(session) {
  document.body.dataset.view = session ? "session" : "list";
  for (const id of ["bar", "scroller", "foot"]) at(id).hidden = !session;
  at("empty").hidden = Boolean(session);
  at("title").textContent = session?.title || "New session";
  at("cwd").textContent = session?.cwd ?? "";
  document.title = session?.title ? `${session.title} – ${at("agent").textContent}` : at("agent").textContent;
  const hash = session ? `#${encodeURIComponent(session.sessionId)}` : "";
  if (location.hash !== hash) history.replaceState(null, "", hash || location.pathname);
  mark();
}

function showState(state) {
  const words = { idle: "", running: "working", requires_action: "asks you" };
  at("state").textContent = words[state] ?? state;
  at("state").dataset.state = state;
  at("cancel").hidden = state !== "running" && state !== "requires_action";
}

function showCommands(commands) {
  at("commands").replaceChildren(
    ...(commands ?? []).filter(({ name }) => name).map(({ name, description }) => {
      const button = element("button", "command", `/${name}`);
      button.type = "button";
      button.title = description;
      button.addEventListener("click", () => {
        at("prompt").value = `/${name} `;
        at("prompt").focus();
      });
      return button;
    }),
  );
}

function mark() {
  for (const button of at("sessions").querySelectorAll("button")) {
    if (button.dataset.session === current?.session?.sessionId) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  }
}

function when(updatedAt) {
  const date = new Date(updatedAt ?? "");
  if (Number.isNaN(date.getTime())) return "";
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday ? date.toLocaleTimeString([], { timeStyle: "short" }) : date.toLocaleDateString([], { dateStyle: "medium" });
}

/** Asks for all sessions, and shows them. */
async function list() {
  const { peer } = current;
  const all = [];
  let cursor;
  do {
    const page = await peer.request("session/list", cursor ? { cursor } : {});
    all.push(...page.sessions);
    cursor = page.nextCursor;
  } while (cursor);
  if (current.peer !== peer) return;
  listed = all;
  at("none").hidden = all.length > 0;
  at("sessions").replaceChildren(
    ...all.map((session) => {
      const about = element("span", "about", element("span", "cwd", session.cwd), element("time", "", when(session.updatedAt)));
      const button = element("button", "", element("span", "title", session.title || "New session"), about);
      button.type = "button";
      button.dataset.session = session.sessionId;
      button.addEventListener("click", () => open((connection) => connection.attach({ ...session })));
      return element("li", "", button);
    }),
  );
  const here = all.find(({ sessionId }) => sessionId === current.session?.sessionId);
  if (here?.title && !current.session.title) {
    current.session.title = here.title;
    showSession(current.session);
  }
  mark();
}

/** Shows the list as it is now. If this fails, the old one stays. */
function listAgain() {
  list().catch(() => {});
}

/** Shows the ways to log in to the agent. */
function showMethods(methods) {
  const agents = (methods ?? []).filter(({ type }) => type === "agent");
  at("methods").hidden = false;
  at("methods").replaceChildren(
    element("p", "", "The agent wants a login first."),
    ...agents.map(({ methodId, name, description }) => {
      const button = element("button", "primary", name);
      button.type = "button";
      button.title = description ?? "";
      button.addEventListener("click", () => guarded(async () => {
        await current.peer.request("auth/login", { methodId });
        at("methods").hidden = true;
        await list();
      }));
      return button;
    }),
  );
}

/** Does something for the user, and shows why it fails. */
async function guarded(work) {
  showProblem();
  try {
    await work();
  } catch (error) {
    if (error instanceof AgentError && error.code === AUTH_REQUIRED) showMethods(current.methods);
    else showProblem(error);
    if (!current?.session) showSession();
  }
}

/** Begins a connection, and shows it. Returns whether the server lets it. */
async function start() {
  const connection = new Connection();
  const { info, authMethods } = await connection.peer.begin();
  current?.leave();
  current = connection;
  current.methods = authMethods;
  at("agent").textContent = info?.title ?? info?.name ?? "Agent";
  at("login").hidden = true;
  showConnection("connected");
}

/** Opens another session, over a connection of its own. */
const open = (how) => guarded(async () => {
  if (current.session) await start();
  await how(current);
  await list();
});

/** Begins a connection, as often as it needs, and goes on with a session. */
async function connect(session) {
  for (let time = 250; ; time = Math.min(time * 2, 5000)) {
    try {
      await start();
      break;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) {
        at("login").hidden = false;
        at("token").focus();
        if (token.get()) showProblem(new Error("The server does not know this token."));
        return showConnection("login");
      }
      showConnection("reconnecting");
      // A server that says no is not asked again.
      if (error instanceof AgentError || (error instanceof Refused && error.status !== 503)) return showProblem(error);
      await new Promise((resolve) => setTimeout(resolve, time));
    }
  }
  await guarded(async () => {
    await list();
    const id = session?.sessionId ?? decodeURIComponent(location.hash.slice(1));
    const known = session ?? listed.find(({ sessionId }) => sessionId === id);
    if (known) await current.attach({ ...known });
    else if (id) showProblem(new Error("The session of this address is not there any more."));
    mark();
  });
}

function send(event) {
  event?.preventDefault();
  const text = at("prompt").value.trim();
  if (!text || !current?.session) return;
  at("prompt").value = "";
  void current.prompt(text);
}

at("composer").addEventListener("submit", send);
at("prompt").addEventListener("keydown", (event) => {
  if (event.key === "Enter" && !event.shiftKey && !event.isComposing) send(event);
});
at("cancel").addEventListener("click", () => guarded(() => current.cancel()));
at("refresh").addEventListener("click", () => guarded(list));
at("back").addEventListener("click", () => guarded(async () => {
  await start();
  showSession();
  await list();
}));
at("new").addEventListener("submit", (event) => {
  event.preventDefault();
  void open((connection) => connection.begin(at("folder").value.trim()));
});
at("login").addEventListener("submit", (event) => {
  event.preventDefault();
  token.set(at("token").value.trim());
  at("token").value = "";
  showProblem();
  void connect();
});

void connect();
