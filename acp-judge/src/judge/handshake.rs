//! The handshake: the version that both sides speak, who they are, and the ways to log in.

use super::{
    connection::Judge,
    gates::has,
    occasions::Unjudged,
    rules,
    schema::{Deviations, stable},
    state::{Asked, Outcome, differ, items, text},
};
use crate::{tape::Party, value::Value};

/// The highest version that this judge knows.
const HIGHEST: u16 = 2;
/// No version of the agent is at or below the one that the client asks for.
const UNSUPPORTED: i64 = -32022;

/// The version in a request or an answer of `initialize`.
fn version(value: &Value<'_>) -> Option<u64> {
    value["protocolVersion"].as_u64()
}

/// Whether an answer to `initialize` has the version that was asked for, and the members of version 1 alone. Such an agent speaks version 1,
/// and repeats what it is asked. All that follows would be wrong, and none of it would help its author.
#[doc(hidden)] // for the command `acp`, which then stops as the judge does
pub fn agrees_blindly(answer: &serde_json::Value) -> bool {
    is_repetition(answer["protocolVersion"].as_u64(), |member| answer.get(member).is_some())
}

fn repeats(answer: &Value<'_>) -> bool {
    is_repetition(version(answer), |member| answer.get(member).is_some())
}

fn is_repetition(version: Option<u64>, has: impl Fn(&str) -> bool) -> bool {
    let has_one_of = |members: [&str; 2]| members.iter().any(|member| has(member));
    version == Some(2) && has_one_of(["agentInfo", "agentCapabilities"]) && !has_one_of(["info", "capabilities"])
}

impl Judge {
    /// Whether the judge has rules for the version that was negotiated.
    pub(super) fn is_judged(&self) -> bool {
        let is_known = |agent: &Value<'_>| matches!(version(agent), Some(1..=2)) && !repeats(agent);
        self.agent.as_ref().is_none_or(is_known)
    }

    /// Called for each message that is not judged.
    pub(super) fn passes_over(&mut self) {
        let (Some(agent), None) = (&self.agent, &self.unjudged) else { return };
        let why = match version(agent) {
            Some(2) => "the agent agrees to version 2 in the form of version 1".to_owned(),
            _ => format!("the agent answers version {}, which has no rules here", agent["protocolVersion"]),
        };
        self.unjudged = Some(Unjudged { entry: self.count.saturating_sub(1), why });
    }

    /// Called for the params of `initialize`, before they are checked. Until the answer is there, the version is the one
    /// that the client asks for.
    pub(super) fn asks_for_version(&mut self, params: &Value<'_>) {
        if self.agent.is_none() {
            self.version = version(params).map_or(1, |asked| asked.clamp(1, HIGHEST.into()) as u16);
        }
    }

    /// Takes back what another version explains: a client that speaks several versions may send the fields of each, and
    /// the judge does not know those above its own.
    pub(super) fn allow_both_versions(&self, params: &Value<'_>, deviations: &mut Deviations) {
        let asked = version(params).unwrap_or_default();
        if asked < 2 {
            return;
        }
        let lower = stable(1).params("initialize", params);
        deviations.unknown.retain(|at| lower.unknown.contains(at));
        if asked > HIGHEST.into() && lower.wrong.is_empty() {
            deviations.wrong.clear();
        }
    }

    pub(super) fn initializes(&mut self, params: &Value<'_>) {
        let client = Party::Client;
        let again = std::mem::replace(&mut self.is_initializing, true) || self.agent.is_some();
        if self.version == 1 {
            self.check(!again, &rules::INIT_ONCE, client, || "calls `initialize` again".to_owned());
            self.check(params["clientInfo"].is_object(), &rules::CLIENT_INFO, client, || {
                "sends no `clientInfo`".to_owned()
            });
        }
        if !again {
            self.client =
                params[if self.version == 1 { "clientCapabilities" } else { "capabilities" }].clone().into_owned();
        }
    }

    /// Called for the answer to `initialize`, before it is checked.
    pub(super) fn answers_version(&mut self, outcome: &Outcome<'_>) {
        if let (None, Ok(result)) = (&self.agent, outcome) {
            self.version = if version(result) == Some(2) && !repeats(result) { 2 } else { 1 };
        }
    }

