//! The report of `acp inspect`.

use acp_client::ConfigOption;
use serde::Serialize;
use serde_json::{Value, json};

use super::probe::{Probe, finding};

/// The version of the JSON.
const SCHEMA: u32 = 1;

/// All that was found.
#[derive(Default)]
pub(super) struct Report {
    pub(super) versions: Vec<Spoken>,
    /// Versions that the agent failed at, and did not just decline.
    pub(super) failed: Vec<Value>,
}

/// The agent on one version of the protocol.
pub(super) struct Spoken {
    pub(super) protocol: u16,
    pub(super) agent: Value,
    pub(super) capabilities: Value,
    /// What its answer to `initialize` has of the protocol's drafts.
    pub(super) drafts: Vec<String>,
    pub(super) logins: Value,
    pub(super) session: Result<Opened, Unopened>,
    pub(super) methods: Vec<Probe>,
}

/// A new session.
#[derive(Serialize)]
pub(super) struct Opened {
    pub(super) options: Vec<Value>,
    pub(super) modes: Value,
    pub(super) commands: Value,
}

/// Why there is no session.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Unopened {
    pub(super) error: String,
    pub(super) needs_login: bool,
}

/// An option as the agent sent it.
pub(super) fn option(option: &ConfigOption) -> Value {
    match option {
        ConfigOption::Known(option) => json!(option),
        ConfigOption::Unknown { raw, .. } => serde_json::from_str(raw.get()).unwrap_or_default(),
        _ => Value::Null,
    }
}

impl Spoken {
    /// What is not as advertised, by method.
    pub(super) fn findings(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.methods.iter().filter_map(|probe| Some((probe.method, finding(probe)?)))
    }
}

impl Report {
    /// One JSON object, indented.
    pub(super) fn json(&self) -> String {
        let versions = self.versions.iter().map(|spoken| {
            let Spoken { protocol, agent, capabilities, drafts, logins, session, methods } = spoken;
            let findings = spoken.findings().map(|(method, what)| json!({"method": method, "finding": what}));
            let session = match session {
                Ok(opened) => json!(opened),
                Err(unopened) => json!(unopened),
            };
            json!({
                "protocol": protocol, "agent": agent, "capabilities": capabilities, "drafts": drafts, "logins": logins,
                "session": session, "methods": methods, "findings": findings.collect::<Vec<_>>(),
            })
        });
        let report = json!({"schema": SCHEMA, "versions": versions.collect::<Vec<_>>(), "failed": self.failed});
        format!("{report:#}\n")
    }
}
