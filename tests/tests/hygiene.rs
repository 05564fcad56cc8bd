//! The generated code causes no warning under the strictest lints of an author, and needs no prelude.
#![no_implicit_prelude]
#![deny(warnings, clippy::pedantic, clippy::nursery, missing_docs, unreachable_pub, missing_debug_implementations)]
#![deny(unused_qualifications, single_use_lifetimes, trivial_casts, let_underscore_drop, elided_lifetimes_in_paths)]
/// Private types with every kind of option.
pub mod declared {
    use ::acp_runtime::{Choice, ConfigOptions, SelectValue};
    use ::std::clone::Clone;
    use ::std::cmp::PartialEq;
    use ::std::default::Default;
    use ::std::fmt::Debug;
    use ::std::marker::Copy;
    use ::std::string::String;

    const ONCE: &str = "1";

    #[derive(SelectValue, Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) enum Model {
        /// Quick answers,
        /// small context.
        #[default]
        Fast,
        #[cfg(any())]
        #[select_value(id = "", nmae = 1)]
        Gone(NoSuchType),
        Smart,
    }

    #[derive(SelectValue, Clone, Copy, PartialEq, Eq, Debug, Default)]
    /// In two groups.
    pub enum Grouped {
        /// A.
        #[default]
        #[select_value(group = "One")]
        A,
        /// B.
        #[select_value(group = "Two", id = "bee", name = "Bee")]
        B,
    }

    #[derive(ConfigOptions, Clone, Debug)]
    pub(crate) struct Config {
        /// Which model
        #[doc = ::std::concat!("answers", ".")]
        #[config_option(category = "model")]
        pub(crate) model: Model,
        /// Written with everything.
        #[config_option(kind = "select", id = "type", name = "Type", category = "_acme_type")]
        pub(crate) r#type: Grouped,
        #[config_option(values("1" = "Once", "2"), default = ONCE)]
        pub(crate) times: String,
        #[config_option(kind = "boolean", default = !Self::CAREFUL, fallback = "select")]
        pub(crate) brave: bool,
        /// One of some.
        #[config_option(category = "mode", mirror = false, depends_on(r#type, brave), values = Model::some, reset = first)]
        pub(crate) helper: Model,
        #[config_option(depends_on(helper, times), values = self::letters, default = ONCE, reset = same)]
        letter: String,
        #[config_option(depends_on(brave), shown_if = Self::reckless, default = Choice::new(["a"]))]
        provider: Choice,
        /// One of a catalogue.
        #[config_option(default = Choice::default(), open)]
        pub(crate) voice: Choice<Voice>,
        #[config_option(depends_on(voice, provider), shown_if = loud, reset = last, values = numbers_of, default = "1")]
        volume: String,
        #[config_option(values = numbers, default = "1")]
        number: String,
        /// What others have, too.
        #[config_option(flatten)]
        pub(crate) common: Common,
        #[cfg(any())]
        #[config_option(id = "", kind = "none", category = "modes", values(1))]
        pub(crate) gone: NoSuchType,
    }

    impl Config {
        const CAREFUL: bool = true;

        const fn reckless(brave: bool) -> bool {
            brave
        }
    }

    impl Model {
        const fn some(_: Grouped, _: bool) -> &'static [Self] {
            Self::ALL
        }
    }

    /// The data of a value.
    #[derive(Debug)]
    pub(crate) struct Voice(bool);

    fn loud(voice: &Choice<Voice>, provider: &str) -> bool {
        provider.is_empty() && voice.data().is_none_or(|voice| voice.0)
    }

    const fn numbers_of(_: &Choice<Voice>, _: &str) -> [(&'static str, &'static str); 1] {
        numbers()
    }

    const fn last<'a>(_: &'a Choice<Voice>, _: &'a str, current: &'a str) -> &'a str {
        current
    }

    const fn letters(_: Model, _: &str) -> [&'static str; 2] {
        [ONCE, "b"]
    }

    const fn same<'a>(_: Model, _: &'a str, current: &'a str) -> &'a str {
        current
    }

    const fn numbers() -> [(&'static str, &'static str); 1] {
        [("1", "One")]
    }

    /// Options that several agents share.
    #[derive(ConfigOptions, Clone, Debug)]
    pub(crate) struct Common {
        #[config_option(default = true)]
        pub(crate) loud: bool,
    }

    /// A public config with keys of private types.
    #[derive(ConfigOptions, Clone, Debug)]
    pub struct Public {
        private: Model,
        #[deprecated]
        #[config_option(default = false)]
        old: bool,
    }
}

