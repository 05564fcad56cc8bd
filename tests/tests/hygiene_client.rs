//! The expansion of `#[acp_client]` causes no warning for the strictest author, and needs no prelude. It does not change
//! the author's attributes, conditions, patterns and aliases.
#![no_implicit_prelude]
#![deny(warnings, clippy::pedantic, clippy::nursery, missing_docs, unreachable_pub, missing_debug_implementations)]
#![deny(unused_qualifications, single_use_lifetimes, trivial_casts, let_underscore_drop, elided_lifetimes_in_paths)]
#![deny(unused_results, redundant_lifetimes, unit_bindings, if_let_rescope, tail_expr_drop_order)]

/// A client with one handler.
pub mod small {
    use ::acp_client::{acp_client, values::ReadTextFileRequest};
    use ::std::fmt::Debug;
    use ::std::string::String;

    /// Seen from outside.
    #[derive(Debug)]
    pub struct Reader {
        /// What every file holds.
        pub text: String,
    }

    #[acp_client]
    impl Reader {
        /// Reads.
        async fn read_text_file(&self, _request: ReadTextFileRequest) -> String {
            ::std::clone::Clone::clone(&self.text)
        }
    }
}

/// A client with all that the macro reads, through a path of its own.
pub mod full {
    use ::std::fmt::Debug;
    use ::std::result::Result as StdResult;
    use ::std::result::Result::Ok;
    use ::std::string::String;
    use ::std::vec::Vec;

    use self::own::toolkit::handlers::{Error, RequestMeta};
    use self::own::toolkit::values::{
        CompactionUpdate, CompleteElicitationNotification, ContentChunk as Lent, CreateElicitationRequest,
        CreateTerminalRequest, CreateTerminalResponse, ElicitationAction, KillTerminalRequest, Notice,
        PermissionOptionId, Plan, ReadTextFileRequest, ReadTextFileResponse, ReleaseTerminalRequest,
        RequestPermissionRequest, SessionId, SessionNotification, TerminalExitStatus, TerminalOutputRequest,
        TerminalOutputResponse, ToolCall, WaitForTerminalExitRequest, WriteTextFileRequest,
    };
    use self::own::toolkit::{acp_client, values};

    use ::serde::Serialize;

    /// Nothing here is called `acp_client`.
    mod own {
        pub(super) use ::acp_client as toolkit;
    }

    #[derive(Debug)]
    pub(crate) struct Editor {
        pub(crate) answer: u32,
    }

    type Call = WriteTextFileRequest;
    type Parts<'a> = &'a SessionId;
    type Fallible<T, E = Error> = StdResult<T, E>;
    #[expect(non_camel_case_types, reason = "a name of the language's")]
    type str = String;

    #[acp_client(elicitation(form, url), notices, compaction, auth(terminal), crate = own::toolkit)]
    impl Editor {
        const UNSEEN: u32 = 1;

        #[cfg(any())]
        async fn read_text_file(&self, gone: NoSuchType) -> NoSuchType {
            gone
        }

        #[cfg(not(any()))]
        async fn read_text_file(
            &self,
            ReadTextFileRequest { path, .. }: ReadTextFileRequest,
            #[cfg(any())] gone: NoSuchType,
            #[cfg(any())] lent_elsewhere: &mut impl NoSuchTrait,
        ) -> Fallible<ReadTextFileResponse> {
            Ok(ReadTextFileResponse::new(::std::format!("{}", path.display())))
        }

        #[deprecated]
        async fn write_text_file(&self, session: Parts<'_>, mut request: Call) -> StdResult<(), ::std::io::Error> {
            request.session_id = ::std::clone::Clone::clone(session);
            Ok(())
        }

        async fn create_terminal(&self, _request: CreateTerminalRequest, meta: RequestMeta) -> CreateTerminalResponse {
            let mut response = CreateTerminalResponse::new("1");
            response.meta = meta.0;
            response
        }

        async fn terminal_output(&self, _request: TerminalOutputRequest) -> TerminalOutputResponse {
            TerminalOutputResponse::new("", false)
        }

        #[must_use]
        async fn wait_for_terminal_exit(&self, _request: WaitForTerminalExitRequest) -> TerminalExitStatus {
            TerminalExitStatus::new()
        }

        async fn kill_terminal(&self, _request: KillTerminalRequest) {}

        async fn release_terminal(&self, _request: ReleaseTerminalRequest) {}

