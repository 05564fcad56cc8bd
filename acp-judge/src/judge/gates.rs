//! Capabilities, in both directions. One side must not use features that the other side did not offer.

use super::{connection::Judge, rules, state::items};
use crate::{tape::Party, value::Value};

/// Whether a capability is advertised, by an object or by `true`.
pub(super) fn has(capabilities: &Value<'_>, pointer: &str) -> bool {
    !matches!(capabilities.pointer(pointer), None | Some(Value::Null | Value::Bool(false)))
}

/// The capability of an agent of version 1 that a method needs.
fn gate_of_v1(method: &str) -> Option<&'static str> {
    match method {
        "session/load" => Some("/loadSession"),
        "session/list" => Some("/sessionCapabilities/list"),
        "session/resume" => Some("/sessionCapabilities/resume"),
        "session/close" => Some("/sessionCapabilities/close"),
        "session/delete" => Some("/sessionCapabilities/delete"),
        "logout" => Some("/auth/logout"),
        "session/fork" => Some("/sessionCapabilities/fork"),
        "session/archive" | "session/unarchive" => Some("/sessionCapabilities/archive"),
        "session/status" => Some("/sessionCapabilities/status"),
        "session/set_title" => Some("/sessionCapabilities/title"),
        "auth/status" => Some("/auth/status"),
        "providers/list" | "providers/set" | "providers/disable" => Some("/providers"),
        _ => None,
    }
}

/// The capability of an agent of version 2 that a method needs.
fn gate_of_v2(method: &str) -> Option<&'static str> {
    match method {
        "session/new"
        | "session/list"
        | "session/resume"
        | "session/close"
        | "session/prompt"
        | "session/set_config_option" => Some("/session"),
        "session/delete" => Some("/session/delete"),
        "session/fork" => Some("/session/fork"),
        "session/archive" | "session/unarchive" => Some("/session/archive"),
        "session/status" => Some("/session/status"),
        "session/set_title" => Some("/session/title"),
        "auth/status" => Some("/auth/status"),
        "providers/list" | "providers/set" | "providers/disable" => Some("/providers"),
        _ => None,
    }
}

impl Judge {
    /// Checks a client's requests.
    pub(super) fn client_gates(&mut self, method: &str, params: &Value<'_>) {
        // A copy for each request would be slow: some agents advertise kilobytes.
        let Some(agent) = self.agent.take() else { return };
        self.client_gates_of(&agent, method, params);
        self.agent = Some(agent);
    }

    fn client_gates_of(&mut self, agent: &Value<'_>, method: &str, params: &Value<'_>) {
        let client = Party::Client;
        let is_first = self.version == 1;
        let offers = &agent[if is_first { "agentCapabilities" } else { "capabilities" }];
        let gate = if is_first { gate_of_v1(method) } else { gate_of_v2(method) };
        // On version 2, the ways to log in advertise the methods.
        let has_ways = is_first || items(&agent["authMethods"]).next().is_some();
        if let Some(gate) = gate {
            self.check(has(offers, gate), &rules::OFFERED_METHODS, client, || {
                format!("calls `{method}`, and the agent has no `{}`", gate[1..].replace('/', "."))
            });
        }
        if matches!(method, "auth/login" | "auth/logout") {
            self.check(has_ways, &rules::OFFERED_METHODS, client, || {
                format!("calls `{method}`, and the agent has no `authMethods`")
            });
        }
        for block in items(&params["prompt"]) {
            let name = match block["type"].as_str() {
                Some("image") => "image",
                Some("audio") => "audio",
                Some("resource") => "embeddedContext",
                _ => continue,
            };
            let place = if is_first { "/promptCapabilities" } else { "/session/prompt" };
            self.check(has(offers, &format!("{place}/{name}")), &rules::OFFERED_CONTENT, client, || {
                format!("a prompt has {}, which the agent does not take", block["type"])
            });
        }
        for server in items(&params["mcpServers"]) {
            let name = match server["type"].as_str() {
                Some("stdio") if !is_first => "stdio",
                Some("http") => "http",
                Some("sse") if is_first => "sse",
                Some("acp") => "acp",
                _ => continue,
            };
            let place = if is_first { "/mcpCapabilities" } else { "/session/mcp" };
            self.check(has(offers, &format!("{place}/{name}")), &rules::OFFERED_SERVERS, client, || {
                format!("names an MCP server of the kind {}, which the agent does not take", server["type"])
            });
        }
        let place = if is_first { "/sessionCapabilities" } else { "/session" };
        if items(&params["additionalDirectories"]).next().is_some() {
            let takes = has(offers, &format!("{place}/additionalDirectories"));
            self.check(takes, &rules::OFFERED_FOLDERS, client, || format!("`{method}` names further directories"));
        }
    }

    /// Checks an agent's requests.
    pub(super) fn agent_gates(&mut self, method: &str, params: &Value<'_>) {
        let gate = match (method, params["mode"].as_str()) {
            ("fs/read_text_file", _) if self.version == 1 => "/fs/readTextFile",
            ("fs/write_text_file", _) if self.version == 1 => "/fs/writeTextFile",
            ("elicitation/create", Some("url")) => "/elicitation/url",
            ("elicitation/create", _) => "/elicitation/form",
            _ if method.starts_with("terminal/") && self.version == 1 => "/terminal",
            _ => return,
        };
        self.check(has(&self.client, gate), &rules::ALLOWED_METHODS, Party::Agent, || {
            format!("calls `{method}`, and the client has no `{}`", gate[1..].replace('/', "."))
        });
    }

    /// Checks an agent's updates.
    pub(super) fn update_gates(&mut self, kind: &str) {
        let gate = match kind {
            "notice" => "/session/notices",
            "compaction_update" | "compaction_summary_chunk" => "/session/compaction",
            "plan_update" | "plan_removed" => "/plan",
            "subagent_update" | "session_message" | "session_message_chunk" => "/subagents",
            _ => return,
        };
        self.check(has(&self.client, gate), &rules::ALLOWED_UPDATES, Party::Agent, || {
            format!("sends `{kind}`, and the client has no `{}`", gate[1..].replace('/', "."))
        });
    }

    pub(super) fn knows_booleans(&self) -> bool {
        self.client.pointer("/session/configOptions/boolean").is_some_and(Value::is_object)
    }
}