/// Names that the expansion itself uses, and names that are keywords of Rust.
pub mod named {
    use ::acp_runtime::prelude::{StopReason, acp_agent};
    use ::acp_runtime::{ConfigOptions, SelectValue};
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::string::String;

    #[expect(non_camel_case_types, reason = "a name of the language's")]
    #[derive(SelectValue, Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) enum usize {
        #[default]
        Small,
        Large,
    }
    use ::std::cmp::PartialEq;
    use ::std::default::Default;
    use ::std::marker::Copy;

    #[expect(non_camel_case_types, reason = "a name of the language's")]
    #[derive(SelectValue, Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) enum str {
        #[default]
        Short,
        Long,
    }

    #[derive(ConfigOptions, Clone, Debug)]
    pub(crate) struct Config {
        size: usize,
        #[config_option(depends_on(size), values = config, reset = default)]
        length: str,
        #[config_option(depends_on(size, length), shown_if = shown::config, default = false)]
        shown: bool,
        #[config_option(depends_on(size), values = letters, reset = reset::config, default = "a")]
        letter: String,
    }

    const fn config(size: usize) -> &'static [str] {
        match size {
            usize::Small => &[str::Short],
            usize::Large => &[str::Short, str::Long],
        }
    }

    const fn letters(_: usize) -> [&'static ::core::primitive::str; 1] {
        ["a"]
    }

    mod shown {
        pub(super) const fn config(_: super::usize, _: super::str) -> bool {
            true
        }
    }

    mod reset {
        pub(super) const fn config(_: super::usize, _: &::core::primitive::str) -> &'static ::core::primitive::str {
            "a"
        }
    }

    /// Has handlers and extensions.
    #[acp_agent(config = Config)]
    #[derive(Debug)]
    pub(crate) struct Named;

    #[acp_agent]
    impl Named {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        /// With a description.
        #[ext("_acme.dev/seen")]
        async fn seen(&self) {}
    }
}

/// The runtime under another name: an author may rename the dependency or re-export it.
pub mod renamed {
    use ::std::clone::Clone;
    use ::std::fmt::Debug;

    /// No item here has the name `acp_runtime`.
    pub mod own {
        pub use ::acp_runtime as toolkit;
    }

    /// One value.
    #[derive(own::toolkit::SelectValue, Clone, Debug)]
    #[select_value(crate = own::toolkit)]
    pub enum Only {
        /// This.
        One,
    }

    /// One option.
    #[derive(own::toolkit::ConfigOptions, Clone, Debug)]
    #[config_option(crate = own::toolkit)]
    pub struct Config {
        #[config_option(default = Only::One)]
        only: Only,
    }
}

/// Questions to the user, with names that the expansion itself uses.
pub mod asked {
    use super::named;
    use super::renamed::own;
    use ::acp_runtime::Questions;
    use ::std::clone::Clone;
    use ::std::fmt::Debug;
    use ::std::marker::Copy;
    use ::std::option::Option;
    use ::std::string::String;
    use ::std::vec::Vec;

    const ONCE: &str = "1";
    const MOST: u8 = 9;

