// The way to an agent process: its stdin and stdout, or the port that it opens, by HTTP or a WebSocket. The environment chooses:
// `ACP_TRANSPORT` is `http`, `websocket`, or absent.

import { createInterface } from "node:readline";
import { Readable, Writable } from "node:stream";
import { WebSocket } from "ws";
import * as acp from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { createWebSocketStream } from "@agentclientprotocol/sdk/experimental/ws-client";

const transport = process.env.ACP_TRANSPORT;

/** Whether agents open a port. */
export const isRemote = transport !== undefined;

/** The arguments that make an agent open a port, if it is to. */
export const listening = isRemote ? ["--listen", "127.0.0.1:0"] : [];

/** The stream of messages with `child`. Each line passes `saw(direction, line)`: `>` to the agent, `<` from it. */
export async function dial(child, saw) {
  if (isRemote) {
    const url = await address(child);
    const stream = transport === "http" ? createHttpStream(url) : createWebSocketStream(url.replace(/^http/, "ws"), { WebSocket });
    const output = messages(">", saw);
    output.readable.pipeTo(stream.writable).catch(() => {});
    return { writable: output.writable, readable: stream.readable.pipeThrough(messages("<", saw)) };
  }
  const output = lines(">", saw);
  output.readable.pipeTo(Writable.toWeb(child.stdin)).catch(() => {});
  return acp.ndJsonStream(output.writable, Readable.toWeb(child.stdout).pipeThrough(lines("<", saw)));
}

/** The parameters of a message without the cursor of the transport. Each message over the network has one. */
export function withoutCursor(params) {
  if (!isRemote) return params;
  const { _meta: { "acp/cursor": cursor, ...meta }, ...rest } = params;
  if (!cursor) throw new Error(`no cursor: ${JSON.stringify(params)}`);
  return Object.keys(meta).length > 0 ? { _meta: meta, ...rest } : rest;
}

/** The address that an agent writes to stderr when its port is open. */
async function address(child) {
  for await (const line of createInterface({ input: child.stderr })) {
    const [, url] = line.match(/^listening on (.*)$/) ?? [];
    if (url) return url;
  }
  throw new Error("the agent opens no port");
}

function lines(dir, saw) {
  let rest = Buffer.alloc(0);
  return new TransformStream({
    transform: (chunk, controller) => {
      rest = Buffer.concat([rest, chunk]);
      for (let end; (end = rest.indexOf(10)) >= 0; rest = rest.subarray(end + 1)) {
        saw(dir, rest.subarray(0, end).toString("utf8"));
      }
      controller.enqueue(chunk);
    },
  });
}

function messages(dir, saw) {
  return new TransformStream({
    transform: (message, controller) => {
      saw(dir, JSON.stringify(message));
      controller.enqueue(message);
    },
  });
}

/** Ends an agent: closes its stdin, or asks it to end as the system does. Returns its code and its signal. */
export async function ended(child, closed, budget) {
  if (isRemote) child.kill("SIGTERM");
  else child.stdin.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), budget);
  const [code, signal] = await closed;
  clearTimeout(timer);
  return [code, signal];
}
