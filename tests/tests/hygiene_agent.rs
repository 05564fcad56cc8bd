//! The expansion of `#[acp_agent]` causes no warning under the strictest lints of an author, and needs no prelude. It
//! keeps the author's attributes, conditions, patterns and aliases.
#![no_implicit_prelude]
#![deny(warnings, clippy::pedantic, clippy::nursery, missing_docs, unreachable_pub, missing_debug_implementations)]
#![deny(unused_qualifications, single_use_lifetimes, trivial_casts, let_underscore_drop, elided_lifetimes_in_paths)]
#![deny(unused_results, redundant_lifetimes, unit_bindings, if_let_rescope, tail_expr_drop_order)]

/// An agent that is its own config.
pub mod small {
    use ::acp_runtime::prelude::{PromptRequest, Result, StopReason, Turn, acp_agent};
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::result::Result::Ok;
    use ::std::string::String;

    #[derive(Debug)]
    #[acp_agent]
    #[derive(Clone)]
    /// Seen from outside.
    pub struct Echo {
        #[config_option(default = false)]
        shout: bool,
        #[cfg(any())]
        #[config_option(id = "", kind = "none", default == true)]
        gone: NoSuchType,
        /// No option.
        prefix: String,
    }

    #[acp_agent]
    impl Echo {
        /// Repeats.
        async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
            let text = request.text();
            turn.message(if self.shout { text.to_uppercase() } else { text }).await?;
            turn.message(self.prefix.as_str()).await?;
            Ok(StopReason::EndTurn)
        }
    }
}

/// An agent that decides about prompts during a turn.
pub mod steered {
    use ::acp_runtime::prelude::{PromptRequest, Result, Steered, StopReason, acp_agent};
    use ::acp_runtime::session::TurnHandle;
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::result::Result::Ok;

    /// Seen from outside.
    #[acp_agent(turns = "steer")]
    #[derive(Clone, Debug)]
    pub struct Echo;

    #[acp_agent]
    impl Echo {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn steer(&self, request: PromptRequest, turn: TurnHandle<Self>) -> Result<Steered> {
            turn.message(request.text()).await?;
            Ok(Steered::Joined)
        }
    }
}

/// An agent whose sessions last.
pub mod stored {
    use ::acp_runtime::prelude::{Result, StopReason, acp_agent};
    use ::acp_runtime::store::Kept;
    use ::acp_runtime::store::MemoryStore;
    use ::std::clone::Clone;
    use ::std::convert::From;
    use ::std::fmt::Debug;
    use ::std::result::Result::Ok;
    use ::std::sync::Arc;

    /// Seen from outside.
    #[acp_agent(session = u8, store = r#type, store_version = 2)]
    #[derive(Clone, Debug)]
    pub struct Echo {
        r#type: Arc<MemoryStore>,
    }

    #[acp_agent]
    impl Echo {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        async fn restore_session(&self, kept: Kept) -> Result<u8> {
            Ok(u8::from(kept.options.is_empty()))
        }
    }
}

/// An agent with everything that the macro reads. It reaches the runtime through its own path.
pub mod full {
    use ::std::clone::Clone;
    use ::std::convert::Into;
    use ::std::default::Default;
    use ::std::fmt::Debug;
    use ::std::format;
    use ::std::result::Result as StdResult;
    use ::std::result::Result::Ok;
    use ::std::string::String;
    use ::std::vec::Vec;

    use self::own::toolkit::Error;
    use self::own::toolkit::agent::RequestMeta;
    use self::own::toolkit::prelude::{
        Arguments, AuthenticateRequest, CancelNotification, Client, ClosedSession, ConfigOptions, DeleteSessionRequest,
        ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LogoutResponse, NewSessionRequest,
        OpenedSession, PromptRequest, PromptResponse, Replay, ResumeSessionRequest, SessionHandle, SessionId,
        StopReason, Turn, acp_agent,
    };

    use ::serde::Serialize;

    /// No item here has the name `acp_runtime`.
    mod own {
        pub(super) use ::acp_runtime as toolkit;
    }

    const VERSION: &str = "1.2.3";
    const LISTING: &str = "_acme.dev/extensions";

    #[derive(ConfigOptions, Clone, Debug)]
    #[config_option(crate = own::toolkit)]
    pub(crate) struct Config {
        #[config_option(default = false)]
        brave: bool,
    }

    #[derive(Clone, Debug, Default)]
    pub(crate) struct Session {
        turns: u32,
    }

