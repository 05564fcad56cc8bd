// Checks of the page. Each takes a `Desk`: a folder, agents and tabs of its own.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { Proxy } from "./coder.mjs";

const TITLE = "#title";
const CALL = "#transcript .call";

/** Waits until `look(page)` is true in the page. */
const until = (tab, look, argument) => tab.waitForFunction(look, argument);

const begin = async (tab) => {
  await tab.locator("#new button").click();
  await tab.locator("#state[data-state=idle]").waitFor({ state: "attached" });
};

const prompt = async (tab, words) => {
  await tab.locator("#prompt").fill(words);
  await tab.locator("#prompt").press("Enter");
};

const text = (tab, selector) => tab.locator(selector).allInnerTexts();

/** The numbers that the agent has counted up to, each once and in order. */
async function counted(tab) {
  const [words] = await text(tab, "#transcript .message.agent:last-of-type");
  const numbers = words.trim().split("\n").map(Number);
  assert.deepEqual(numbers, numbers.map((_, at) => at + 1));
  return numbers.length;
}

const hasCounted = (tab, most) =>
  until(tab, (most) => [...document.querySelectorAll("#transcript .message.agent")].some((said) => said.innerText.split("\n").length > most), most);

/** From the first visit to a file that is written; then the same again after a reload, and in a second tab. */
export async function a_session_is_begun_worked_in_loaded_and_shared(desk) {
  const coder = await desk.coder();
  const first = await desk.tab(coder.page);
  assert.equal(await first.locator("#folder").inputValue(), desk.folder, "sessions work where the agent was started");
  await begin(first);

  await first.locator("select[name=model]").selectOption("smart");
  await prompt(first, "please edit");
  await first.locator(".question").waitFor();
  assert.equal(await first.locator("#state").innerText(), "asks you");
  assert.equal(existsSync(join(desk.folder, "NOTES.md")), false);
  await first.locator(".question [data-option=allow]").click();
  await first.locator(`${CALL}[data-status=completed]`).waitFor();
  await first.locator("#state[data-state=idle]").waitFor({ state: "attached" });
  assert.ok(existsSync(join(desk.folder, "NOTES.md")));
  const added = (await text(first, "#transcript .patch .added")).map((line) => line.trimEnd());
  assert.deepEqual(added, ["+# Notes", "+", "+- edited by coder"]);
  assert.deepEqual(await text(first, "#transcript .plan li[data-status=completed]"), ["Understand the request", "Answer it"]);
  const said = await text(first, "#transcript .message");
  await until(first, (selector) => document.querySelector(selector).textContent === "please edit", TITLE);

  await first.reload();
  await first.locator(`${CALL}[data-status=completed]`).waitFor();
  assert.deepEqual(await text(first, "#transcript .message"), said, "the page opens its session again");
  assert.equal(await first.locator("select[name=model]").inputValue(), "smart");

  const second = await desk.tab(coder.page);
  await second.locator("#sessions button", { hasText: "please edit" }).click();
  await second.locator(`${CALL}[data-status=completed]`).waitFor();
  assert.deepEqual(await text(second, "#transcript .message"), said);

  // An option that one sets is set for both, and a question is asked in both until one answers it.
  await second.locator("select[name=mode]").selectOption("ask");
  await until(first, () => document.querySelector("select[name=mode]").value === "ask");
  await first.locator("select[name=mode]").selectOption("code");
  await until(second, () => document.querySelector("select[name=mode]").value === "code");
  await prompt(first, "edit again");
  await Promise.all([first, second].map((tab) => tab.locator(".question").waitFor()));
  await second.locator(".question [data-option=reject]").click();
  await Promise.all([first, second].map((tab) => tab.locator(`${CALL}[data-status=failed]`).waitFor()));
  await first.locator(".question").waitFor({ state: "detached" });

  // Any of them cancels.
  await prompt(first, "slow");
  await Promise.all([first, second].map((tab) => hasCounted(tab, 3)));
  await second.locator("#cancel").click();
  await Promise.all([first, second].map((tab) => tab.locator(".note", { hasText: "Cancelled." }).waitFor()));
  assert.deepEqual(await text(first, "#transcript .message"), await text(second, "#transcript .message"));
}

export async function a_cut_connection_misses_nothing(desk) {
  const proxy = await Proxy.before(await desk.coder());
  desk.ends(() => proxy.end());
  const tab = await desk.tab(proxy.page, { mayFail: true });
  let begun = 0;
  tab.on("request", (request) => {
    if (request.method() === "POST" && !request.headers()["acp-connection-id"]) begun += 1;
  });
  await begin(tab);
  await prompt(tab, "slow");
  for (const most of [5, 15, 25]) {
    await hasCounted(tab, most);
    proxy.cut();
    await tab.locator("#connection[data-state=reconnecting]").waitFor();
    await tab.locator("#connection[data-state=connected]").waitFor();
  }
  // A message that is sent while the network is away arrives, too.
  proxy.isDown = true;
  proxy.cut();
  await tab.locator("#connection[data-state=reconnecting]").waitFor();
  await tab.locator("#cancel").click();
  proxy.isDown = false;
  await tab.locator(".note", { hasText: "Cancelled." }).waitFor();
  assert.ok((await counted(tab)) > 25);

  // A prompt arrives, and the page is not told so: it is not sent twice. Over a connection that has served before, Chromium itself sends
  // it twice, so this one is new.
  proxy.cut();
  await tab.locator("#connection[data-state=reconnecting]").waitFor();
  await tab.locator("#connection[data-state=connected]").waitFor();
  const accepted = new Promise((resolve) => (proxy.swallow = (bytes) => bytes.includes("202 Accepted") && resolve()));
  await prompt(tab, "only once");
  await accepted;
  proxy.swallow = undefined;
  proxy.cut();
  await tab.locator("#transcript .message.agent", { hasText: "You said: only once" }).waitFor();
  await prompt(tab, "the end");
  await tab.locator("#transcript .message.agent", { hasText: "You said: the end" }).waitFor();
  assert.deepEqual(await text(tab, "#transcript .message.user"), ["slow", "only once", "the end"]);
  assert.equal(begun, 0, "it goes on with its connection");
}

