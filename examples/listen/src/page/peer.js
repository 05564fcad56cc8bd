// The client's side of JSON-RPC: requests with their answers, and the questions of the agent.

import { Transport } from "./transport.js";

/** The version of the protocol: the second tells every client of a session what its turn does. */
const VERSION = 2;

/** An error that the agent answers. */
export class AgentError extends Error {
  constructor({ code, message, data }) {
    // Agents put the reason into the data, where the message is the name of the code.
    const reason = typeof data === "string" ? data : data?.details ?? data?.reason;
    super(typeof reason === "string" ? `${message}: ${reason}` : message);
    this.code = code;
  }
}

/** A connection to the agent, which is for one session. */
export class Peer {
  #transport;
  #next = 1;
  #waiting = new Map();
  #questions = new Map();
  #on;

  /** `on` has the functions `update(session, update)`, `asked(question)`, `withdrawn(question)`, `cut(isCut)` and `gone()`. */
  constructor(token, on) {
    this.#on = on;
    this.#transport = new Transport(token, {
      message: (message, session) => this.#received(message, session),
      cut: (isCut) => on.cut(isCut),
      gone: () => {
        this.#fail(new Error("the connection was lost before the answer came"));
        on.gone();
      },
    });
  }

  /** Begins the connection. Returns what the agent says of itself. */
  async begin() {
    const params = { protocolVersion: VERSION, capabilities: {}, info: { name: "acp-page", version: "1" } };
    const { result, error } = await this.#transport.begin({ jsonrpc: "2.0", id: 0, method: "initialize", params });
    if (error) throw new AgentError(error);
    if (result.protocolVersion !== VERSION) throw new Error(`the agent speaks version ${result.protocolVersion} of the protocol, not ${VERSION}`);
    // The server ends a connection of which nobody reads a stream.
    this.#transport.open(null);
    return result;
  }

  /** Reads the stream of a session, from here on. */
  follow(session) {
    this.#transport.open(session);
    this.#settle();
  }

  /** Does not read it any more. */
  unfollow(session) {
    this.#transport.close(session);
    this.#settle();
  }

  /** Leaves the connection to the server, which keeps it for a while. With `isOver`, it ends now, and so does a turn that nobody else follows. */
  leave(isOver) {
    if (isOver) this.#transport.end();
    else this.#transport.leave();
    this.#fail(new Error("the page has left the session"));
  }

  async request(method, params, session = null) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject, session }));
    // It may fail before anybody waits for it.
    answer.catch(() => {});
    this.#settle();
    try {
      await this.#transport.send({ jsonrpc: "2.0", id, method, params }, session, () => !this.#waiting.has(id));
    } catch (error) {
      this.#waiting.delete(id);
      this.#settle();
      throw error;
    }
    return answer;
  }

  notify(method, params, session) {
    return this.#transport.send({ jsonrpc: "2.0", method, params }, session);
  }

  /** Answers a question of the agent. */
  async answer(question, result) {
    if (this.#questions.delete(question.id)) {
      await this.#transport.send({ jsonrpc: "2.0", id: question.id, result }, question.session);
    }
  }

  #received(message, session) {
    const { id, method, params, result, error } = message;
    if (method === undefined) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      this.#settle();
      if (error) waiting?.reject(new AgentError(error));
      else waiting?.resolve(result);
    } else if (id !== undefined) {
      this.#asked({ id, method, params, session });
    } else if (method === "session/update") {
      this.#on.update(params.sessionId, params.update);
    } else if (method === "$/cancel_request") {
      const question = this.#questions.get(params.requestId);
      if (question) {
        this.#questions.delete(question.id);
        this.#on.withdrawn(question);
        const result = { outcome: { outcome: "cancelled" } };
        this.#transport.send({ jsonrpc: "2.0", id: question.id, result }, session).catch(() => {});
      }
    }
  }

  #asked(question) {
    if (question.method !== "session/request_permission") {
      const error = { code: -32601, message: `the page has no method ${question.method}` };
      this.#transport.send({ jsonrpc: "2.0", id: question.id, error }, question.session).catch(() => {});
      return;
    }
    this.#questions.set(question.id, question);
    this.#on.asked(question);
  }

  /**
   * Requests about no session are answered over the stream of the connection. A browser opens six connections to a server of
   * HTTP/1.1, for all tabs together. So a tab that follows a session reads that stream only while it waits for an answer there.
   */
  #settle() {
    const isNeeded = [...this.#waiting.values()].some(({ session }) => session === null) || !this.#transport.followsAny;
    if (isNeeded) this.#transport.open(null);
    else this.#transport.close(null);
  }

  #fail(error) {
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of all) reject(error);
    for (const question of this.#questions.values()) this.#on.withdrawn(question);
    this.#questions.clear();
  }
}