    #[acp_agent(
        name = "coder",
        title = "Coder",
        version = VERSION,
        config = Config,
        session = Session,
        capabilities(image, audio, embedded_context, mcp_http, mcp_sse, additional_directories),
        auth(
            agent(id = "key", name = "API key", description = "Asks for a key."),
            terminal(id = "login", name = "Log in", args("login", "--device")),
        ),
        ext_listing = LISTING,
        crate = own::toolkit,
    )]
    #[derive(Debug)]
    pub(crate) struct Coder {
        pub(crate) answer: u32,
        #[cfg(any())]
        #[config_option(default = true)]
        pub(crate) gone: NoSuchType,
    }

    type Ask = PromptRequest;
    type CallGuard<'a> = &'a mut Session;
    type Fallible<T, E = Error> = StdResult<T, E>;

    #[acp_agent(crate = own::toolkit)]
    impl Coder {
        const UNSEEN: &str = "an associated constant is no handler";

        #[cfg(any())]
        async fn new_session(&self, gone: NoSuchType) -> NoSuchType {
            gone
        }

        #[cfg(not(any()))]
        async fn new_session(&self, request: NewSessionRequest) -> Fallible<OpenedSession<Session, Config>> {
            let session = Session { turns: self.answer };
            Ok(OpenedSession::new(session).id(format!("{}", request.cwd.display())).config(Config { brave: true }))
        }

        async fn load_session(&self, replay: Replay, _: LoadSessionRequest) -> StdResult<Session, Error> {
            replay.agent("again").await?;
            Ok(Session::default())
        }

        async fn resume_session(&self, ResumeSessionRequest { .. }: ResumeSessionRequest) -> Session {
            Session::default()
        }

        async fn list_sessions(&self, _request: ListSessionsRequest, meta: RequestMeta) -> ListSessionsResponse {
            let mut response = ListSessionsResponse::new(Vec::new());
            response.meta = meta.0;
            response
        }

        async fn close_session(&self, ended: ClosedSession<Session>, id: &SessionId, handle: SessionHandle<Config>) {
            let _ = (ended.turns, id, handle.config().brave);
        }

        async fn delete_session(
            &self,
            ended: ::std::option::Option<ClosedSession<Session>>,
            _request: DeleteSessionRequest,
            _handle: ::std::option::Option<SessionHandle<Config>>,
        ) -> StdResult<(), ::std::io::Error> {
            ::std::mem::drop(ended);
            Ok(())
        }

        async fn authenticate(&self, _request: AuthenticateRequest) {}

        async fn logout(&self, _client: Client) -> LogoutResponse {
            LogoutResponse::new()
        }

        #[deprecated]
        #[must_use]
        async fn prompt(
            &self,
            lent: CallGuard<'_>,
            turn: Turn<Config>,
            #[cfg(any())] gone: NoSuchType,
            #[cfg(any())] lent_elsewhere: &mut impl NoSuchTrait,
            mut answer: Ask,
            #[cfg(not(any()))] _handle: SessionHandle<Config>,
        ) -> PromptResponse {
            lent.turns += 1;
            answer.prompt.push(Self::UNSEEN.into());
            let brave = turn.config().brave;
            PromptResponse::new(if brave { StopReason::EndTurn } else { StopReason::Refusal })
        }

        async fn cancel(&self, _notification: CancelNotification, #[cfg(any())] gone: &mut Session) {}

        /// Doubles.
        #[ext("_acme.dev/double")]
        async fn double(&self, (number,): (u32,)) -> u32 {
            number * 2
        }

        /// The returned type has the lifetimes of all parameters.
        #[ext("_acme.dev/lent")]
        async fn lent(&self, (number,): (u32,), _session: SessionHandle<Config>) -> impl Serialize {
            (number, self.answer)
        }

        #[ext("_acme.dev/fallible")]
        async fn fallible(&self) -> StdResult<impl Serialize, Error> {
            Ok(&self.answer)
        }

        #[ext(notification = "_acme.dev/seen")]
        async fn r#match(&self, _params: Vec<String>, _session: SessionHandle<Config>) {}

        /// Doubles,
        #[doc = concat!("as ", "asked.")]
        #[command(hint = "a number")]
        async fn r#while(&self, number: Arguments, session: CallGuard<'_>) -> Fallible<StopReason> {
            session.turns += 1;
            ::std::mem::drop(number.into_inner());
            Ok(StopReason::EndTurn)
        }

        /// Is there.
        #[cfg(not(any()))]
        #[command(name = "here")]
        async fn here(&self, #[cfg(any())] _gone: NoSuchType, _request: Ask) -> StopReason {
            StopReason::EndTurn
        }

        #[cfg_attr(any(), doc = "Never.")]
        #[cfg_attr(all(), doc = "Always.")]
        #[command(hidden)]
        async fn documented(&self) -> PromptResponse {
            PromptResponse::new(StopReason::EndTurn)
        }

        /// Is not there.
        #[cfg(any())]
        #[command(name = "here")]
        async fn elsewhere(&self, gone: NoSuchType) -> NoSuchType {}

        #[cfg(any())]
        #[command(name = "/", nothing)]
        #[on_change]
        fn no_command(&mut self) {}

        #[cfg_attr(all(), cfg(any()))]
        #[cfg_attr(any(), doc = "Never.")]
        #[ext("_acme.dev/never")]
        async fn never(&self) -> NoSuchType {}

        #[cfg(any())]
        #[ext("_acme.dev/gone")]
        async fn gone(&self) -> NoSuchType {}

        #[cfg(any())]
        fn no_handler(&mut self) {}

        #[cfg(any())]
        async fn initialize(&self) {}

        #[cfg_attr(all(), cfg(any()))]
        #[ext("nameless", key = 1)]
        #[on_change(NoSuchKey, NoSuchKey)]
        fn wrong_in_every_way<T>(mut self, gone: &mut T) {}

        #[cfg(any())]
        async fn cancel(&self) {}

        #[cfg(any())]
        #[ext("_acme.dev/double")]
        async fn doubled(&self) {}

        #[cfg(any())]
        no_such_macro! {}
    }
}