    #[expect(dead_code, reason = "an agent reads the answers")]
    /// What to run,
    /// and how.
    #[derive(Questions, Debug)]
    pub(crate) struct Asked {
        /// Written with everything.
        #[question(default = ONCE, min = 1, max = 9, format = "email", pattern = "@", title = "Type", id = "type")]
        pub(crate) r#type: String,
        #[question(min = 1, max = MOST, default = 2)]
        pub(crate) answers: u8,
        #[doc = ::std::concat!("One", ".")]
        pub(crate) size: named::usize,
        #[question(default = [Check::Tests], max = 2)]
        pub(crate) checks: Option<Vec<Check>>,
        #[question(default = &[])]
        pub(crate) names: Vec<String>,
        #[cfg(any())]
        #[question(id = "", format = "none", default = no)]
        pub(crate) gone: NoSuchType,
        #[deprecated]
        #[question(default = false)]
        pub(crate) old: bool,
    }

    /// A value.
    #[derive(own::toolkit::SelectValue, Clone, Copy, Debug)]
    #[select_value(crate = own::toolkit)]
    pub(crate) enum Check {
        /// All.
        Tests,
    }

    /// By the path of another name.
    #[derive(own::toolkit::Questions, Debug)]
    #[question(crate = own::toolkit, title = "Renamed")]
    pub struct Renamed {
        /// How many?
        pub number: ::core::primitive::usize,
    }
}

/// Hooks.
pub mod hooked {
    use super::declared::{Config, Model};
    use super::renamed::own;
    use ::std::fmt::Debug;
    use ::std::result::Result::{self, Ok};

    use own::toolkit::prelude::{Change, Client, SessionId, StopReason, acp_agent};

    /// Told of changes.
    #[acp_agent(config = Config, crate = own::toolkit)]
    #[derive(Debug)]
    pub(crate) struct Hooked;

    #[acp_agent(crate = own::toolkit)]
    impl Hooked {
        async fn prompt(&self) -> StopReason {
            StopReason::EndTurn
        }

        /// Every parameter there is.
        #[on_change(Config::MODEL)]
        async fn load(
            &self,
            change: Change<Model>,
            config: &mut Config,
            _: Client,
            #[cfg(any())] gone: NoSuchType,
            #[cfg(any())] second: &mut Config,
            id: &SessionId,
        ) -> Result<(), ::std::io::Error> {
            config.brave = change.new == Model::Smart && !id.0.is_empty();
            Ok(())
        }

        #[cfg(any())]
        #[on_change(Config::GONE)]
        async fn gone(&self, change: NoSuchType) {}

        #[on_change(Config::BRAVE)]
        async fn nothing(&self) {}
    }
}

#[cfg(test)]
mod tests {
    use super::{asked, declared, renamed};
    use ::acp_runtime::{ConfigOptions, Questions, SelectValue};
    use ::core::prelude::v1::test;
    use ::std::option::Option::Some;
    use ::std::{assert, assert_eq, matches};

    #[test]
    fn declarations_stand() {
        let config = declared::Config::initial();
        let initial = matches!(config, Some(declared::Config { model: declared::Model::Fast, brave: false, .. }));
        assert!(initial, "every option at its default");
        assert_eq!(declared::Config::TYPE.id(), "type", "without `r#`");
        assert_eq!(declared::Grouped::B.id(), "bee", "as written");
        assert_eq!(declared::Config::COMMON.then(declared::Common::LOUD).id(), "loud", "of another struct");
        assert_eq!(renamed::Config::ONLY.id(), "only", "by its own path");
        assert!(declared::Public::initial().is_some(), "every field is an option");
    }

    #[test]
    fn questions_stand() {
        let form = asked::Asked::form();
        assert_eq!(form.description.as_deref(), Some("What to run, and how."), "the doc comment");
        assert_eq!(form.properties.len(), 6, "every field is a question");
        assert!(form.properties.contains_key("type"), "without `r#`");
        assert_eq!(asked::Renamed::form().title.as_deref(), Some("Renamed"), "by its own path");
    }
}
