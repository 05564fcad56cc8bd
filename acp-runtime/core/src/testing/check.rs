//! Visits the states of a config that a client can reach.

use std::collections::{HashSet, VecDeque};
use std::fmt;

use crate::config::ConfigOptions;
use crate::config::declaration::{OptionDeclaration, Reset};
use crate::config::distinct::is_blank;
use crate::config::resolve::resolve;
use crate::config::table::table;
use crate::config::value::ValueRef;

/// The limit of visited states.
const MOST: usize = 20_000;
/// The value that an open option gets.
const UNLISTED: &str = "a value that is not listed";
/// The limit of reported faults.
const MOST_FAULTS: usize = 20;

/// The number of states that [`check_options`] has visited, and whether there are more. A test can compare the number.
/// So it notices if an option is never offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionsReport {
    /// The number of visited states. Each is another combination of values.
    pub states: usize,
    /// Whether there are more states. Only the first 20,000 are visited.
    pub cut_off: bool,
}

/// Visits every combination of options that a client can reach. Panics with all faults that it finds.
///
/// These are faults: an option with one value twice, or with a blank id; a default that is not offered; a reset to a value
/// that is not offered; a reset that returns another value the second time. An open option also gets a value that is not
/// listed. If a config has too many combinations, only those nearest to the defaults are visited. Then
/// [`OptionsReport::cut_off`] is set, and a line on stderr reports this.
///
/// Hooks are not run, because they belong to an agent. In a test of the whole agent, `check_options` of the testing kit's
/// connection (`acp_client::testing::TestConnection`) visits the options and runs the hooks.
///
/// # Panics
///
/// Panics with a list of the faults, each with the values that lead to it.
///
/// ```
/// use acp_runtime::{prelude::*, testing::check_options};
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     #[config_option(default = false)]
///     brave: bool,
///     #[config_option(depends_on(brave), values = letters, default = "a")]
///     letter: String,
/// }
///
/// fn letters(brave: bool) -> &'static [&'static str] {
///     if brave { &["a", "b", "c"] } else { &["a"] }
/// }
///
/// let walk = check_options::<Config>();
/// assert_eq!((walk.states, walk.cut_off), (4, false));
/// ```
#[track_caller]
pub fn check_options<C: ConfigOptions>() -> OptionsReport {
    let Some(initial) = C::initial() else {
        panic!(
            "`{}` has fields beside its options, which have no default; use `check_options_from(value)`",
            C::OUTLINE.name
        )
    };
    check_options_from(initial)
}

/// As [`check_options`], but starts from a value. Use it for an agent that is its own config and has fields beside its
/// options.
///
/// # Panics
///
/// Panics with a list of the faults, each with the values that lead to it.
#[track_caller]
pub fn check_options_from<C: ConfigOptions>(initial: C) -> OptionsReport {
    let (walk, faults) = walk(initial, MOST);
    if walk.cut_off {
        eprintln!(
            "check_options: {} has more than {MOST} combinations of values; the rest is unchecked",
            C::OUTLINE.name
        );
    }
    assert!(faults.is_empty(), "the options of `{}` have faults:\n{}", C::OUTLINE.name, Faults(&faults));
    walk
}

/// Visits the states in the order of their distance from the first state.
pub(super) fn walk<C: ConfigOptions>(initial: C, most: usize) -> (OptionsReport, Vec<String>) {
    let mut walker =
        Walker { seen: HashSet::new(), waiting: VecDeque::new(), faults: Vec::new(), most, cut_off: false };
    walker.start(initial);
    while let Some(state) = walker.waiting.pop_front() {
        walker.visit(&state);
    }
    (OptionsReport { states: walker.seen.len(), cut_off: walker.cut_off }, walker.faults)
}

struct Walker<C> {
    seen: HashSet<String>,
    waiting: VecDeque<State<C>>,
    faults: Vec<String>,
    most: usize,
    cut_off: bool,
}

struct State<C> {
    config: C,
    /// The choices that led to this state.
    way: Vec<String>,
}