    pub(super) fn initialized(&mut self, asked: &Asked, outcome: &Outcome<'_>) {
        let agent = Party::Agent;
        self.is_initializing = false;
        let result = match outcome {
            // A client that initializes again may be refused: it has the version already.
            Err(_) if self.agent.is_some() => return,
            Err(error) => return self.not_initialized(asked, error),
            Ok(result) => result,
        };
        // On version 2, another `initialize` changes nothing.
        if self.version != 1 && self.agent.is_some() {
            return;
        }
        if let (Some(came), Some(asked)) = (version(result), version(&asked.params)) {
            // Version 1 has the highest version of the agent as the answer to one that the agent does not have.
            self.check(came <= asked || came < 2, &rules::VERSION, agent, || {
                format!("answers version {came} to a client that asks for {asked}")
            });
        }
        self.check(!repeats(result), &rules::VERSION, agent, || {
            "agrees to version 2 in the form of version 1: an agent that speaks version 1 answers `\"protocolVersion\": 1`, whatever it is asked for".to_owned()
        });
        let (ways, id, terminal) = match self.version {
            1 => {
                self.check(result["agentInfo"].is_object(), &rules::AGENT_INFO, agent, || {
                    "answers no `agentInfo`".to_owned()
                });
                // The client may have asked for a higher version, whose capabilities have another name.
                if self.agent.is_none() {
                    self.client = asked.params["clientCapabilities"].clone().into_owned();
                }
                (&result["authMethods"], "id", self.client.pointer("/auth/terminal") == Some(&Value::Bool(true)))
            }
            _ => (&result["authMethods"], "methodId", has(&self.client, "/auth/terminal")),
        };
        if items(ways).count() > 1 {
            self.check(differ(items(ways).map(|way| &way[id])), &rules::AUTH_IDS, agent, || {
                "offers two ways to authenticate with one id".to_owned()
            });
        }
        if !terminal {
            let way = items(ways).find(|way| way["type"] == "terminal");
            self.check(way.is_none(), &rules::AUTH_TERMINAL, agent, || {
                let id = way.map_or(&Value::Null, |way| &way[id]);
                format!("offers {id}, a login in a terminal, to a client that runs none")
            });
        }
        self.agent = Some(result.clone().into_owned());
    }

    fn not_initialized(&mut self, asked: &Asked, error: &Value<'_>) {
        let agent = Party::Agent;
        let Some(wanted) = version(&asked.params).filter(|_| error["code"] == UNSUPPORTED) else {
            // Params that do not follow the schema may be refused.
            let mut deviations = stable(self.version).params("initialize", &asked.params);
            self.allow_both_versions(&asked.params, &mut deviations);
            let is_refusable = self.version > 1 && !deviations.wrong.is_empty();
            return self.check(is_refusable, &rules::VERSION, agent, || {
                format!("refuses `initialize` with {}", error["code"])
            });
        };
        let (data, supported) = (&error["data"], &error["data"]["supported"]);
        let well = data["requested"].as_u64() == Some(wanted) && items(supported).next().is_some();
        self.check(well, &rules::VERSION, agent, || {
            format!("refuses version {wanted} with {UNSUPPORTED}, and the data does not have it and those of the agent")
        });
        let lower = items(supported).find(|version| version.as_u64().is_some_and(|version| version <= wanted));
        if let Some(lower) = lower {
            self.find(&rules::VERSION, agent, format!("refuses version {wanted}, and has version {lower}"));
        }
    }

    /// Called for each answer of the agent: a login that has succeeded lets the client in.
    pub(super) fn lets_in(&mut self, method: &str, outcome: &Outcome<'_>) {
        match method {
            "authenticate" | "auth/login" => self.is_let_in = outcome.is_ok(),
            "logout" | "auth/logout" => self.is_let_in = false,
            "session/new" if std::mem::take(&mut self.is_let_in) => {
                let is_shut_out = matches!(outcome, Err(error) if error["code"] == -32000);
                self.check(!is_shut_out, &rules::AUTH_DONE, Party::Agent, || {
                    "asks for a login, and one has succeeded".to_owned()
                });
            }
            _ => {}
        }
    }

    pub(super) fn authenticates(&mut self, params: &Value<'_>) {
        let id = text(params, "methodId");
        let ways = self.agent.as_ref().map(|agent| &agent["authMethods"]).unwrap_or(&Value::Null);
        let name = if self.version == 1 { "id" } else { "methodId" };
        let way = items(ways).find(|way| way[name] == id);
        let wrong = match way {
            None => Some(format!("authenticates by `{id}`, which the agent did not offer")),
            Some(way) if way["type"] == "terminal" => {
                Some(format!("asks the agent to authenticate by `{id}`, which is done in a terminal"))
            }
            Some(_) => None,
        };
        self.check(wrong.is_none(), &rules::AUTH_KNOWN, Party::Client, || wrong.unwrap_or_default());
    }
}
