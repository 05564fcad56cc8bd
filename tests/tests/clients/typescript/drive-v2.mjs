// Drives the example agents through version 2 of the TypeScript SDK:
// `drive-v2.mjs ECHO CODER CONFORMANCE ASSISTANT SCRATCH`.
//
// An agent that is the empty text is not driven. Prints what `drive.mjs` prints. The tape of each agent process is a file `CHECK.NUMBER.sound.jsonl` in the folder `tapes` of
// SCRATCH, or `CHECK.NUMBER.wrong.jsonl` where the check breaks a rule on purpose.

import { mkdir, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Agent } from "./agent-v2.mjs";
import * as coder from "./coder-v2.mjs";
import * as conformance from "./conformance-v2.mjs";
import * as sessions from "./sessions-v2.mjs";
import * as small from "./small-v2.mjs";

/** The longest that one check may take, in milliseconds. */
const LIMIT = 20_000;

const [ECHO, CODER, CONFORMANCE, ASSISTANT, scratch] = process.argv.slice(2);
if (!scratch) {
  console.error("usage: drive-v2.mjs ECHO CODER CONFORMANCE ASSISTANT SCRATCH");
  process.exit(2);
}
const tapes = join(scratch, "tapes");
await mkdir(tapes);

/** Runs one check with processes of `command`. Each call of `start` gives one, all with the same store. They are gone when it returns. */
async function run(name, check, command) {
  const folder = await mkdtemp(join(scratch, "check-"));
  const agents = [];
  const start = async () => {
    const agent = await Agent.start(command, folder);
    agents.push(agent);
    return agent;
  };
  let timer;
  const limit = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`took longer than ${LIMIT} ms`)), LIMIT);
  });
  try {
    await Promise.race([check(start, { ...command, folder }), limit]);
  } finally {
    clearTimeout(timer);
    for (const [number, agent] of agents.entries()) {
      agent.kill();
      await agent.save(join(tapes, `${name}.${number}`));
    }
  }
}

/** An agent without a name is not driven. */
const checksOf = (command, topics) =>
  (command.program ? topics : []).flatMap((topic) => Object.entries(topic).map(([name, check]) => [name, check, command]));
const checks = [
  ...checksOf({ program: CODER, stores: true }, [coder, sessions]),
  ...checksOf({ program: CONFORMANCE }, [conformance]),
  ...checksOf({ program: ECHO }, [small.echo]),
  ...checksOf({ program: ASSISTANT }, [small.assistant]),
];
console.log(`checks ${checks.length}`);
for (const [name, check, command] of checks) {
  try {
    await run(name, check, command);
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${String(error?.message ?? error).replace(/\s+/g, " ")}`);
  }
}
process.exit(0);
