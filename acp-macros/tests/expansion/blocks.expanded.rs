#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{ agent_impl::parts as _};
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Coder {
    async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
        turn.message("Hello.").await?;
        Ok(StopReason::EndTurn)
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Coder, [(); __acp::declared::<Coder>().0]>;
    impl __acp::NamesPart<(__acp::Letter<'g'>, __acp::Letter<'i'>, __acp::Letter<'t'>)> for Coder {
        const NAMED: __acp::usize = __acp::declared::<Coder>().0;
    }
    type __N0 = __acp::Given<Config, [(); __acp::Named::<Turn<Config>, __A>::NAMES.checked()]>;
    #[automatically_derived]
    impl __acp::OneBlockPerPart<(), __A> for Coder {
        const BLOCK: __acp::Block<__A> = __acp::Block {
            methods: &["session/prompt"],
            ..__acp::Block::NONE
        };
        fn call<'call>(call: __acp::Call<'call, __A>) -> __acp::Option<__acp::Call<'call, __A>> {
            match call.method() {
                "session/prompt" => {
                    type __M = __acp::handlers::prompt;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/prompt").await?;
                            let this = parts.receiver();
                            let a0 = <Turn<__N0> as __acp::by::prompt<__A>>::take(parts)?;
                            let answer = Self::prompt(&this, a0).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                _ => return __acp::Some(call),
            }
            __acp::None
        }
    }
    type __Whole = __acp::Given<Coder, [(); __acp::handled::<Coder>()]>;
    const __PARTS: &[__acp::Joined<__A>] = &[
        __acp::Joined::of::<Coder, ()>(),
        __acp::Joined::of::<__Whole, (__acp::Letter<'g'>, __acp::Letter<'i'>, __acp::Letter<'t'>)>(
        ),
    ];
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Coder
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        const FUNCTIONS: &'static [__acp::Functions<__A>] =
            &__acp::Joined::functions::<{ __PARTS.len() }>(__PARTS);
    }
    #[automatically_derived]
    impl __acp::OneBlockWithoutPart for Coder
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        type Main = __Main;
        __acp::joined_handlers!(__A, __PARTS);
        const CHECKED: () = {
            __acp::Joined::<__A>::once::<__Main>(__PARTS, 2usize);
        };
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{ agent_impl::part as _};
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
    async fn cancel(&self) {}
    async fn model(&self, change: Change<Model>) -> Result<()> {
        Ok(())
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::ByMainBlock as _;
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A =
        __acp::Given<
            Coder,
            [(); __acp::NamedPart::<
                Coder,
                (__acp::Letter<'g'>, __acp::Letter<'i'>, __acp::Letter<'t'>),
            >::BY
                .named()],
        >;
    #[automatically_derived]
    impl __acp::OneBlockPerPart<(__acp::Letter<'g'>, __acp::Letter<'i'>, __acp::Letter<'t'>), __A>
        for Coder
    {
        const BLOCK: __acp::Block<__A> = __acp::Block {
            methods: &["session/cancel"],
            hooks: &[&__acp::OnChange::<__A, _>::new(
                Config::MODEL,
                |mut change| {
                    __acp::running(async move {
                        let this = change.receiver();
                        let answer = Self::model(&this, change.take::<Change<Model>>()?).await;
                        __acp::IntoHookResult::settles(answer)
                    })
                },
            )],
            ..__acp::Block::NONE
        };
        fn call<'call>(call: __acp::Call<'call, __A>) -> __acp::Option<__acp::Call<'call, __A>> {
            match call.method() {
                "session/cancel" => {
                    type __M = __acp::handlers::cancel;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("session/cancel").await?;
                            let this = parts.receiver();
                            let answer = Self::cancel(&this).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                _ => return __acp::Some(call),
            }
            __acp::None
        }
    }
};
