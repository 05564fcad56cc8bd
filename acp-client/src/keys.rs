//! The words of our attributes, for language servers. The macro names these words in paths that only a server reads. So
//! the server shows the meaning of a word, and completes words. The value of each constant is the written form of its
//! word.
//!
//! The test `docs_sync` of the macros writes this file and the reference, in [`handlers`](crate::handlers), from the tables of keys.
#![expect(non_upper_case_globals, reason = "the words as authors write them")]

/// In `#[acp_client(..)]`.
pub mod client {
    /// The field is a client, too, such as a `Workspace`. It handles everything else, and its capabilities are
    /// advertised beside those of this block.
    ///
    /// Left out: none.
    ///
    /// Takes: a field.
    pub const base: &str = "base = workspace";

    /// Agents may ask the user for input in these ways, which the handler `create_elicitation` shows.
    ///
    /// Left out: none.
    ///
    /// Takes: a list of words.
    pub const elicitation: &str = "elicitation(form, url)";

    /// Agents may send updates of the kind `notice`: the client shows them to the user.
    ///
    /// Left out: a handler `notice` implies it.
    pub const notices: &str = "notices";

    /// Agents may report that they compact the context of a session.
    ///
    /// Left out: a handler of one of its updates implies it.
    pub const compaction: &str = "compaction";

    /// Agents may offer these ways to authenticate, beside their own.
    ///
    /// Left out: none.
    ///
    /// Takes: a list of words.
    pub const auth: &str = "auth(terminal)";

    /// The handlers' futures need not be `Send`: they stay on the thread that connects, in a `tokio::task::LocalSet`.
    /// The client itself must still be `Send` and `Sync`.
    ///
    /// Left out: the handlers' futures must be `Send`.
    pub const local: &str = "local";

    /// The path of this crate.
    ///
    /// Left out: `::acp_client`.
    ///
    /// Takes: path.
    #[doc(hidden)] // a server would offer it under this name
    pub const crate_: &str = "crate = path";
}

/// In `elicitation(..)` in `#[acp_client(..)]`.
pub mod elicitation {
    /// Agents may show forms.
    ///
    /// Left out: not offered.
    pub const form: &str = "form";

    /// Agents may send the user to a page; `complete_elicitation` tells when the user has completed it.
    ///
    /// Left out: not offered.
    pub const url: &str = "url";
}

/// In `auth(..)` in `#[acp_client(..)]`.
pub mod client_auth {
    /// Agents may offer a login in a terminal, which the client runs: see `Connection::login_command`.
    ///
    /// Left out: not offered.
    pub const terminal: &str = "terminal";
}

/// In `#[ext(..)]`.
pub mod ext {
    /// The function handles an extension notification, which is not answered.
    ///
    /// Left out: a request.
    ///
    /// Takes: string.
    pub const notification: &str = r#"notification = "_vendor/name""#;
}
