//! The client's capabilities in `initialize`. Some follow from its handlers, others from the keys of
//! `#[acp_client(..)]`.

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
        capabilities.terminal = handles(methods::CreateTerminal::NAME);
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
