// One process of `coder` that listens, and a proxy before it whose connections can be cut.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, connect } from "node:net";
import { createInterface } from "node:readline";

/** How long the agent may take to open its port, or to end, in milliseconds. */
const LIMIT = 10_000;

export class Coder {
  #child;

  /** Starts the agent in `folder`, with its sessions in `store`. */
  static async start(program, { store, folder, address = "127.0.0.1:0", flags = [] }) {
    const coder = new Coder();
    const child = spawn(program, ["--store", store, "--listen", address, ...flags], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
    coder.#child = child;
    const late = setTimeout(() => child.kill("SIGKILL"), LIMIT);
    const said = [];
    for await (const line of createInterface({ input: child.stderr })) {
      said.push(line);
      const [, endpoint] = line.match(/^listening on (http:.*\/acp)$/) ?? [];
      if (!endpoint) continue;
      clearTimeout(late);
      child.stderr.resume();
      coder.endpoint = endpoint;
      coder.page = new URL("/", endpoint).href;
      return coder;
    }
    throw new Error(`coder opens no port: ${said.join(" ")}`);
  }

  async end() {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    const late = setTimeout(() => this.#child.kill("SIGKILL"), LIMIT);
    await ended;
    clearTimeout(late);
  }
}

/** Passes bytes on to a server, until it cuts all connections. */
export class Proxy {
  /** Whether it refuses new connections. */
  isDown = false;
  /** Where the bytes of the server go, if they do not reach the browser. */
  swallow = undefined;
  #server;
  #sockets = new Set();

  static async before({ endpoint }) {
    const { port, hostname } = new URL(endpoint);
    const proxy = new Proxy();
    proxy.#server = createServer((near) => {
      if (proxy.isDown) return near.destroy();
      const far = connect(port, hostname);
      for (const [one, other] of [[near, far], [far, near]]) {
        proxy.#sockets.add(one);
        one.on("error", () => {});
        one.on("close", () => {
          proxy.#sockets.delete(one);
          other.destroy();
        });
      }
      near.pipe(far);
      far.on("data", (bytes) => (proxy.swallow ? proxy.swallow(bytes) : near.write(bytes)));
    });
    proxy.#server.listen(0, "127.0.0.1");
    await once(proxy.#server, "listening");
    proxy.page = `http://127.0.0.1:${proxy.#server.address().port}/`;
    return proxy;
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  end() {
    this.#server.close();
    this.cut();
  }
}
