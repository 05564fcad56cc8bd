//! The client's capabilities in `initialize`. Some follow from its handlers, others from the keys of
//! `#[acp_client(..)]`.

use serde_json::Value;

use super::check::ALL_TERMINAL_METHODS;
use crate::{
    schema::Method,
    values::{
        AuthCapabilities, BooleanConfigOptionCapabilities, ClientCapabilities, ClientSessionCapabilities,
        CompactionCapabilities, ElicitationCapabilities, ElicitationFormCapabilities, ElicitationUrlCapabilities,
        FileSystemCapabilities, NoticeCapabilities, SessionConfigOptionsCapabilities, methods,
    },
};

/// The capabilities that the keys of `#[acp_client(..)]` state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Stated {
    /// The key `elicitation(form)`.
    pub form: bool,
    /// The key `elicitation(url)`.
    pub url: bool,
    /// The key `notices`.
    pub notices: bool,
    /// The key `compaction`.
    pub compaction: bool,
    /// The key `auth(terminal)`.
    pub terminal: bool,
}

impl Stated {
    /// No key is given.
    pub const NOTHING: Self = Self { form: false, url: false, notices: false, compaction: false, terminal: false };

    /// Adds the capabilities that handlers imply. `methods` and `updates` list the handlers, by names on the wire.
    #[must_use]
    pub fn capabilities(self, handled: &[&str], gates: &[&str]) -> ClientCapabilities {
        let handles = |method: &str| handled.contains(&method);
        let Self { form, url, notices, compaction, terminal } = self;
        let mut capabilities = capabilities();
        capabilities.fs = FileSystemCapabilities::new()
            .read_text_file(handles(methods::ReadTextFile::NAME))
            .write_text_file(handles(methods::WriteTextFile::NAME));
        // With a base, a client may have some of these handlers. The capability stands for all.
        capabilities.terminal = ALL_TERMINAL_METHODS.iter().all(|method| handles(method));
        capabilities.auth = AuthCapabilities::new().terminal(terminal);
        if form || url {
            let mut elicitation = ElicitationCapabilities::new();
            elicitation.form = form.then(ElicitationFormCapabilities::new);
            elicitation.url = url.then(ElicitationUrlCapabilities::new);
            capabilities.elicitation = Some(elicitation);
        }
        if let Some(session) = &mut capabilities.session {
            let is_on = |stated: bool, gate: &str| stated || gates.contains(&gate);
            session.notices = is_on(notices, "session.notices").then(NoticeCapabilities::new);
            session.compaction = is_on(compaction, "session.compaction").then(CompactionCapabilities::new);
        }
        capabilities
    }
}

/// The capabilities of every client of this crate. Boolean options are among them, because [`Options`](crate::Options)
/// knows such options.
pub(crate) fn capabilities() -> ClientCapabilities {
    let switches = SessionConfigOptionsCapabilities::new().boolean(BooleanConfigOptionCapabilities::new());
    let mut capabilities = ClientCapabilities::new();
    capabilities.session = Some(ClientSessionCapabilities::new().config_options(switches));
    capabilities
}

/// What either of two clients can do: a client, and the one that handles the rest for it.
pub(crate) fn joined(own: ClientCapabilities, base: &ClientCapabilities) -> ClientCapabilities {
    // As JSON, so that no capability of a later schema is forgotten.
    let both = serde_json::to_value(&own).and_then(|mut own| {
        join(&mut own, serde_json::to_value(base)?);
        serde_json::from_value(own)
    });
    both.unwrap_or(own)
}

fn join(own: &mut Value, base: Value) {
    match (own, base) {
        (Value::Object(own), Value::Object(base)) => {
            for (name, value) in base {
                join(own.entry(name).or_insert(Value::Null), value);
            }
        }
        (own @ (Value::Null | Value::Bool(false)), base) => *own = base,
        _ => {}
    }
}