export async function a_server_that_comes_back_has_the_session(desk) {
  const coder = await desk.coder();
  const tab = await desk.tab(coder.page, { mayFail: true });
  await begin(tab);
  await prompt(tab, "hello");
  await tab.locator("#transcript .message.agent", { hasText: "You said: hello" }).waitFor();
  await until(tab, () => document.querySelector("#state").dataset.state === "idle");
  await coder.end();
  await tab.locator("#connection[data-state=reconnecting]").waitFor();
  await desk.coder({ address: new URL(coder.page).host });
  await tab.locator("#connection[data-state=connected]").waitFor();
  await tab.locator("#transcript .message.agent", { hasText: "You said: hello" }).waitFor();
  await prompt(tab, "there again");
  await tab.locator("#transcript .message.agent", { hasText: "You said: there again" }).waitFor();
}

export async function what_an_agent_says_is_text(desk) {
  const wrong = "<img src=x onerror=\"document.title='hit'\"> & <b>";
  desk.folder = join(desk.folder, wrong);
  await mkdir(desk.folder);
  const tab = await desk.tab((await desk.coder()).page);
  assert.equal(await tab.locator("#folder").inputValue(), desk.folder);
  await begin(tab);
  await prompt(tab, `edit ${wrong}`);
  await tab.locator(".question [data-option=allow]").click();
  await tab.locator(`${CALL}[data-status=completed]`).waitFor();
  const title = await tab.locator(`${CALL} .title`).textContent();
  assert.equal(title, `Edit ${join(desk.folder, "NOTES.md")}`);
  await until(tab, (wrong) => document.querySelector("#title").textContent.includes(wrong), wrong);
  assert.equal(await tab.locator("img, b").count(), 0);
}

/** A server of another page, in the same browser. */
async function stranger(desk) {
  const server = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  desk.ends(() => server.close());
  return desk.tab(`http://127.0.0.1:${server.address().port}/`, { mayFail: true });
}

export async function pages_of_others_reach_no_agent(desk) {
  const coder = await desk.coder();
  const own = await desk.tab(coder.page, { mayFail: true });
  const other = await stranger(desk);
  // Browsers let any page open a WebSocket to any server. So the server looks at the origin.
  const opens = (tab) =>
    tab.evaluate(
      (url) =>
        new Promise((resolve) => {
          const socket = new WebSocket(url);
          socket.onopen = () => resolve(true);
          socket.onerror = () => resolve(false);
        }),
      coder.endpoint.replace("http", "ws"),
    );
  assert.deepEqual([await opens(own), await opens(other)], [true, false]);
  const initialize = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
  const from = async (origin) => {
    const headers = { "content-type": "application/json", origin };
    return (await fetch(coder.endpoint, { method: "POST", headers, body: JSON.stringify(initialize) })).status;
  };
  assert.deepEqual([await from(new URL(coder.page).origin), await from(new URL(other.url()).origin)], [200, 403]);

  const { headers } = await fetch(coder.page);
  const policy = headers.get("content-security-policy");
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) assert.ok(policy.includes(part), policy);
  // The policy holds: a script within the page does not run, and no text becomes HTML.
  const [ran, refused] = await own.evaluate(() => {
    const script = document.createElement("script");
    let refused = false;
    try {
      script.text = "window.hit = true";
    } catch {
      refused = true;
    }
    document.head.append(script);
    return [window.hit === true, refused];
  });
  assert.deepEqual([ran, refused], [false, true]);
}

export async function a_server_with_a_token_asks_for_it(desk) {
  const token = "0123456789abcdef";
  const file = join(desk.scratch, "token");
  await writeFile(file, `${token}\n`);
  const coder = await desk.coder({ flags: ["--token-file", file] });
  const tab = await desk.tab(coder.page, { mayFail: true });
  await tab.locator("#login").waitFor();
  assert.equal(await tab.locator("#folder").inputValue(), "", "who has no token learns no folder");
  for (const [given, problem] of [["0123456789abcdee", true], [token, false]]) {
    await tab.locator("#token").fill(given);
    await tab.locator("#login button").click();
    await tab.locator("#problem", { hasText: "does not know this token" }).waitFor({ state: problem ? "visible" : "hidden" });
  }
  await tab.locator("#connection[data-state=connected]").waitFor();
  await tab.locator("#folder").fill(desk.folder);
  await begin(tab);
  await prompt(tab, "hello");
  await tab.locator("#transcript .message.agent", { hasText: "You said: hello" }).waitFor();
  assert.ok(!tab.url().includes(token));
}
