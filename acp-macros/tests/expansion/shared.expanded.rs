#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        agent::config as _, agent::local as _, agent::shared as _,
    };
};
struct Coder;
const _: () = {
    use __acp::Otherwise as _;
    use ::acp_runtime::__private as __acp;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::AgentDeclaration for Coder {
        type Config = __acp::Given<Config, [(); __acp::options_of::<Config>()]>;
        type Session = ();
        type Shared = __acp::Given<Core, [(); __acp::shared_on_one_thread::<Core>()]>;
        type KeptShared = __acp::OnThread<Self::Shared>;
        const DEFAULT_SHARED: __acp::Option<fn() -> Self::Shared> =
            __acp::Facts::<Self::Shared>::DEFAULT;
        fn keep_shared(shared: Self::Shared) -> Self::KeptShared {
            use __acp::StaysOnItsThread as _;
            __acp::Keeping(shared).keep()
        }
        type Threads = __acp::Local;
        type DeclaredParts = __acp::OfAllVersions<()>;
        type Sound = Self;
        const IDENTITY: __acp::AgentInfo =
            __acp::AgentInfo::new("coder", ::core::env!("CARGO_PKG_VERSION"));
        fn keep_local(self) -> __acp::OnThread<Self> {
            use __acp::StaysOnItsThread as _;
            __acp::Keeping(self).keep()
        }
    }
    impl Coder {
        #[doc(hidden)]
        pub(crate) const ACP_THREADING: __acp::Local = __acp::Local;
    }
    type __Handled = __acp::Given<Coder, [(); __acp::handled::<Coder>()]>;
    const _: () = __acp::complete::<__Handled>();
    const _: () = __acp::shares::<__Handled>();
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Coder {
    async fn new_session(&self) -> ((), Core) {
        ((), Core::new())
    }
    async fn prompt(&self, Shared(core): Shared<Core>) -> StopReason {
        core.run().await
    }
    async fn configure(&self, Shared(core): Shared<Core>, changes: Changes<Config>) -> Result<()> {
        core.configure(changes.after()).await
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Coder, [(); __acp::declared::<Coder>().0]>;
    type __N0 = __acp::Given<Core, [(); __acp::Named::<Shared<Core>, __A>::NAMES.checked()]>;
    type __N1 = __acp::Given<Config, [(); __acp::Named::<Changes<Config>, __A>::NAMES.checked()]>;
    const _: () = __acp::changes_once::<__A>("configure");
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
            methods: &["session/new", "session/prompt"],
            hooks: &[&__acp::OnEveryChange::<__A>::new(|mut change| {
                __acp::running(async move {
                    let this = change.receiver();
                    let answer = Self::configure(
                        &this,
                        change.take::<Shared<__N0>>()?,
                        change.take::<Changes<__N1>>()?,
                    )
                    .await;
                    __acp::IntoHookResult::settles(answer)
                })
            })],
            every: &["configure"],
            ..__acp::Block::NONE
        }];
        fn call(call: __acp::Call<'_, __A>) {
            match call.method() {
                "session/new" => {
                    type __M = __acp::handlers::new_session;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/new").await?;
                            let this = parts.receiver();
                            let answer: ((), __N0) = Self::new_session(&this).await;
                            parts.opens(answer)
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
                            let a0 = <Shared<__N0> as __acp::FromCall<__M, __A>>::from_call(parts)?;
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