/// An agent that is declared inside a function.
pub fn within() {
    use ::acp_runtime::prelude::{StopReason, acp_agent};
    use ::std::clone::Clone;

    #[acp_agent(local)]
    #[derive(Clone)]
    struct Inner(u8);

    #[acp_agent]
    #[allow(clippy::future_not_send, reason = "it is local")]
    impl Inner {
        async fn prompt(&self) -> StopReason {
            let local = ::std::rc::Rc::new(self.0);
            ::std::future::ready(()).await;
            if *local == 1 {
                return StopReason::Refusal;
            }
            if ::std::future::ready(self.0).await == 0 { StopReason::Refusal } else { StopReason::EndTurn }
        }
    }

    ::std::mem::drop(Inner::with_default_options(1));
}

/// An agent of several blocks, with methods that the schema does not know.
pub mod blocks {
    use ::acp_runtime as toolkit;
    use ::acp_runtime::agent::MethodName;
    use ::acp_runtime::prelude::{Change, ConfigOptions, Result, StopReason, acp_agent};
    use ::std::clone::Clone;
    use ::std::result::Result::Ok;
    use ::std::string::String;

    #[derive(ConfigOptions, Clone, Debug)]
    pub(crate) struct Config {
        #[config_option(default = false)]
        brave: bool,
    }

    #[acp_agent(config = Config)]
    #[derive(Debug)]
    pub(crate) struct Large;

    #[acp_agent(crate = toolkit, parts(turns, git, r#type))]
    impl Large {
        #[method("plain")]
        async fn plain(&self) {}
    }

    #[acp_agent(part = turns)]
    impl Large {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        #[on_change(Config::BRAVE)]
        async fn brave(&self, _: Change<bool>) -> Result<()> {
            Ok(())
        }
    }

    mod git {
        use super::{Large, MethodName, String, acp_agent};

        #[acp_agent(part = git)]
        impl Large {
            #[cfg(any())]
            #[method(prefix = "_acme.dev/git/")]
            async fn gone(&self, gone: NoSuchType) {}

            #[cfg(not(any()))]
            #[method(prefix = "_acme.dev/git/")]
            async fn git(&self, MethodName(name): MethodName) -> String {
                name
            }

            #[fallback(notification)]
            async fn other(&self, _: MethodName) {}
        }
    }

    #[acp_agent(part = r#type)]
    impl Large {
        const UNSEEN: &str = "a part may have no handler";
    }

    pub(crate) const fn within() -> &'static str {
        Large::UNSEEN
    }
}

/// Agents whose handlers share a part of each session.
pub mod shared {
    use ::acp_runtime::prelude::{Changes, ConfigOptions, SessionHandle, Shared, StopReason, acp_agent};
    use ::std::clone::Clone;
    use ::std::convert::From;
    use ::std::fmt::Debug;
    use ::std::string::String;
    use ::std::sync::Arc;

    /// Of both agents.
    #[derive(Debug, Clone, ConfigOptions)]
    pub struct Config {
        #[config_option(default = false)]
        loud: bool,
    }

    /// One on all threads.
    #[derive(Debug)]
    #[acp_agent(config = Config, shared = Arc<str>)]
    pub struct Many;

    #[acp_agent]
    impl Many {
        async fn new_session(&self) -> ((), Arc<str>) {
            ((), Arc::from(""))
        }

        async fn prompt(&self, Shared(core): Shared<Arc<str>>) -> StopReason {
            let _length = core.len();
            StopReason::EndTurn
        }

        #[cfg_attr(any(), cfg(any()))]
        #[on_change]
        async fn configure(&self, changes: Changes<Config>, handle: SessionHandle<Config>) {
            let _is_same = changes.after().loud == handle.config().loud;
        }
    }

