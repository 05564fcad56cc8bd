#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use crate::acp::__private::keys::{
        agent::auth as _, agent::capabilities as _, agent::config as _, agent::crate_ as _,
        agent::name as _, agent::session as _, agent::title as _, agent::version as _,
        auth::agent as _, auth::terminal as _, auth_agent::description as _, auth_agent::id as _,
        auth_agent::name as _, auth_terminal::args as _, auth_terminal::id as _,
        auth_terminal::name as _, capabilities::embedded_context as _, capabilities::image as _,
    };
};
#[doc = " Edits files."]
pub struct Coder {
    store: Store,
}
const _: () = {
    use crate::acp::__private as __acp;
    use __acp::Otherwise as _;
    #[allow(deprecated)]
    type __Sent = __acp::Given<
        Coder,
        (
            [(); {
                use __acp::Otherwise as _;
                {
                    __acp::sent_between_threads::<Store>();
                    __acp::Facts::<Store>::SENT.shared_between_threads();
                }
                0
            }],
        ),
    >;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::AgentDeclaration for Coder
    where
        __Sent: ::core::marker::Send + ::core::marker::Sync,
    {
        type Config = __acp::Given<Config, [(); __acp::options_of::<Config>()]>;
        type Session =
            __acp::Given<Session, [(); __acp::session_sent_between_threads::<Session>()]>;
        type Shared = ();
        type KeptShared = ();
        type Threads = __acp::Threaded;
        type DeclaredParts = __acp::OfAllVersions<()>;
        type Sound = __Sent;
        const IDENTITY: __acp::AgentInfo = __acp::AgentInfo::new("coder", "1.2.3")
            .title("Coder")
            .image()
            .embedded_context()
            .auth(&[
                __acp::AuthDeclaration::agent("key", "API key").description("Asks for a key."),
                __acp::AuthDeclaration::terminal("login", "Log in", &["login", "--device"]),
            ]);
    }
    type __Handled = __acp::Given<Coder, [(); __acp::handled::<Coder>()]>;
    const _: () = if __acp::Facts::<Coder>::SHARE {
        __acp::complete::<__Handled>()
    };
    const _: () = if __acp::Facts::<Coder>::SHARE {
        __acp::authenticates::<__Handled>()
    };
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use crate::acp::__private::keys::{ agent_impl::crate_ as _, ext::notification as _};
    #[cfg(rust_analyzer)]
    const _: () = {
        let _ = (Config::MODEL,);
    };
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Coder {
    async fn new_session(&self, request: NewSessionRequest) -> Result<Session> {
        self.store.create(request.cwd)
    }
    async fn load_session(
        &self,
        request: LoadSessionRequest,
        replay: Replay,
    ) -> StoreResult<OpenedSession<Session, Config>> {
        self.store.load(&request.session_id, replay).await
    }
    #[doc = " One turn."]
    #[tracing::instrument(skip_all)]
    async fn prompt(
        &self,
        session: &mut Session,
        mut request: PromptRequest,
        turn: Turn<Config>,
    ) -> Result<StopReason> {
        session.ask(&mut request, turn).await
    }
    async fn cancel(&self, id: &SessionId) {
        self.store.note(id);
    }
    async fn authenticate(&self) {}
    async fn warm_up(&self, change: Change<Model>, config: &mut Config) -> Result<()> {
        self.store.load(change.new, config).await
    }
    #[doc = " What was spent,"]
    #[doc = " and on what."]
    async fn stats(&self, since: Since) -> Result<Stats> {
        Ok(self.store.stats(since))
    }
    async fn seen(&self) {}
}
#[allow(deprecated)]
const _: () = {
    use crate::acp::__private as __acp;
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    type __A = __acp::Given<Coder, [(); __acp::declared::<Coder>().0]>;
    type __N0 = __acp::Given<Session, [(); __acp::Named::<&mut Session, __A>::NAMES.checked()]>;
    type __N1 = __acp::Given<Config, [(); __acp::Named::<Turn<Config>, __A>::NAMES.checked()]>;
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Coder where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration
    {
    }
    #[automatically_derived]
    impl __acp::OneBlockWithoutPart for Coder
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        type Threading = <__A as __acp::AgentDeclaration>::Threads;
        type Main = __Main;
        type Parts = <__A as __acp::AgentDeclaration>::DeclaredParts;
        const BLOCKS: &'static [__acp::Block<Self>] = &[__acp::Block {
            methods: &[
                "session/new",
                "session/load",
                "session/prompt",
                "session/cancel",
                "authenticate",
            ],
            extensions: &[
                __acp::Extension::request("_acme.dev/stats", "What was spent, and on what."),
                __acp::Extension::notification("_acme.dev/seen", ""),
            ],
            hooks: &[&__acp::OnChange::<__acp::Given<__A, __N1>, _>::new(
                Config::MODEL,
                |mut change| {
                    __acp::running(async move {
                        let this = change.receiver();
                        let answer = Self::warm_up(
                            &this,
                            change.take::<Change<Model>>()?,
                            change.take::<&mut __N1>()?,
                        )
                        .await;
                        __acp::IntoHookResult::settles(answer)
                    })
                },
            )],
            ..__acp::Block::NONE
        }];
        const CHECKED: () = {
            __acp::distinct(&[
                <LoadSessionRequest as __acp::by::load_session<__A>>::SLOT,
                <Replay as __acp::by::load_session<__A>>::SLOT,
            ]);
            __acp::distinct(&[
                <&mut __N0 as __acp::by::prompt<__A>>::SLOT,
                <PromptRequest as __acp::by::prompt<__A>>::SLOT,
                <Turn<__N1> as __acp::by::prompt<__A>>::SLOT,
            ]);
            __acp::is_not_stored::<__A>("load_session");
        };
        fn call(call: __acp::Call<'_, __A>) {
            match call.method() {
                "session/new" => {
                    type __M = __acp::handlers::new_session;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/new").await?;
                            let this = parts.receiver();
                            let a0 =
                                <NewSessionRequest as __acp::by::new_session<__A>>::take(parts)?;
                            let answer: Result<__N0> = Self::new_session(&this, a0).await;
                            parts.opens::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "session/load" => {
                    type __M = __acp::handlers::load_session;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/load").await?;
                            let this = parts.receiver();
                            let a0 =
                                <LoadSessionRequest as __acp::by::load_session<__A>>::take(parts)?;
                            let a1 = <Replay as __acp::by::load_session<__A>>::take(parts)?;
                            let answer: StoreResult<OpenedSession<__N0, Config>> =
                                Self::load_session(&this, a0, a1).await;
                            parts.opens::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "session/prompt" => {
                    type __M = __acp::handlers::prompt;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/prompt").await?;
                            let this = parts.receiver();
                            let a0 = <&mut __N0 as __acp::by::prompt<__A>>::take(parts)?;
                            let a1 = <PromptRequest as __acp::by::prompt<__A>>::take(parts)?;
                            let a2 = <Turn<__N1> as __acp::by::prompt<__A>>::take(parts)?;
                            let answer = Self::prompt(&this, a0, a1, a2).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "session/cancel" => {
                    type __M = __acp::handlers::cancel;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/cancel").await?;
                            let this = parts.receiver();
                            let a0 = <&SessionId as __acp::by::cancel<__A>>::take(parts)?;
                            let answer = Self::cancel(&this, a0).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "authenticate" => {
                    type __M = __acp::handlers::authenticate;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("authenticate").await?;
                            let this = parts.receiver();
                            let answer = Self::authenticate(&this).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "_acme.dev/stats" => {
                    type __M = __acp::handlers::Ext;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("_acme.dev/stats").await?;
                            let this = parts.receiver();
                            __acp::Facts::<Since>::sent_by_client();
                            let a0 = <Since as __acp::FromCall<__M, __A>>::from_call(parts)?;
                            let answer = Self::stats(&this, a0).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "_acme.dev/seen" => {
                    type __M = __acp::handlers::ExtNotification;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("_acme.dev/seen").await?;
                            let this = parts.receiver();
                            let answer = Self::seen(&this).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                _ => call.unhandled(),
            }
        }
    }
};
