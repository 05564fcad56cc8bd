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
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::Questions for Deploy {
        fn declared() -> __acp::Form {
            __acp::Form::new("A deployment")
                .description("Say where to deploy.")
                .ask(
                    "branch",
                    "Branch",
                    __acp::asked::<String>()
                        .description("A branch or a tag.")
                        .default("main")
                        .max(80)
                        .pattern("^[a-z]+$"),
                )
                .ask("stage", "Stage", __acp::asked::<Stage>())
                .ask(
                    "replicas",
                    "Replicas",
                    __acp::asked::<u8>().min(1).max(MOST),
                )
                .ask(
                    "before",
                    "Checks",
                    __acp::asked::<Vec<Check>>().default(&[Check::Tests]),
                )
                .ask(
                    "report_to",
                    "Report To",
                    __acp::asked::<Option<String>>().format("email"),
                )
        }
        fn read(__answers: &mut __acp::Answers) -> __acp::Result<Self, __acp::Error> {
            __acp::Ok(Self {
                branch: __acp::asked::<String>().read(__answers, 0usize)?,
                stage: __acp::asked::<Stage>().read(__answers, 1usize)?,
                replicas: __acp::asked::<u8>().read(__answers, 2usize)?,
                checks: __acp::asked::<Vec<Check>>().read(__answers, 3usize)?,
                report_to: __acp::asked::<Option<String>>().read(__answers, 4usize)?,
            })
        }
    }
};