    /// One on a single thread.
    #[derive(Debug)]
    #[acp_agent(local, config = Config, shared = String)]
    pub struct One;

    #[acp_agent]
    impl One {
        async fn prompt(&self, core: Shared<String>) -> StopReason {
            let _length = core.len();
            StopReason::EndTurn
        }
    }
}

#[cfg(test)]
mod tests {
    use super::blocks::Large;
    use super::full::Coder;
    use super::small::Echo;
    use super::within;
    use ::acp_runtime::__private::{Block, Extension, OneBlockWithoutPart};
    use ::core::prelude::v1::test;
    use ::std::mem::drop;
    use ::std::string::String;
    use ::std::{assert, assert_eq};

    #[test]
    fn what_is_configured_is_handled() {
        let expected = [
            "session/new",
            "session/load",
            "session/resume",
            "session/list",
            "session/close",
            "session/delete",
            "authenticate",
            "logout",
            "session/prompt",
            "session/cancel",
        ];
        assert_eq!(Coder::BLOCKS[0].methods, expected, "in the order of the functions");
        let extensions = [
            Extension::request("_acme.dev/double", "Doubles."),
            Extension::request("_acme.dev/lent", "The returned type has the lifetimes of all parameters."),
            Extension::request("_acme.dev/fallible", ""),
            Extension::notification("_acme.dev/seen", ""),
        ];
        assert_eq!(Coder::BLOCKS[0].extensions, extensions, "with their doc comments");
        assert!(Coder::NEW_SESSION.is_none(), "there is a handler");
        assert!(Echo::NEW_SESSION.is_some(), "there is none");
    }

    #[test]
    fn the_small_form_is_made_of_its_plain_fields() {
        drop(Echo::with_default_options(String::new()));
        assert_eq!(Coder { answer: 42 }.answer, 42, "a full form's fields are its own");
        within();
    }

    #[test]
    fn the_handlers_of_all_blocks_are_those_of_the_agent() {
        use ::std::{iter::Iterator as _, vec::Vec};

        let blocks = Large::BLOCKS;
        assert_eq!(blocks.iter().flat_map(|block| block.methods).collect::<Vec<_>>(), [&"session/prompt"]);
        let extensions: Vec<_> = blocks.iter().flat_map(|block| block.extensions).collect();
        assert_eq!(extensions, [&Extension::request("plain", "")]);
        let count = |len: fn(&Block<Large>) -> usize| blocks.iter().map(len).sum::<usize>();
        assert_eq!((count(|block| block.routes.len()), count(|block| block.hooks.len())), (2, 1));
        assert!(Large::NEW_SESSION.is_some() && blocks.iter().all(|block| block.sound), "the session has a default");
        assert_eq!(super::blocks::within(), "a part may have no handler");
    }
}

/// Parameters whose types have the names of the runtime's, under other names, and under conditions.
pub mod named {
    use ::acp_runtime::Error;
    use ::acp_runtime::agent::{FromCall, Handled, Handlers, Parts};
    use ::acp_runtime::prelude::{
        Changes, ClosedSession, PromptRequest, Result, SessionHandle, StopReason, Turn, acp_agent,
    };
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::option::Option;
    use ::std::result::Result::Ok;

    /// An extractor of the author, which has nothing to do with what handlers share.
    #[derive(Clone, Copy, Debug)]
    pub struct Shared<T>(
        /// Any value.
        pub T,
    );

    /// No shared part.
    #[derive(Clone, Copy, Debug)]
    pub struct Own;

    impl<'c, M: Handled<A>, A: Handlers> FromCall<'c, M, A> for Shared<Own> {
        fn from_call(_: &mut Parts<'c, A, M>) -> Result<Self, Error> {
            Ok(Self(Own))
        }
    }

    /// Seen from outside.
    #[acp_agent]
    #[derive(Clone, Debug)]
    pub struct Echo;

    #[acp_agent]
    impl Echo {
        async fn prompt(
            &self,
            _request: PromptRequest,
            _turn: Turn<Self>,
            own: Shared<Own>,
            _none: &mut (),
        ) -> StopReason {
            let Shared(Own) = own;
            StopReason::EndTurn
        }

        async fn cancel(
            &self,
            #[cfg(any(unix, windows))] _here: SessionHandle<Self>,
            #[cfg(any())] _gone: SessionHandle<NoSuchType>,
        ) {
        }

        #[cfg(any())]
        async fn close_session(&self, _closed: ClosedSession<NoSuchType>) {}

        async fn session_ended(&self, _closed: Option<ClosedSession<()>>) {}

        #[ext("_acme.dev/own")]
        async fn own(&self, _own: Shared<Own>) {}

        #[on_change]
        async fn changed(&self, _changes: Changes<Self>, _config: &mut Self) {}
    }
}
