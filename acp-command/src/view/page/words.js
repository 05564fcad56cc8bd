// What a row says of its message, in a few words.

const MOST = 240;
const plain = (value) => (typeof value === "string" ? value : value === undefined ? "" : shortened(JSON.stringify(value), MOST));
const one = (text) => shortened(text.slice(0, 2 * MOST).replace(/\s+/g, " "), MOST);
const joined = (...parts) => one(parts.filter((part) => part !== "" && part !== undefined && part !== null).map(plain).join(" · "));

function block(content) {
  if (!content || typeof content !== "object") return plain(content);
  if (typeof content.text === "string") return content.text;
  return joined(content.type, content.name, content.uri ?? content.resource?.uri, content.mimeType);
}

const UPDATES = {
  user_message_chunk: (update) => block(update.content),
  agent_message_chunk: (update) => block(update.content),
  agent_thought_chunk: (update) => block(update.content),
  tool_call: (update) => joined(update.title, update.kind, update.status),
  tool_call_update: (update) => joined(update.title, update.status, update.toolCallId),
  plan: (update) => joined(...(update.entries ?? []).map((entry) => entry.content)),
  available_commands_update: (update) => (update.availableCommands ?? []).map((command) => `/${command.name}`).join(" "),
  current_mode_update: (update) => plain(update.currentModeId),
  config_option_update: (update) => (update.configOptions ?? []).map((option) => `${option.name} ${plain(option.currentValue)}`).join(", "),
  state_update: (update) => joined(update.state, update.stopReason),
  usage_update: (update) => joined(update.used === undefined ? "" : `${update.used} of ${update.size} tokens`),
};

function firstWords(value) {
  if (value === null || typeof value !== "object") return plain(value);
  const { sessionId, sessionUpdate, _meta, ...rest } = value;
  return Object.entries(rest).map(([name, member]) => `${name}: ${plain(member)}`).join(", ");
}

const REQUESTS = {
  initialize: (params) => joined(`version ${plain(params.protocolVersion)}`, (params.clientInfo ?? params.info)?.name),
  "session/prompt": (params) => joined(...(params.prompt ?? []).map(block)),
  "session/request_permission": (params) => joined(params.toolCall?.title ?? params.title, (params.options ?? []).map((option) => option.name).join(" / ")),
  "session/set_config_option": (params) => `${plain(params.configId)} → ${plain(params.value)}`,
  "session/set_mode": (params) => plain(params.modeId),
  "fs/read_text_file": (params) => plain(params.path),
  "fs/write_text_file": (params) => plain(params.path),
  "terminal/create": (params) => joined([params.command, ...(params.args ?? [])].join(" ")),
};

/** The words for a row. They are text, and never markup. */
function words(row) {
  const { kind, label, partner } = rows[row];
  if (kind === END) return "closed its side";
  try {
    const said = message(row);
    if (kind === OUTPUT) return one(plain(said));
    if (kind === ERROR) return joined(said.error?.code, said.error?.message);
    if (kind === ANSWER) {
      const took = partner < 0 ? "" : duration(rows[row].at - rows[partner].at);
      const result = said.result ?? {};
      return joined(result.stopReason ?? result.outcome?.optionId ?? result.outcome?.outcome, result.sessionId, took);
    }
    const params = said.params ?? {};
    if (said.method === "session/update" && params.update) {
      return one((UPDATES[params.update.sessionUpdate] ?? firstWords)(params.update));
    }
    return one((REQUESTS[labels[label]] ?? firstWords)(params));
  } catch {
    // A side may send members of any shape.
    return one(lines[row]);
  }
}

/** The method of a row, or the kind of its update. */
function title(row) {
  const { kind, label } = rows[row];
  const name = labels[label].replace(/^session\/update /, "");
  return kind === ANSWER ? `↳ ${name}` : kind === ERROR ? `↳ ${name} failed` : name;
}
