//! Capabilities, in both directions. One side must not use features that the other side did not offer.

use serde_json::Value;

use super::{connection::Judge, rules, state::items};
use crate::tape::Party;

/// Whether a capability is advertised, by an object or by `true`.
fn has(capabilities: &Value, pointer: &str) -> bool {
    !matches!(capabilities.pointer(pointer), None | Some(Value::Null | Value::Bool(false)))
}

impl Judge {
    /// Checks a client's requests.
    pub(super) fn client_gates(&mut self, method: &str, params: &Value) {
        let Some(agent) = &self.agent else { return };
        let offers = agent["agentCapabilities"].clone();
        let client = Party::Client;
        let gate = match method {
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
        };
        if let Some(gate) = gate.filter(|gate| !has(&offers, gate)) {
            let text = format!("calls `{method}`, and the agent has no `{}`", gate[1..].replace('/', "."));
            self.find(&rules::OFFERED_METHODS, client, text);
        }
        for block in items(&params["prompt"]) {
            let gate = match block["type"].as_str() {
                Some("image") => "/promptCapabilities/image",
                Some("audio") => "/promptCapabilities/audio",
                Some("resource") => "/promptCapabilities/embeddedContext",
                _ => continue,
            };
            self.check(has(&offers, gate), &rules::OFFERED_CONTENT, client, || {
                format!("a prompt has {}, which the agent does not take", block["type"])
            });
        }
        for server in items(&params["mcpServers"]) {
            let gate = match server["type"].as_str() {
                Some("http") => "/mcpCapabilities/http",
                Some("sse") => "/mcpCapabilities/sse",
                Some("acp") => "/mcpCapabilities/acp",
                _ => continue,
            };
            self.check(has(&offers, gate), &rules::OFFERED_SERVERS, client, || {
                format!("names an MCP server of the kind {}, which the agent does not take", server["type"])
            });
        }
        let folders = items(&params["additionalDirectories"]).next().is_some();
        self.check(
            !folders || has(&offers, "/sessionCapabilities/additionalDirectories"),
            &rules::OFFERED_FOLDERS,
            client,
            || format!("`{method}` names further directories"),
        );
    }

    /// Checks an agent's requests.
    pub(super) fn agent_gates(&mut self, method: &str, params: &Value) {
        let gate = match (method, params["mode"].as_str()) {
            ("fs/read_text_file", _) => "/fs/readTextFile",
            ("fs/write_text_file", _) => "/fs/writeTextFile",
            ("elicitation/create", Some("url")) => "/elicitation/url",
            ("elicitation/create", _) => "/elicitation/form",
            _ if method.starts_with("terminal/") => "/terminal",
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
