#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_client::__private::keys::{
        client::elicitation as _, client::local as _, elicitation::form as _,
    };
};
#[allow(
    clippy::unused_async,
    clippy::unused_self,
    clippy::needless_pass_by_value
)]
impl Editor {
    async fn read_text_file(
        &self,
        request: ReadTextFileRequest,
        session: &SessionId,
    ) -> Result<String> {
        self.read(session, &request.path)
    }
    async fn create_elicitation(&self, request: CreateElicitationRequest) -> ElicitationAction {
        self.show(request)
    }
    #[cfg(unix)]
    async fn notice(&self, notice: Notice) {}
    async fn session_update(&self, notification: SessionNotification) {}
    async fn add(&self, numbers: Vec<u32>) -> u32 {
        numbers.iter().sum()
    }
}
const _: () = {
    use __acp::Otherwise as _;
    use ::acp_client::__private as __acp;
    type __Sent = __acp::Given<Editor, [(); __acp::sent_between_threads::<Editor>()]>;
    type __C = __acp::Given<__Sent, [(); __acp::shared_between_threads::<__Sent>()]>;
    #[automatically_derived]
    #[allow(dead_code, non_upper_case_globals)]
    impl Editor {
        #[doc(hidden)]
        const all_handlers_of_a_client_stand_in_one_impl_block: () = ();
    }
    #[automatically_derived]
    #[allow(deprecated, unreachable_patterns)]
    impl __acp::Handlers for Editor
    where
        for<'__acp> <__C as __acp::Assumed<'__acp>>::Itself: __acp::Send + __acp::Sync,
    {
        const LOCAL: __acp::bool = true;
        fn capabilities() -> __acp::ClientCapabilities {
            __acp::Stated {
                form: true,
                ..__acp::Stated::NOTHING
            }
            .capabilities(
                &["fs/read_text_file", "elicitation/create"],
                &[
                    #[cfg(unix)]
                    "session.notices",
                ],
            )
        }
        fn call(call: __acp::Call<'_, Self>) {
            match call.method() {
                "fs/read_text_file" => {
                    type __M = __acp::handlers::read_text_file;
                    call.run_local::<__M, _>(move |mut lent| async move {
                        let answer = async {
                            let (this, parts) = &mut lent.lend();
                            let a0 =
                                <ReadTextFileRequest as __acp::FromCall<__M>>::from_call(parts)?;
                            let a1 = <&SessionId as __acp::FromCall<__M>>::from_call(parts)?;
                            let answer = Self::read_text_file(this, a0, a1).await;
                            parts.answer::<_, __acp::Fallible<_>>(answer)
                        }
                        .await;
                        lent.finish(answer);
                    })
                }
                "elicitation/create" => {
                    type __M = __acp::handlers::create_elicitation;
                    call.run_local::<__M, _>(move |mut lent| async move {
                        let answer = async {
                            let (this, parts) = &mut lent.lend();
                            let a0 = <CreateElicitationRequest as __acp::FromCall<__M>>::from_call(
                                parts,
                            )?;
                            let answer = Self::create_elicitation(this, a0).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer);
                    })
                }
                "_acme.dev/add" => {
                    type __M = __acp::handlers::Ext;
                    call.run_local::<__M, _>(move |mut lent| async move {
                        let answer = async {
                            let (this, parts) = &mut lent.lend();
                            __acp::Facts::<Vec<u32>>::sent_by_agent();
                            let a0 = <Vec<u32> as __acp::FromCall<__M>>::from_call(parts)?;
                            let answer = Self::add(this, a0).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer);
                    })
                }
                _ => call.unhandled(),
            }
        }
        const UPDATES: &'static [&'static __acp::str] = &[
            #[cfg(unix)]
            "notice",
            "session_update",
        ];
        fn update(call: __acp::Call<'_, Self>) {
            match call.method() {
                #[cfg(unix)]
                "notice" => {
                    type __M = __acp::handlers::notice;
                    call.run_local::<__M, _>(move |mut lent| async move {
                        let answer = async {
                            let (this, parts) = &mut lent.lend();
                            let a0 = <Notice as __acp::FromCall<__M>>::from_call(parts)?;
                            let answer = Self::notice(this, a0).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer);
                    })
                }
                _ => {
                    type __M = __acp::handlers::session_update;
                    call.run_local::<__M, _>(move |mut lent| async move {
                        let answer = async {
                            let (this, parts) = &mut lent.lend();
                            let a0 =
                                <SessionNotification as __acp::FromCall<__M>>::from_call(parts)?;
                            let answer = Self::session_update(this, a0).await;
                            parts.answer(answer)
                        }
                        .await;
                        lent.finish(answer);
                    })
                }
                _ => call.unhandled(),
            }
        }
    }
    const _: () = {
        __acp::distinct(&[
            <ReadTextFileRequest as __acp::FromCall<__acp::handlers::read_text_file>>::SLOT,
            <&SessionId as __acp::FromCall<__acp::handlers::read_text_file>>::SLOT,
        ]);
    };
};
