// Drives the page of `coder` in Chromium: `drive.mjs CODER SCRATCH`. `CHROMIUM` is the path of the browser.
//
// Prints `checks N`, then one line for each check: `ok NAME` or `not ok NAME: WHY`.

import { mkdtemp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import * as all from "./checks.mjs";
import { Coder } from "./coder.mjs";

/** The longest that one step may take, in milliseconds. */
const LIMIT = 15_000;

const [program, scratch] = process.argv.slice(2);
if (!scratch) {
  console.error("usage: drive.mjs CODER SCRATCH");
  process.exit(2);
}

/** What one check has for itself. */
class Desk {
  #browser;
  #ends = [];
  #troubles = [];

  static async of(browser) {
    const desk = new Desk();
    desk.#browser = browser;
    desk.scratch = await mkdtemp(join(scratch, "check-"));
    desk.folder = join(desk.scratch, "project");
    await mkdir(desk.folder);
    return desk;
  }

  ends(how) {
    this.#ends.push(how);
  }

  async coder(how) {
    const coder = await Coder.start(program, { store: join(this.scratch, "sessions.db"), folder: this.folder, ...how });
    this.ends(() => coder.end());
    return coder;
  }

  /** Opens a page. Errors in its console fail the check, unless requests of it `mayFail`. */
  async tab(url, { mayFail = false } = {}) {
    if (!this.context) {
      this.context = await this.#browser.newContext();
      this.context.setDefaultTimeout(LIMIT);
      this.ends(() => this.context.close());
    }
    const tab = await this.context.newPage();
    tab.on("pageerror", (error) => this.#troubles.push(`${error.message}`));
    tab.on("console", (message) => message.type() === "error" && !mayFail && this.#troubles.push(message.text()));
    await tab.goto(url);
    return tab;
  }

  async end() {
    for (const end of this.#ends.reverse()) await end();
    if (this.#troubles.length > 0) throw new Error(`the page has errors: ${this.#troubles.join("; ")}`);
  }
}

async function run(browser, check) {
  const desk = await Desk.of(browser);
  try {
    await check(desk);
  } catch (error) {
    await desk.end().catch(() => {});
    throw error;
  }
  await desk.end();
}

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--disable-quic", "--disable-sync"] });
const checks = Object.entries(all);
console.log(`checks ${checks.length}`);
const outcomes = checks.map(async ([name, check]) => {
  try {
    await run(browser, check);
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${String(error?.message ?? error).replace(/\s+/g, " ")}`);
  }
});
await Promise.all(outcomes);
await browser.close();
process.exit(0);
