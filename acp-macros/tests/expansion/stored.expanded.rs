#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        agent::config as _, agent::session as _, agent::store as _, agent::store_version as _,
    };
};
struct Coder {
    sessions: Arc<dyn SessionStore>,
}
const _: () = {
    use __acp::Otherwise as _;
    use ::acp_runtime::__private as __acp;
    #[allow(deprecated)]
    type __Sent = __acp::Given<
        Coder,
        (
            [(); {
                use __acp::Otherwise as _;
                {
                    __acp::sent_between_threads::<Arc<dyn SessionStore>>();
                    __acp::Facts::<Arc<dyn SessionStore>>::SENT.shared_between_threads();
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
        type Session = __acp::Given<
            __acp::Given<Session, [(); __acp::session_sent_between_threads::<Session>()]>,
            [(); __acp::session_kept_by_store::<Session>()],
        >;
        type Shared = ();
        type KeptShared = ();
        type Threads = __acp::Threaded;
        type DeclaredParts = __acp::OfAllVersions<(__acp::Stored, ())>;
        type Sound = __Sent;
        const IDENTITY: __acp::AgentInfo =
            __acp::AgentInfo::new("coder", ::core::env!("CARGO_PKG_VERSION"));
    }
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::HasStore for Coder
    where
        __Sent: ::core::marker::Send + ::core::marker::Sync,
    {
        const STORE: __acp::StoreDeclaration<Self> = {
            use __acp::MayLackRestore as _;
            __acp::StoreDeclaration::new(
                |agent| __acp::HoldsStore::store(&agent.sessions),
                2u32,
                __acp::Restores::<Self::Session>::RESTORE,
            )
        };
    }
    type __Handled = __acp::Given<Coder, [(); __acp::handled::<Coder>()]>;
    const _: () = if __acp::Facts::<Coder>::SHARE {
        __acp::complete::<__Handled>()
    };
    const _: () = if __acp::Facts::<Coder>::SHARE {
        __acp::restores::<__Handled>()
    };
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Coder {
    async fn restore_session(
        &self,
        Restored(session): Restored<Session>,
        roots: Roots,
    ) -> Result<Session> {
        session.work_in(roots)
    }
    async fn prompt(&self, session: &mut Session) -> StopReason {
        session.run().await
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Coder, [(); __acp::declared::<Coder>().0]>;
    type __N0 =
        __acp::Given<Session, [(); __acp::Named::<Restored<Session>, __A>::NAMES.checked()]>;
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Coder
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        const FUNCTIONS: &'static [__acp::Functions<__A>] = &[{
            let all = __acp::Functions::<__A>::NONE;
            let all = all.restore_session({
                const RUN: fn(__acp::Admitted<'_, __A, __acp::handlers::restore_session>) = |call| {
                    type __M = __acp::handlers::restore_session;
                    call.run(__A::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("restore_session").await?;
                            let this = parts.receiver();
                            let a0 =
                                <Restored<__N0> as __acp::FromCall<__M, __A>>::from_call(parts)?;
                            let a1 = <Roots as __acp::by::restore_session<__A>>::take(parts)?;
                            let answer: Result<__N0> = __A::restore_session(&this, a0, a1).await;
                            parts.opens::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                };
                RUN
            });
            all
        }];
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
            methods: &["session/prompt"],
            ..__acp::Block::NONE
        }];
        const NEW_SESSION: __acp::Option<fn() -> <__A as __acp::AgentDeclaration>::Session> =
            __acp::Some(__acp::DefaultSession::default_session);
        const CHECKED: () = {
            __acp::distinct(&[
                <Restored<__N0> as __acp::FromCall<__acp::handlers::restore_session, __A>>::SLOT,
                <Roots as __acp::by::restore_session<__A>>::SLOT,
            ]);
            __acp::is_stored::<__A>();
        };
        fn call(call: __acp::Call<'_, __A>) {
            match call.method() {
                "session/prompt" => {
                    type __M = __acp::handlers::prompt;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/prompt").await?;
                            let this = parts.receiver();
                            let a0 = <&mut __N0 as __acp::by::prompt<__A>>::take(parts)?;
                            let answer = Self::prompt(&this, a0).await;
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