impl<C: ConfigOptions> Walker<C> {
    fn start(&mut self, mut config: C) {
        for option in table::<C>().iter().filter(|option| option.is_select() && option.is_shown(&config)) {
            let offered = option.offered(&config);
            if offered.len() > 0 && !option.offers(&config, option.read(&config)) {
                let shown = show(option.read(&config));
                self.fault(&[], format!("the default of `{}`, {shown}, is not offered", option.id()));
            }
        }
        if let Err(error) = resolve(None, &mut config) {
            return self.fault(&[], error.message());
        }
        self.reach(State { config, way: Vec::new() });
    }

    fn reach(&mut self, state: State<C>) {
        if self.seen.len() >= self.most {
            self.cut_off |= !self.seen.contains(&key(&state.config));
        } else if self.seen.insert(key(&state.config)) {
            self.waiting.push_back(state);
        }
    }

    fn visit(&mut self, state: &State<C>) {
        for option in table::<C>().iter().filter(|option| option.is_shown(&state.config)) {
            self.check(option, state);
            if !option.is_select() {
                for value in [true, false] {
                    self.choose(option, ValueRef::Boolean(value), state);
                }
            }
            for value in option.offered(&state.config).iter() {
                self.choose(option, ValueRef::Id(value.id), state);
            }
            if option.open {
                self.choose(option, ValueRef::Id(UNLISTED), state);
            }
        }
    }

    fn check(&mut self, option: &OptionDeclaration<C>, state: &State<C>) {
        let listed = option.listed(&state.config);
        let mut ids = HashSet::new();
        for value in listed.iter() {
            if is_blank(value.id) {
                self.fault(&state.way, format!("`{}` offers a value with a blank id", option.id()));
            } else if !ids.insert(value.id) {
                self.fault(&state.way, format!("`{}` offers `{}` twice", option.id(), value.id));
            }
        }
        let offered = option.offered(&state.config);
        if matches!(option.reset, Reset::Default)
            && let Some(default) = option.default_id(&state.config)
            && !offered.contains(&default)
        {
            let text = format!("`{}` is reset to its default, `{default}`, which is not offered", option.id());
            self.fault(&state.way, text);
        }
    }

    fn choose(&mut self, option: &OptionDeclaration<C>, value: ValueRef<'_>, state: &State<C>) {
        if option.read(&state.config) == value {
            return;
        }
        let mut config = state.config.snapshot();
        option.write(&mut config, value);
        let mut way = state.way.clone();
        way.push(format!("{}={}", option.id(), show(value)));
        if let Err(error) = resolve(Some(&state.config), &mut config) {
            return self.fault(&way, error.message());
        }
        let settled = key(&config);
        match resolve(None, &mut config) {
            Ok(()) if key(&config) == settled => self.reach(State { config, way }),
            Ok(()) => self.fault(&way, "the resets do not settle: a second time they give other values"),
            Err(error) => self.fault(&way, error.message()),
        }
    }

    fn fault(&mut self, way: &[String], text: impl fmt::Display) {
        let way = if way.is_empty() { "at the defaults".to_owned() } else { format!("after {}", way.join(", ")) };
        self.faults.push(format!("{way}: {text}"));
    }
}

/// A text that identifies a state.
fn key<C: ConfigOptions>(config: &C) -> String {
    table::<C>().iter().map(|option| format!("{}\u{0}", show(option.read(config)))).collect()
}

fn show(value: ValueRef<'_>) -> String {
    match value {
        ValueRef::Boolean(value) => value.to_string(),
        ValueRef::Id(id) => format!("`{id}`"),
    }
}

struct Faults<'a>(&'a [String]);

impl fmt::Display for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in self.0.iter().take(MOST_FAULTS) {
            writeln!(f, "- {fault}")?;
        }
        match self.0.len().saturating_sub(MOST_FAULTS) {
            0 => Ok(()),
            more => writeln!(f, "- and {more} more"),
        }
    }
}
