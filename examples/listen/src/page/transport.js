// Messages to the agent by POST, and from it by streams of events, as the transport of the protocol has them.
//
// A stream that is cut opens again behind the last message that was read (`Last-Event-ID`), and a message that may not have
// arrived is sent again when its stream is there: the server refuses an id that it has already. The connection of the protocol
// lives on meanwhile. It is gone if the server says so.

const ENDPOINT = "acp";

/** The pauses before another try, in milliseconds; the last one repeats. */
const PAUSES = [200, 500, 1000, 2000, 5000];

/** The server writes a comment after 15 seconds of silence. Without one, nobody is there. */
const SILENCE = 40_000;

const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const pause = (tries) => sleep(PAUSES[Math.min(tries, PAUSES.length - 1)]);

/** The server does not take a message, and says why. */
export class Refused extends Error {
  constructor(status, text) {
    super(text.trim() || `the server answers ${status}`);
    this.status = status;
  }
}

/** The connection of the protocol is over, here or at the server. */
export class Gone extends Error {
  constructor() {
    super("the connection was lost");
  }
}

export class Transport {
  #headers = { "Content-Type": "application/json" };
  #streams = new Map();
  /** The places in streams that were closed: what was said since is read when they are opened again. */
  #cursors = new Map();
  #over = new AbortController();
  #on;

  /** `on` has the functions `message(message, session)`, `cut(isCut)` and `gone()`. */
  constructor(token, on) {
    this.#on = on;
    if (token) this.#headers.Authorization = `Bearer ${token}`;
  }

  /** Begins the connection. Returns the answer to `initialize`. */
  async begin(initialize) {
    const response = await this.#fetch({ method: "POST", body: JSON.stringify(initialize) });
    if (!response.ok) throw new Refused(response.status, await response.text());
    this.#headers["Acp-Connection-Id"] = response.headers.get("Acp-Connection-Id");
    return response.json();
  }

  /** Reads the stream of a session, or with `null` that of the connection, until it is closed. */
  open(session) {
    if (this.#streams.has(session) || this.#over.signal.aborted) return;
    const stream = { session, cursor: this.#cursors.get(session), closed: new AbortController(), isCut: false, opened: undefined };
    stream.ready = new Promise((resolve) => (stream.opened = resolve));
    this.#streams.set(session, stream);
    this.#read(stream);
  }

  close(session) {
    const stream = this.#streams.get(session);
    if (!stream) return;
    stream.closed.abort();
    stream.opened();
    this.#streams.delete(session);
    this.#cursors.set(session, stream.cursor);
    this.#told();
  }

  /** Whether the stream of a session is read. */
  get followsAny() {
    return [...this.#streams.keys()].some((session) => session !== null);
  }

  /** Sends a message about a session, or about none. `isAnswered` says whether its answer has come by another way. */
  async send(message, session, isAnswered = () => false) {
    const body = JSON.stringify(message);
    for (let tries = 0; ; tries += 1) {
      let response;
      try {
        response = await this.#fetch({ method: "POST", body, session });
      } catch {
        if (this.#over.signal.aborted) throw new Gone();
      }
      if (response?.ok || (response?.status === 409 && tries > 0)) return;
      if (response?.status === 404) throw this.#lost();
      if (response && response.status !== 503) throw new Refused(response.status, await response.text());
      await pause(tries);
      // What the server has said meanwhile comes first.
      await this.#streams.get(session)?.ready;
      if (this.#over.signal.aborted) throw new Gone();
      if (isAnswered()) return;
    }
  }

  /** Leaves the connection. Nothing is said any more. */
  leave() {
    this.#over.abort();
    for (const { closed, opened } of this.#streams.values()) {
      closed.abort();
      opened();
    }
  }

  /** Ends the connection. */
  end() {
    this.leave();
    const ended = { method: "DELETE", keepalive: true };
    if (this.#headers["Acp-Connection-Id"]) this.#fetch(ended).catch(() => {});
  }

  #fetch({ method, body, session, headers, keepalive, signal = keepalive ? null : this.#over.signal }) {
    const about = session ? { "Acp-Session-Id": session } : {};
    return fetch(ENDPOINT, { method, body, headers: { ...this.#headers, ...about, ...headers }, signal, keepalive, cache: "no-store" });
  }

  #lost() {
    if (!this.#over.signal.aborted) {
      this.leave();
      this.#on.gone();
    }
    return new Gone();
  }

  /** Says whether a stream is cut. */
  #told() {
    this.#on.cut([...this.#streams.values()].some((stream) => stream.isCut));
  }

  async #read(stream) {
    for (let tries = 0; !stream.closed.signal.aborted; tries += 1) {
      const before = stream.cursor;
      try {
        await this.#readOnce(stream);
      } catch (error) {
        if (stream.closed.signal.aborted) return;
        // The connection is over, or what was said behind the cursor is not kept any more.
        if (error instanceof Refused && error.status !== 503) return void this.#lost();
      }
      if (stream.closed.signal.aborted) return;
      if (!stream.isCut) stream.ready = new Promise((resolve) => (stream.opened = resolve));
      stream.isCut = true;
      this.#told();
      if (stream.cursor !== before) tries = 0;
      await pause(tries);
    }
  }

  /** Reads a stream to its end. */
  async #readOnce(stream) {
    const attempt = new AbortController();
    const signal = AbortSignal.any([stream.closed.signal, attempt.signal]);
    let watch;
    const heard = () => {
      clearTimeout(watch);
      watch = setTimeout(() => attempt.abort(), SILENCE);
    };
    try {
      heard();
      const from = stream.cursor ? { "Last-Event-ID": stream.cursor } : {};
      const headers = { Accept: "text/event-stream", ...from };
      const response = await this.#fetch({ method: "GET", session: stream.session, headers, signal });
      if (!response.ok) throw new Refused(response.status, await response.text());
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (;;) {
        const { value, done } = await reader.read();
        if (done) return;
        heard();
        const events = (rest + value).split("\n\n");
        rest = events.pop();
        for (const event of events) this.#event(stream, event);
        if (stream.isCut) {
          stream.isCut = false;
          this.#told();
        }
        stream.opened();
      }
    } finally {
      clearTimeout(watch);
      attempt.abort();
    }
  }

  #event(stream, event) {
    const data = [];
    for (const line of event.split("\n")) {
      if (line.startsWith("id:")) stream.cursor = line.slice(3).trim();
      if (line.startsWith("data:")) data.push(line.slice(5));
    }
    if (data.length > 0 && !stream.closed.signal.aborted) this.#on.message(JSON.parse(data.join("\n")), stream.session);
  }
}
