//! What the client may do with one tool call or terminal at present: cancel it alone.

use std::collections::HashMap;

use acp_peer::wire::decode::from_json;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

use crate::{
    dialect::terminals::can_cancel,
    values::{MaybeUndefined, TerminalId},
};

/// Above this number of terminals of a session, they are forgotten.
const MOST_TERMINALS: usize = 4096;

/// The controls of one tool call or terminal.
#[derive(Debug, Default)]
pub(super) struct Controls {
    offers_cancel: bool,
    is_over: bool,
}

impl Controls {
    /// Takes the controls in an update: `null` clears them.
    pub(super) fn offered(&mut self, capabilities: &Value) {
        self.offers_cancel = can_cancel(capabilities);
    }

    /// Takes over whether the work has ended. An agent should take its controls back then, and need not.
    pub(super) fn ended(&mut self, is_over: bool) {
        self.is_over = is_over;
    }

    pub(super) fn can_cancel(&self) -> bool {
        self.offers_cancel && !self.is_over
    }
}

/// The terminals of a session.
#[derive(Default)]
pub(super) struct Terminals(HashMap<TerminalId, Controls>);

impl Terminals {
    /// Takes an update of a terminal. `params` are those of the notification.
    pub(super) fn heard(&mut self, params: &RawValue) {
        #[derive(Deserialize)]
        struct Params {
            update: Told,
        }
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Told {
            terminal_id: TerminalId,
            #[serde(default)]
            capabilities: MaybeUndefined<Value>,
            #[serde(default)]
            exit_status: MaybeUndefined<Value>,
        }
        let Ok(Params { update: Told { terminal_id, capabilities, exit_status } }) = from_json(params.get()) else {
            return;
        };
        if self.0.len() >= MOST_TERMINALS && !self.0.contains_key(&terminal_id) {
            self.0.clear();
        }
        let controls = self.0.entry(terminal_id).or_default();
        match capabilities {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Null => controls.offered(&Value::Null),
            MaybeUndefined::Value(capabilities) => controls.offered(&capabilities),
        }
        match exit_status {
            MaybeUndefined::Undefined => {}
            MaybeUndefined::Null => controls.ended(false),
            MaybeUndefined::Value(exit) => {
                // One of another shape counts as absent.
                if exit.is_object() {
                    controls.ended(true);
                }
            }
        }
    }

    pub(super) fn can_cancel(&self, id: &TerminalId) -> bool {
        self.0.get(id).is_some_and(Controls::can_cancel)
    }
}
