#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        select_value::group as _, select_value::id as _, select_value::name as _,
    };
};
const _: () = {
    use ::acp_runtime::__private as __acp;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::SelectValue for Model {
        const ALL: &'static [Self] = &[Self::Fast, Self::Smart];
        const VALUES: &'static [__acp::ValueDeclaration<'static>] = &[
            __acp::ValueDeclaration::new("fast", "Fast")
                .description("Quick answers, small context.")
                .group("small", "Small"),
            __acp::ValueDeclaration::new("smart-2", "Smart 2")
                .description("Slower, deeper reasoning.")
                .group("large", "Large"),
        ];
        fn position(&self) -> __acp::usize {
            match self {
                Self::Fast => 0usize,
                Self::Smart => 1usize,
            }
        }
        fn at(position: __acp::usize) -> __acp::Option<Self> {
            __acp::nth([Self::Fast, Self::Smart], position)
        }
    }
};
#[allow(unexpected_cfgs)]
const _: () = {
    #[cfg(rust_analyzer)]
    use ::acp_runtime::__private::keys::{
        config_option::category as _, config_option::default as _, config_option::depends_on as _,
        config_option::fallback as _, config_option::flatten as _, config_option::id as _,
        config_option::kind as _, config_option::name as _, config_option::open as _,
        config_option::reset as _, config_option::shown_if as _, config_option::values as _,
    };
    #[cfg(rust_analyzer)]
    const _: () = {
        let _ = |item: Config| {
            (
                Effort::offered_by,
                {
                    use ::acp_runtime::__private::keys::reset::*;
                    first
                },
                item.model,
                item.model,
                item.brave,
            )
        };
    };
};
#[allow(dead_code, deprecated, private_interfaces)]
impl Config {
    #[doc = "Which model answers."]
    pub const MODEL: ::acp_runtime::__private::Key<Self, Model> =
        ::acp_runtime::__private::Key::new(
            "model",
            |config| &config.model,
            |config| &mut config.model,
        );
    #[doc = "How long the model may think."]
    pub const EFFORT: ::acp_runtime::__private::Key<Self, Effort> =
        ::acp_runtime::__private::Key::new(
            "effort",
            |config| &config.effort,
            |config| &mut config.effort,
        );
    #[doc = "Run tools without asking first."]
    pub const BRAVE: ::acp_runtime::__private::Key<Self, bool> = ::acp_runtime::__private::Key::new(
        "brave",
        |config| &config.brave,
        |config| &mut config.brave,
    );
    #[doc = "How often to repeat."]
    pub const TIMES: ::acp_runtime::__private::Key<Self, String> =
        ::acp_runtime::__private::Key::new(
            "repeat",
            |config| &config.times,
            |config| &mut config.times,
        );
    #[doc = "The option `provider`."]
    pub const PROVIDER: ::acp_runtime::__private::Key<Self, Choice> =
        ::acp_runtime::__private::Key::new(
            "provider",
            |config| &config.provider,
            |config| &mut config.provider,
        );
    #[doc = "What the catalogue has."]
    pub const VOICE: ::acp_runtime::__private::Key<Self, Choice<Voice>> =
        ::acp_runtime::__private::Key::new(
            "voice",
            |config| &config.voice,
            |config| &mut config.voice,
        );
    #[doc = "The options in `common`."]
    pub const COMMON: ::acp_runtime::__private::Group<Self, Common> =
        ::acp_runtime::__private::Group::new(|config| &config.common, |config| &mut config.common);
    #[doc = "The config with every option at its default."]
    #[must_use]
    pub fn with_default_options() -> Self {
        Self {
            model: ::acp_runtime::__private::Initial::<Model>::OF.own(),
            effort: ::acp_runtime::__private::Initial::<Effort>::OF.own(),
            brave: ::acp_runtime::__private::Initial::<bool>::OF.switch(false),
            times: ::acp_runtime::__private::Initial::<String>::OF.text("1"),
            provider: Choice::new(["a"]),
            voice: Choice::default(),
            common: ::acp_runtime::__private::flattened::<Common>().initial(),
        }
    }
}
const _: () = {
    use ::acp_runtime::__private as __acp;
    type __Sent = __acp::Given<Config, ([(); <Config as __acp::Entries>::OPTIONS.len()])>;
    #[automatically_derived]
    #[allow(deprecated)]
    impl __acp::Entries for Config {
        const OPTIONS: &'static [__acp::Entry<Self>] = &[
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::of::<Model>(&Self::MODEL, "Model")
                    .description("Which model answers.")
                    .category("model"),
            ),
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::of::<Effort>(&Self::EFFORT, "Effort")
                    .description("How long the model may think.")
                    .category("thought_level")
                    .depth(1usize)
                    .default(&|| __acp::Initial::<Effort>::OF.own_id())
                    .values(&|__config| {
                        __acp::offers::<Effort, _>(Effort::offered_by(
                            __acp::Argument::<Model>::OF.of(&__config.model),
                        ))
                    })
                    .reset_first(),
            ),
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::boolean::<bool>(&Self::BRAVE, "Brave")
                    .description("Run tools without asking first.")
                    .fallback::<bool>(true),
            ),
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::text::<String>(
                    &Self::TIMES,
                    "Repeat",
                    &[
                        __acp::ValueDeclaration::new("1", "Once"),
                        __acp::ValueDeclaration::new("2", "Twice"),
                    ],
                    "1",
                )
                .description("How often to repeat."),
            ),
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::of::<Choice>(&Self::PROVIDER, "Provider")
                    .depth(1usize)
                    .shown_if(&|__config| {
                        Self::has_provider(
                            __acp::Argument::<Model>::OF.of(&__config.model),
                            __acp::Argument::<bool>::OF.of(&__config.brave),
                        )
                    }),
            ),
            __acp::Entry::Option(
                __acp::OptionDeclaration::<Self>::of::<Choice<Voice>>(&Self::VOICE, "Voice")
                    .description("What the catalogue has.")
                    .open::<Choice<Voice>>(),
            ),
            __acp::Entry::flatten(__acp::flattened::<Common>(), || {
                __acp::flattened::<Common>().lifted(Self::COMMON)
            }),
        ];
        const OUTLINE: __acp::Outline = __acp::Outline {
            name: "Config",
            ids: &["model", "effort", "brave", "repeat", "provider", "voice"],
            mode: __acp::None,
            whole: true,
            flattened: &[__acp::flattened::<Common>().outline],
        };
        fn table() -> &'static __acp::Table<Self> {
            static TABLE: __acp::LazyLock<__acp::Table<Config>> =
                __acp::LazyLock::new(__acp::Table::new);
            &TABLE
        }
        fn defaults() -> __acp::Option<Self> {
            __acp::Some(Self::with_default_options())
        }
        fn copied(&self) -> Self {
            <Self as __acp::Snapshot>::copy(self)
        }
    }
    #[automatically_derived]
    impl __acp::ConfigOptions for Config where __Sent: ::core::marker::Send + ::core::marker::Sync {}
    const _: () = __acp::check::<Config>();
    const _: () = __acp::apart::<Config>(0usize);
    #[allow(unused_imports)]
    const _: () = {
        use __acp::resets::*;
        {
            use self::*;
            __acp::is_word(&first)
        }
    };
};
