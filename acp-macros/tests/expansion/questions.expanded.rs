#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        question::default as _, question::format as _, question::id as _, question::max as _,
        question::min as _, question::pattern as _, question::title as _, questions::title as _,
    };
    #[cfg(rust_analyzer)]
    const _: () = {
        let _ = (MOST,);
    };
};
const _: () = {
    use ::acp_runtime::__private as __acp;
    #[allow(deprecated)]
    type __Question0 = __acp::Given<String, [(); __acp::answers::<String>()]>;
    #[allow(deprecated)]
    type __Question1 = __acp::Given<Stage, [(); __acp::answers::<Stage>()]>;
    #[allow(deprecated)]
    type __Question2 = __acp::Given<u8, [(); __acp::answers::<u8>()]>;
    #[allow(deprecated)]
    type __Question3 = __acp::Given<Vec<Check>, [(); __acp::answers::<Vec<Check>>()]>;
    #[allow(deprecated)]
    type __Question4 = __acp::Given<Option<String>, [(); __acp::answers::<Option<String>>()]>;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::Questions for Deploy {
        fn declared() -> __acp::Form {
            __acp::Form::new("A deployment")
                .description("Say where to deploy.")
                .ask(
                    "branch",
                    "Branch",
                    __acp::asked::<__Question0>()
                        .description("A branch or a tag.")
                        .default("main")
                        .max(80)
                        .pattern("^[a-z]+$"),
                )
                .ask("stage", "Stage", __acp::asked::<__Question1>())
                .ask(
                    "replicas",
                    "Replicas",
                    __acp::asked::<__Question2>().min(1).max(MOST),
                )
                .ask(
                    "before",
                    "Checks",
                    __acp::asked::<__Question3>().default(&[Check::Tests]),
                )
                .ask(
                    "report_to",
                    "Report To",
                    __acp::asked::<__Question4>().format("email"),
                )
        }
        fn read(__answers: &mut __acp::Answers) -> __acp::Result<Self, __acp::Error> {
            __acp::Ok(Self {
                branch: __acp::asked::<__Question0>().read(__answers, 0usize)?,
                stage: __acp::asked::<__Question1>().read(__answers, 1usize)?,
                replicas: __acp::asked::<__Question2>().read(__answers, 2usize)?,
                checks: __acp::asked::<__Question3>().read(__answers, 3usize)?,
                report_to: __acp::asked::<__Question4>().read(__answers, 4usize)?,
            })
        }
    }
};
