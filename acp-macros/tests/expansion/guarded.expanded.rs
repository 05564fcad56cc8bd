#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{ agent::config as _};
};
#[doc = " What is there depends on the configuration."]
struct Guarded;
const _: () = {
    use __acp::Otherwise as _;
    use ::acp_runtime::__private as __acp;
    type __Sent = __acp::Given<Guarded, ()>;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::AgentDeclaration for Guarded
    where
        __Sent: ::core::marker::Send + ::core::marker::Sync,
    {
        type Config = __acp::Given<Config, [(); __acp::options_of::<Config>()]>;
        type Session = ();
        type Shared = ();
        type KeptShared = ();
        type Threads = __acp::Threaded;
        type DeclaredParts = __acp::OfAllVersions<()>;
        type Sound = __Sent;
        const IDENTITY: __acp::AgentInfo =
            __acp::AgentInfo::new("guarded", ::core::env!("CARGO_PKG_VERSION"));
    }
    const _: () = if __acp::Facts::<Guarded>::SHARE {
        __acp::complete::<Guarded>()
    };
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Guarded {
    #[cfg(feature = "fast")]
    async fn new_session(&self) -> Result<Session> {
        Ok(Session::fast())
    }
    #[cfg(all(unix, not(feature = "fast")))]
    #[cfg(not(test))]
    async fn new_session(&self) -> Result<Session> {
        Ok(Session::slow())
    }
    async fn prompt(&self, #[cfg(unix)] client: Client, turn: Turn<Config>) -> Result<StopReason> {
        Ok(StopReason::EndTurn)
    }
    #[cfg(unix)]
    async fn uid(&self) -> u32 {
        0
    }
    #[cfg(windows)]
    async fn cancel(&mut self) {}
    #[cfg(test)]
    async fn prompt(&self) {}
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Guarded, [(); __acp::declared::<Guarded>().0]>;
    #[cfg(any(all(not(all(test)))))]
    type __N0 = __acp::Given<Config, [(); __acp::Named::<Turn<Config>, __A>::NAMES.checked()]>;
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Guarded where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration
    {
    }
    #[automatically_derived]
    impl __acp::OneBlockWithoutPart for Guarded
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        type Threading = <__A as __acp::AgentDeclaration>::Threads;
        type Main = __Main;
        type Parts = <__A as __acp::AgentDeclaration>::DeclaredParts;
        const BLOCKS: &'static [__acp::Block<Self>] = &[__acp::Block {
            #[cfg(not(any(all(windows), all(test))))]
            methods: &[
                #[cfg(feature = "fast")]
                "session/new",
                #[cfg(all(unix, not(feature = "fast")))]
                #[cfg(not(test))]
                "session/new",
                #[cfg(not(all(test)))]
                "session/prompt",
            ],
            #[cfg(any(all(windows), all(test)))]
            sound: false,
            extensions: &[
                #[cfg(unix)]
                __acp::Extension::request("_acme.dev/uid", ""),
            ],
            ..__acp::Block::NONE
        }];
        #[cfg(not(any(
            all(feature = "fast"),
            all(all(unix, not(feature = "fast")), not(test)),
            all(windows),
            all(test)
        )))]
        const NEW_SESSION: __acp::Option<fn() -> <__A as __acp::AgentDeclaration>::Session> =
            __acp::Some(__acp::DefaultSession::default_session);
        const CHECKED: () = {
            #[cfg(not(all(test)))]
            __acp::distinct(&[
                #[cfg(unix)]
                <Client as __acp::by::prompt<__A>>::SLOT,
                <Turn<__N0> as __acp::by::prompt<__A>>::SLOT,
            ]);
        };
        fn call(call: __acp::Call<'_, __A>) {
            match call.method() {
                #[cfg(feature = "fast")]
                "session/new" => {
                    type __M = __acp::handlers::new_session;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/new").await?;
                            let this = parts.receiver();
                            let answer = Self::new_session(&this).await;
                            parts.opens::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                #[cfg(all(unix, not(feature = "fast")))]
                #[cfg(not(test))]
                "session/new" => {
                    type __M = __acp::handlers::new_session;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/new").await?;
                            let this = parts.receiver();
                            let answer = Self::new_session(&this).await;
                            parts.opens::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                #[cfg(not(all(test)))]
                "session/prompt" => {
                    type __M = __acp::handlers::prompt;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/prompt").await?;
                            let this = parts.receiver();
                            #[cfg(unix)]
                            let a0 = <Client as __acp::by::prompt<__A>>::take(parts)?;
                            let a1 = <Turn<__N0> as __acp::by::prompt<__A>>::take(parts)?;
                            let answer = Self::prompt(
                                &this,
                                #[cfg(unix)]
                                a0,
                                a1,
                            )
                            .await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                #[cfg(unix)]
                "_acme.dev/uid" => {
                    type __M = __acp::handlers::Ext;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("_acme.dev/uid").await?;
                            let this = parts.receiver();
                            let answer = Self::uid(&this).await;
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
#[cfg(windows)]
::core::compile_error! { "a handler takes `&self`, not `&mut self`\nhelp: keep what belongs to one session in the session, and what all share behind a `Mutex`\nnote: sessions run at the same time, and `cancel` arrives while `prompt` runs" }
