#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        command::hidden as _, command::hint as _, command::name as _,
    };
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
    #[doc = " Reviews changes."]
    #[doc = ""]
    #[doc = " Those of a branch."]
    async fn review(&self, branch: Arguments, turn: Turn<Config>) -> Result<StopReason> {
        turn.message(branch.into_inner()).await?;
        Ok(StopReason::EndTurn)
    }
    #[doc = " Forgets the conversation."]
    async fn forget(&self, session: &mut Session) -> StopReason {
        *session = Session::default();
        StopReason::EndTurn
    }
}
#[allow(deprecated)]
const _: () = {
    use __acp::{MayName as _, NotLocal as _, Otherwise as _};
    use ::acp_runtime::__private as __acp;
    type __A = __acp::Given<Coder, [(); __acp::declared::<Coder>().0]>;
    type __N0 = __acp::Given<Config, [(); __acp::Named::<Turn<Config>, __A>::NAMES.checked()]>;
    type __N1 = __acp::Given<Session, [(); __acp::Named::<&mut Session, __A>::NAMES.checked()]>;
    pub struct __Main;
    impl __acp::FunctionsOf<__Main> for Coder
    where
        for<'__acp> <__A as __acp::Assumed<'__acp>>::Itself: __acp::AgentDeclaration,
    {
        const FUNCTIONS: &'static [__acp::Functions<__A>] = &[{
            let all = __acp::Functions::<__A>::NONE;
            const COMMANDS: &'static [__acp::DeclaredCommand] = &[
                __acp::DeclaredCommand::new(
                    "*/review",
                    "Reviews changes.\n\nThose of a branch.",
                    __acp::Some("a branch"),
                    false,
                ),
                __acp::DeclaredCommand::new(
                    "*/clear",
                    "Forgets the conversation.",
                    __acp::None,
                    true,
                ),
            ];
            let all = all.commands(COMMANDS);
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
        type Parts = (
            __acp::Commands,
            <__A as __acp::AgentDeclaration>::DeclaredParts,
        );
        const BLOCKS: &'static [__acp::Block<Self>] = &[__acp::Block {
            methods: &["session/prompt"],
            ..__acp::Block::NONE
        }];
        const NEW_SESSION: __acp::Option<fn() -> <__A as __acp::AgentDeclaration>::Session> =
            __acp::Some(__acp::DefaultSession::default_session);
        const CHECKED: () = {
            __acp::distinct(&[
                <Arguments as __acp::by::command<__A>>::SLOT,
                <Turn<__N0> as __acp::by::command<__A>>::SLOT,
            ]);
            __acp::takes_arguments(&[
                <Arguments as __acp::by::command<__A>>::SLOT,
                <Turn<__N0> as __acp::by::command<__A>>::SLOT,
            ]);
            __acp::takes_no_arguments(<&mut __N1 as __acp::by::command<__A>>::SLOT);
        };
        fn call(call: __acp::Call<'_, __A>) {
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
                "*/review" => {
                    type __M = __acp::handlers::command;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("/review").await?;
                            let this = parts.receiver();
                            let a0 = <Arguments as __acp::by::command<__A>>::take(parts)?;
                            let a1 = <Turn<__N0> as __acp::by::command<__A>>::take(parts)?;
                            let answer = Self::review(&this, a0, a1).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer).await;
                    })
                }
                "*/clear" => {
                    type __M = __acp::handlers::command;
                    call.run::<__M, _, _>(Self::ACP_THREADING, move |mut lent| async move {
                        let answer = async {
                            let parts = &mut lent.lend("/clear").await?;
                            let this = parts.receiver();
                            let a0 = <&mut __N1 as __acp::by::command<__A>>::take(parts)?;
                            let answer = Self::forget(&this, a0).await;
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
