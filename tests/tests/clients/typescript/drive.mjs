// Drives the example agent `coder` through the TypeScript SDK: `drive.mjs AGENT SCRATCH`.
//
// Prints `checks N`, then one line for each check: `ok NAME` or `not ok NAME: why`. Each check has its own agent
// process, and closes the agent's stdin at its end.

import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { Agent } from "./agent.mjs";
import * as options from "./options.mjs";
import * as sessions from "./sessions.mjs";
import * as turns from "./turns.mjs";

/** The longest that one check may take, in milliseconds. */
const LIMIT = 20_000;

const [command, scratch] = process.argv.slice(2);
if (!command || !scratch) {
  console.error("usage: drive.mjs AGENT SCRATCH");
  process.exit(2);
}

/** Runs one check with agents that are gone when it returns; each call of `start` gives one, all with the same store. */
async function run(check) {
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

const checks = [options, turns, sessions].flatMap((topic) => Object.entries(topic));
console.log(`checks ${checks.length}`);
for (const [name, check] of checks) {
  try {
    await run(check);
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${String(error?.message ?? error).replace(/\s+/g, " ")}`);
  }
}
process.exit(0);