        async fn request_permission(
            &self,
            request: RequestPermissionRequest,
        ) -> ::std::option::Option<PermissionOptionId> {
            ::std::option::Option::Some(::std::clone::Clone::clone(&request.options.first()?.option_id))
        }

        async fn create_elicitation(&self, _request: CreateElicitationRequest) -> ElicitationAction {
            ElicitationAction::Decline
        }

        async fn complete_elicitation(&self, _notification: CompleteElicitationNotification) {}

        async fn agent_message_chunk(&self, session: &SessionId, chunk: Lent) {
            ::std::mem::drop((session, chunk));
        }

        async fn notice(&self, _notice: Notice) -> Fallible<()> {
            Ok(())
        }

        async fn compaction_update(&self, _update: CompactionUpdate) {}

        #[cfg(any())]
        async fn plan(&self, _plan: NoSuchType) {}

        #[cfg(not(any()))]
        async fn plan(&self, _plan: Plan) {}

        async fn tool_call(&self, _call: ToolCall, #[cfg(any())] gone: &mut Session) {}

        async fn session_update(&self, _notification: SessionNotification) {}

        /// Doubles.
        #[ext("_acme.dev/double")]
        async fn double(&self, (number,): (u32,)) -> u32 {
            number * 2 * Self::UNSEEN
        }

        /// What it returns has the lifetimes of all that it takes.
        #[ext("_acme.dev/lent")]
        async fn lent(&self, (number,): (u32,), _meta: RequestMeta) -> impl Serialize {
            (number, self.answer)
        }

        #[ext("_acme.dev/fallible")]
        async fn fallible(&self) -> StdResult<impl Serialize, Error> {
            Ok(&self.answer)
        }

        #[ext(notification = "_acme.dev/seen")]
        async fn r#match(&self, _params: Vec<str>) {}

        #[cfg_attr(all(), cfg(any()))]
        #[cfg_attr(any(), doc = "Never.")]
        #[ext("_acme.dev/never")]
        async fn never(&self) -> NoSuchType {}

        #[cfg(any())]
        fn no_handler(&mut self) {}

        #[cfg(any())]
        async fn prompt(&self) {}

        #[cfg_attr(all(), cfg(any()))]
        #[ext("nameless", key = 1)]
        fn wrong_in_every_way<T>(mut self, gone: &mut T) {}

        #[cfg(any())]
        #[ext("_acme.dev/double")]
        async fn doubled(&self) {}

        #[cfg(any())]
        no_such_macro! {}
    }

    /// Of the macro's own names, none stands in an author's way.
    pub(crate) fn capabilities() -> values::ClientCapabilities {
        <Editor as own::toolkit::Handlers>::capabilities()
    }
}

/// A client within a function.
#[must_use]
pub const fn within() -> bool {
    use ::acp_client::{Handlers, acp_client};
    use ::std::string::String;

    struct Inner(u8);

    #[acp_client(local)]
    #[allow(clippy::future_not_send, reason = "it is local")]
    impl Inner {
        async fn read_text_file(&self) -> String {
            let local = ::std::rc::Rc::new(self.0);
            ::std::future::ready(()).await;
            ::std::format!("{local}")
        }
    }

    let Inner(_) = Inner(1);
    Inner::LOCAL
}

#[cfg(test)]
mod tests {
    use super::{full, small::Reader, within};
    use ::acp_client::Handlers;
    use ::core::prelude::v1::test;
    use ::std::option::Option::Some;
    use ::std::{assert, assert_eq};

    #[test]
    fn what_is_configured_is_handled() {
        let expected = ["agent_message_chunk", "notice", "compaction_update", "plan", "tool_call", "session_update"];
        assert_eq!(full::Editor::UPDATES, expected, "in the order of the functions");
        let all = full::capabilities();
        assert!(all.terminal && all.fs.read_text_file && all.fs.write_text_file && all.auth.terminal);
        let Some(elicitation) = all.elicitation else { ::std::panic!("it is stated") };
        assert!(elicitation.form.is_some() && elicitation.url.is_some());
        assert!(!full::Editor::LOCAL && within());
    }

    #[test]
    fn what_is_not_written_is_not_advertised() {
        let few = Reader::capabilities();
        assert!(few.fs.read_text_file && !few.fs.write_text_file && !few.terminal && few.elicitation.is_none());
        assert!(Reader::UPDATES.is_empty());
    }
}
