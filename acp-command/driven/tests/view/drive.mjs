// Opens a page of `acp view` in Chromium and uses it: `drive.mjs CHECK PAGE RECORDING`. `CHROMIUM` is the path of the browser.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** The longest that one step may take, in milliseconds. */
const LIMIT = 30_000;

const [check, page, recording] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--disable-quic", "--disable-sync"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
context.setDefaultTimeout(LIMIT);
const tab = await context.newPage();
const troubles = [];
let isProvoked = false;
tab.on("pageerror", (error) => troubles.push(error.message));
tab.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
tab.on("request", (request) => request.url().startsWith("file:") || troubles.push(`asks for ${request.url()}`));

const texts = (selector) => tab.locator(selector).allInnerTexts();
/** The items in view, in their order. */
const items = () => tab.evaluate(() => [...document.querySelectorAll("#rows .row")].sort((one, other) => one.dataset.item - other.dataset.item)
  .map((row) => ({ class: row.className.replace("row ", ""), text: row.innerText.replace(/\s+/g, " ") })));
const until = (look, argument) => tab.waitForFunction(look, argument);
const counted = (text) => until((text) => document.getElementById("count").textContent === text, text);

const CHECKS = {
  async first() {
    const facts = await tab.locator("#facts").innerText();
    assert.match(facts, /agent fair 2/);
    assert.match(facts, /2 turns/);
    const all = await items();
    const at = (text) => all.findIndex((item) => item.text.includes(text));
    // A finding stands behind its message, and a turn before its prompt.
    assert.match(all[at("must message-lines") - 1].text, /output <\/script><\/title>/);
    assert.match(all[at("must answer-known") - 1].text, /agent ↳ answer/);
    assert.match(all[at("Turn 2") + 1].text, /client session\/prompt the second/);
    assert.match(all[at("Turn 2")].text, /max_tokens/);
    assert.match(all[at("⚙ Model small →") - 1].text, /config_option_update/);

    // Filters: by side, by method, by finding, by text as people write it, and back.
    const whole = await tab.locator("#count").innerText();
    await tab.locator("#side").selectOption("0");
    await counted("5 of 16");
    assert.ok((await items()).filter((item) => !/turn|finding|change/.test(item.class)).every((item) => item.class.startsWith("client")));
    await tab.locator("#reset").click();
    await counted(whole);
    await tab.locator("#method").selectOption({ label: "session/update agent_message_chunk" });
    await counted("2 of 16");
    await tab.locator("#reset").click();
    for (const words of ['NEEDLE: wörter & "quotes" <b>', "answer-known"]) {
      await tab.keyboard.press("/");
      await tab.locator("#text").fill(words);
      await counted("1 of 16");
      await tab.locator("#text").fill("");
      await counted(whole);
      await tab.keyboard.press("Escape");
    }
    await tab.locator("#only").check();
    await until(() => [...document.querySelectorAll("#rows .row")].some((row) => row.classList.contains("finding")));
    const only = (await items()).filter((item) => /^(client|agent)/.test(item.class));
    const lines = new Set((await texts("#rows .finding")).map((text) => text));
    assert.ok(only.length > 0 && only.length < 16 && lines.size >= only.length);
    await tab.locator("#reset").click();

    // Keys: the next turn, its prompt, its answer.
    await tab.locator("#list").focus();
    for (const key of ["Home", "]", "]", "ArrowDown", "Enter"]) await tab.keyboard.press(key);
    assert.equal(await tab.locator("#detail h2").innerText(), "session/prompt");
    await tab.keyboard.press("a");
    assert.match(await tab.locator("#detail pre").innerText(), /"stopReason": "max_tokens"/);
    await tab.keyboard.press("Escape");
    assert.ok(await tab.locator("#detail").isHidden());
    await tab.keyboard.press("Home");
    await tab.keyboard.press("n");
    await until(() => document.querySelector("#rows .finding[aria-selected=true]"));

    // What is large is cut, and shown whole on demand.
    await tab.locator("#rows .row", { hasText: "begin <b>long</b>" }).click();
    assert.doesNotMatch(await tab.locator("#detail pre").innerText(), /the end of the file/);
    await tab.locator("#detail .cut").click();
    assert.match(await tab.locator("#detail pre").innerText(), /the end of the file/);
    await tab.keyboard.press("Escape");

    // The overview leads to its rows.
    await tab.getByRole("tab", { name: /^Tools/ }).click();
    assert.match((await texts("#overview-list button"))[0], /edit · pending → completed/);
    await tab.getByRole("tab", { name: /^Findings/ }).click();
    await tab.locator("#overview-list button", { hasText: "answer-known" }).click();
    assert.match(await tab.locator("#detail .found").innerText(), /must answer-known/);

    await this.nothingRan();
    await this.narrow();
  },

  async second() {
    assert.match(await tab.locator("#facts").innerText(), /protocol 2/);
    const turn = (await items()).find((item) => item.class === "turn");
    assert.match(turn.text, /Turn 1 work end_turn/);
    await tab.getByRole("tab", { name: /^Tools/ }).click();
    assert.match((await texts("#overview-list button"))[0], /Edit\s+in_progress → failed/);
    await tab.getByRole("tab", { name: /^Options/ }).click();
    assert.match((await texts("#overview-list button"))[0], /Model\s+small/);
    await this.nothingRan();
  },

  /** Texts of the recording are texts, in each place that shows them. */
  async nothingRan() {
    const count = await tab.evaluate(() => list.items.length);
    for (let item = 0; item < count; item++) {
      await tab.evaluate((item) => { list.choose(item); detail.open(list.items[item].row); }, item);
    }
    const strange = await tab.evaluate(() => [document.hacked, document.querySelectorAll("img, #rows b, pre b, #overview-list b").length, document.scripts.length]);
    assert.deepEqual(strange, [undefined, 0, 1]);
    assert.ok((await tab.locator("#session option").allInnerTexts()).every((text) => !text.startsWith("undefined")));
    assert.deepEqual(troubles, [], "the page has errors");
    // The policy refuses what a mistake of the page would let in.
    isProvoked = true;
    const ran = await tab.evaluate(async () => {
      const before = document.hacked;
      document.body.insertAdjacentHTML("beforeend", "<img src='data:,' onerror='document.hacked = 1'>");
      const script = document.createElement("script");
      script.textContent = "document.hacked = 1";
      document.body.append(script);
      await new Promise((resolve) => setTimeout(resolve));
      return [before, document.hacked];
    });
    assert.deepEqual(ran, [undefined, undefined]);
  },

  /** On a narrow screen, nothing is wider than it, and a message can be opened and closed. */
  async narrow() {
    await tab.setViewportSize({ width: 390, height: 800 });
    await tab.keyboard.press("Escape");
    assert.ok(await tab.evaluate(() => document.documentElement.scrollWidth <= 390));
    await tab.locator("#rows .row").first().click();
    await tab.locator("#detail .close").click();
    assert.ok(await tab.locator("#detail").isHidden());
  },

  async large() {
    const expected = (await readFile(recording, "utf8")).split("\n").filter((line) => line.trim()).length;
    await counted(`${expected.toLocaleString("en")} lines`);
    for (const part of [0.5, 1]) {
      await tab.evaluate((part) => { list.box.scrollTop = part * list.box.scrollHeight; }, part);
      await until((part) => {
        const shown = [...document.querySelectorAll("#rows .row")].map((row) => Number(row.dataset.item));
        const wanted = part === 1 ? list.items.length - 1 : Math.round(part * list.items.length);
        return Math.min(...shown) <= wanted && wanted <= Math.max(...shown);
      }, part);
    }
    assert.ok(await tab.locator("#rows .row").count() < 200);
    await tab.locator("#list").focus();
    await tab.keyboard.press("End");
    await tab.keyboard.press("Enter");
    await tab.locator("#detail h2").waitFor();
    await tab.locator("#text").fill("no line has these words");
    await counted(`0 of ${expected.toLocaleString("en")}`);
  },
};

await tab.goto(pathToFileURL(page).href);
await tab.locator("#rows .row").first().waitFor();
await CHECKS[check]();
assert.deepEqual(troubles.filter((text) => !isProvoked || !text.includes("Content Security Policy")), [], "the page has errors");
await browser.close();
console.log("all checks passed");
