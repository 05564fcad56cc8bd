//! The faults that the walk must find, and the limits at which it must stop.

use super::check::walk;
use super::*;
use crate::{Choice, ConfigOptions, SelectValue};

#[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
#[select_value(crate = crate)]
enum Size {
    #[default]
    Small,
    Large,
}

#[derive(ConfigOptions, Clone)]
#[config_option(crate = crate)]
struct Faulty {
    size: Size,
    #[config_option(depends_on(size), values = empty, default = "a")]
    empty: String,
    #[config_option(depends_on(size), values = doubled, default = "a")]
    doubled: String,
    #[config_option(depends_on(size), values = other, reset = default, default = "a")]
    strict: String,
    #[config_option(depends_on(size), values = other, reset = wrong, default = "b")]
    wrong: String,
    #[config_option(depends_on(size), values = other, default = "z")]
    default: String,
    #[config_option(default = Choice::new(Vec::<String>::new()))]
    later: Choice,
}

fn empty(size: Size) -> Vec<String> {
    if size == Size::Large { vec![] } else { vec!["a".into()] }
}

fn doubled(size: Size) -> &'static [&'static str] {
    if size == Size::Large { &["a", "b", "a"] } else { &["a"] }
}

fn blank(size: Size) -> &'static [&'static str] {
    if size == Size::Large { &["a", " ", "b"] } else { &["a"] }
}

fn other(size: Size) -> [&'static str; 2] {
    if size == Size::Large { ["c", "d"] } else { ["a", "b"] }
}

fn wrong(_: Size, current: &str) -> String {
    format!("{current}!")
}

/// A config with one option of `Faulty` and the options that it depends on.
macro_rules! only {
    ($name:ident: $($key:tt)*) => {{
        #[derive(ConfigOptions, Clone)]
        #[config_option(crate = crate)]
        struct Only {
            size: Size,
            #[config_option(depends_on(size), $($key)*)]
            $name: String,
        }
        walk(Only::initial().unwrap(), 100)
    }};
}

#[test]
fn each_fault_is_found_with_the_way_to_it() {
    let faults = |(_, faults): (OptionsReport, Vec<String>)| faults;
    assert_eq!(faults(only!(empty: values = empty, default = "a")), [""; 0], "the option is not shown then");
    assert_eq!(
        faults(only!(doubled: values = doubled, default = "a"))[0],
        "after size=`large`: `doubled` offers `a` twice"
    );
    assert_eq!(
        faults(only!(blank: values = blank, default = "a"))[0],
        "after size=`large`: `blank` offers a value with a blank id"
    );
    assert_eq!(
        faults(only!(strict: values = other, reset = default, default = "a"))[0],
        "after size=`large`: `strict` is reset to its default, `a`, which is not offered"
    );
    let wrong = faults(only!(wrong: values = other, reset = wrong, default = "b"));
    assert!(wrong.contains(
        &"after size=`large`: the `reset` of the config option `wrong` gives `b!`; it offers `c`, `d`".to_owned()
    ));
    assert_eq!(
        faults(only!(default: values = other, default = "z")),
        ["at the defaults: the default of `default`, `z`, is not offered"]
    );
    assert_eq!(faults(only!(fine: values = other, default = "b")), [""; 0]);
}

#[test]
#[should_panic(expected = "the options of `Faulty` have faults:\n- at the defaults: the default of `default`, `z`")]
fn faults_fail_the_test() {
    check_options::<Faulty>();
}

#[derive(Clone, crate::__private::AgentOptions)]
#[acp_crate(crate)]
struct Small {
    count: u32,
    #[config_option(default = false)]
    a: bool,
    #[config_option(default = false)]
    b: bool,
    #[config_option(default = false)]
    c: bool,
}

#[test]
fn the_walk_is_bounded_and_says_so() {
    let small = Small::with_default_options(1);
    assert_eq!(small.count, 1);
    assert_eq!(check_options_from(small.clone()), OptionsReport { states: 8, cut_off: false });
    assert_eq!(walk(small.clone(), 8), (OptionsReport { states: 8, cut_off: false }, vec![]));
    assert_eq!(walk(small, 7), (OptionsReport { states: 7, cut_off: true }, vec![]));
}

#[test]
#[should_panic(
    expected = "`Small` has fields beside its options, which have no default; use `check_options_from(value)`"
)]
fn other_fields_need_a_value() {
    check_options::<Small>();
}

#[test]
fn a_description_has_everything_a_client_shows() {
    #[derive(SelectValue, Clone, Copy, PartialEq, Debug, Default)]
    #[select_value(crate = crate)]
    enum Mode {
        #[default]
        #[select_value(group = "Careful")]
        Ask,
        /// Without asking.
        #[select_value(group = "Fast")]
        Code,
    }
    #[derive(ConfigOptions, Clone)]
    #[config_option(crate = crate)]
    struct Shown {
        /// What it may do.
        ///
        /// At most.
        #[config_option(category = "mode")]
        mode: Mode,
        #[config_option(default = true, fallback = "select")]
        brave: bool,
    }
    let expected = "\
a client without boolean options

  mode: Mode [mode]
    What it may do.

    At most.
    careful: Careful
      * ask: Ask
    fast: Fast
        code: Code (Without asking.)
  brave: Brave
    * on: On
      off: Off
  modes: ask, code; now ask

a client with boolean options

  mode: Mode [mode]
    What it may do.

    At most.
    careful: Careful
      * ask: Ask
    fast: Fast
        code: Code (Without asking.)
  brave: Brave
    true
  modes: ask, code; now ask
";
    assert_eq!(describe::<Shown>(), expected);
}
