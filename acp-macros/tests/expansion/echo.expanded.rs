#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::agent::{};
};
#[derive(:: acp_runtime :: __private :: AgentOptions)]
#[acp_crate(::acp_runtime)]
#[doc = " Repeats what it is told."]
#[derive(Clone)]
struct Echo {
    #[doc = " Answer in upper case."]
    #[config_option(default = false)]
    shout: bool,
}
const _: () = {
    use __acp::Otherwise as _;
    use ::acp_runtime::__private as __acp;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::AgentDeclaration for Echo
    where
        for<'__acp> <Echo as __acp::Assumed<'__acp>>::Itself: __acp::ConfigOptions,
    {
        type Config = <Self as __acp::OwnConfig>::Config;
        type Session = ();
        type Shared = ();
        type KeptShared = ();
        type Threads = __acp::Threaded;
        type DeclaredParts = __acp::OfAllVersions<()>;
        type Sound = <Self as __acp::OwnConfig>::Sound;
        const IDENTITY: __acp::AgentInfo =
            __acp::AgentInfo::new("echo", ::core::env!("CARGO_PKG_VERSION"));
        fn initial_config(&self) -> Self {
            __acp::ConfigOptions::snapshot(self)
        }
        fn receiver<__T: __acp::Keeps<Self>>(
            _: &__T::Kept,
            config: &__acp::Arc<Self>,
        ) -> __T::Kept {
            __T::share(__acp::Clone::clone(config))
        }
    }
    const _: () = if __acp::Facts::<Echo>::SHARE {
        __acp::complete::<Echo>()
    };
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Echo {
    async fn prompt(&self, request: PromptRequest, turn: Turn<Self>) -> Result<StopReason> {
        turn.message(request.text()).await?;
        Ok(StopReason::EndTurn)
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Echo, [(); __acp::declared::<Echo>().0]>;
    type __N0 = __acp::Given<Echo, [(); __acp::Named::<Turn<Echo>, __A>::NAMES.checked()]>;
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Echo where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration
    {
    }
    #[automatically_derived]
    impl __acp::OneBlockWithoutPart for Echo
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
                <PromptRequest as __acp::by::prompt<__A>>::SLOT,
                <Turn<__N0> as __acp::by::prompt<__A>>::SLOT,
            ]);
        };
        fn call(call: __acp::Call<'_, __A>) {
            match call.method() {
                "session/prompt" => {
                    type __M = __acp::handlers::prompt;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/prompt").await?;
                            let this = parts.receiver();
                            let a0 = <PromptRequest as __acp::by::prompt<__A>>::take(parts)?;
                            let a1 = <Turn<__N0> as __acp::by::prompt<__A>>::take(parts)?;
                            let answer = Self::prompt(&this, a0, a1).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
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
