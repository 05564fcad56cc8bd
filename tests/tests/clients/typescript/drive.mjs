// Drives two agents through the TypeScript SDK, the example `coder` and `departing`: `drive.mjs CODER DEPARTING SCRATCH`.
//
// Prints `checks N`, then one line for each check: `ok NAME` or `not ok NAME: why`. Each check has its own agent
// process, and closes the agent's stdin at its end.

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Agent } from "./agent.mjs";
import * as departures from "./departures.mjs";
import * as options from "./options.mjs";
import * as sessions from "./sessions.mjs";
import * as turns from "./turns.mjs";

/** The longest that one check may take, in milliseconds. */
const LIMIT = 20_000;

const [coder, departing, scratch] = process.argv.slice(2);
if (!scratch) {
  console.error("usage: drive.mjs CODER DEPARTING SCRATCH");
  process.exit(2);
}

/** Runs one check with processes of `command`. Each call of `start` gives one, all with the same store. They are gone when it returns. */
async function run(check, command) {
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
    await Promise.race([check(start), limit]);
  } finally {
    clearTimeout(timer);
    for (const agent of agents) agent.kill();
  }
}

/** An agent without a name is not driven. */
const checksOf = (command, topics) =>
  (command ? topics : []).flatMap((topic) => Object.entries(topic).map(([name, check]) => [name, check, command]));
const checks = [...checksOf(coder, [options, turns, sessions]), ...checksOf(departing, [departures])];
console.log(`checks ${checks.length}`);
for (const [name, check, command] of checks) {
  try {
    await run(check, command);
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${String(error?.message ?? error).replace(/\s+/g, " ")}`);
  }
}
process.exit(0);
