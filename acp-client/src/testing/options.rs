//! Visits the combinations of options that a client can reach, with the agent's hooks.

use std::{
    collections::{HashSet, VecDeque},
    fmt,
};

use super::{TestConnection, TestSession, patience::Caller};
use crate::{ConfigOption, CurrentValue, Error, Options};

/// The limit of sets in new states. Each of them may need a session of its own.
const MOST: usize = 2_000;
/// The limit of reported faults.
const MOST_FAULTS: usize = 20;

/// The number of states that [`TestConnection::check_options`] has visited. A test can compare the number. So it notices
/// if an option or a value is never offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OptionsReport {
    /// The number of visited states: combinations of values and lists.
    pub states: usize,
    /// The number of values that the agent offered and then refused with an error of its own, for example of a hook.
    pub refused: usize,
    /// Whether there are more states. After 2,000 sets, no further states are visited.
    pub cut_off: bool,
}

impl TestConnection {
    /// Visits every combination of options that a client can reach from a new session, by setting each option to each
    /// value that it offers. The agent's hooks run, because the sets are real ones. Each way to a state begins with a
    /// new session, so sessions need not be able to go back.
    ///
    /// These are faults: an offered value that the agent refuses with an internal error or does not answer; options that
    /// have changed after a refused set. A hook may refuse a value with another error; [`OptionsReport::refused`] counts
    /// these refusals. Values that an open option does not list are not tried. The judge reports broken rules at
    /// [`finish`](Self::finish), as for all messages.
    ///
    /// To check a config without an agent, use `acp_runtime::testing::check_options`.
    ///
    /// ```
    /// use acp_client::testing;
    /// use acp_runtime::prelude::*;
    ///
    /// #[derive(ConfigOptions, Clone)]
    /// struct Config {
    ///     #[config_option(default = false)]
    ///     loud: bool,
    ///     #[config_option(default = Choice::default())]
    ///     voice: Choice,
    /// }
    ///
    /// #[acp_agent(config = Config)]
    /// struct Singer;
    ///
    /// #[acp_agent]
    /// impl Singer {
    ///     #[on_change(Config::LOUD)]
    ///     async fn voices(&self, change: Change<bool>, config: &mut Config) {
    ///         config.voice.offer(if change.new { vec!["alto", "bass"] } else { vec![] });
    ///     }
    /// #   async fn prompt(&self) -> StopReason { StopReason::EndTurn }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let agent = testing::connect(Singer).await;
    /// // Quiet, loud with either voice, and quiet again with no voices to select from.
    /// assert_eq!(agent.check_options().await.states, 3);
    /// agent.finish().await;
    /// # }
    /// ```
    ///
    /// # Panics
    ///
    /// Panics with a list of the faults, each with the values that lead to it. Also panics if the agent opens no session.
    #[track_caller]
    pub fn check_options(&self) -> impl Future<Output = OptionsReport> + Send {
        let caller = Caller::here();
        async move {
            let mut walk = Walk {
                agent: self,
                caller,
                seen: HashSet::new(),
                waiting: VecDeque::new(),
                left: MOST,
                refused: 0,
                faults: Vec::new(),
            };
            walk.reach(&self.opened(caller).await.options(), Vec::new());
            while let Some(way) = walk.waiting.pop_front().filter(|_| walk.left > 0) {
                walk.visit(&way).await;
            }
            let Walk { seen, waiting, left, refused, faults, .. } = walk;
            if !faults.is_empty() {
                caller.fail(&format!("the options of the agent have faults:\n{}", Faults(&faults)));
            }
            OptionsReport { states: seen.len(), refused, cut_off: left == 0 || !waiting.is_empty() }
        }
    }
}

/// A value that is set on the way to a state.
#[derive(Clone, PartialEq)]
enum Value {
    Id(String),
    Switch(bool),
}

/// The sets that lead from a new session to a state.
type Way = Vec<(String, Value)>;

struct Walk<'a> {
    agent: &'a TestConnection,
    caller: Caller,
    seen: HashSet<String>,
    waiting: VecDeque<Way>,
    /// The number of sets that are left until the walk is cut off.
    left: usize,
    refused: usize,
    faults: Vec<String>,
}

impl Walk<'_> {
    fn reach(&mut self, options: &Options, way: Way) {
        if self.seen.insert(key(options)) {
            self.waiting.push_back(way);
        }
    }

    async fn visit(&mut self, way: &Way) {
        let mut session = self.led(way).await;
        let Some(options) = session.as_ref().map(|session| session.options()) else { return };
        for (option, value) in choices(&options) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let there = match session.take() {
                Some(there) => there,
                None => match self.led(way).await {
                    Some(there) => there,
                    None => return,
                },
            };
            let mut further = way.clone();
            further.push((option.clone(), value.clone()));
            match self.set(&there, &option, &value).await {
                Ok(after) => {
                    self.reach(&after, further);
                    // Only agents that close sessions are asked to.
                    let _ = there.close().await;
                }
                Err(error) => {
                    self.refusal(&further, &error);
                    if key(&there.options()) != key(&options) {
                        self.fault(&further, "the set was refused, and the options have changed");
                    }
                    session = Some(there);
                }
            }
        }
        if let Some(session) = session {
            let _ = session.close().await;
        }
    }

    /// A new session in the state to which the way leads.
    async fn led(&mut self, way: &Way) -> Option<TestSession> {
        let session = self.agent.opened(self.caller).await;
        for (passed, (option, value)) in way.iter().enumerate() {
            if let Err(error) = self.set(&session, option, value).await {
                self.fault(&way[..=passed], &format!("the value was set before, but not in another session: {error}"));
                return None;
            }
        }
        Some(session)
    }

    async fn set(&self, session: &TestSession, option: &str, value: &Value) -> Result<Options, Error> {
        let setting = async {
            match value {
                Value::Id(id) => session.set_option(option, id.as_str()).await,
                Value::Switch(on) => session.set_option(option, *on).await,
            }
        };
        self.caller.wait("the agent did not answer the set of an option", None, setting).await
    }

    fn refusal(&mut self, way: &[(String, Value)], error: &Error) {
        match error.refusal() {
            Some(refusal) if refusal.code() != acp_peer::Error::INTERNAL_ERROR => self.refused += 1,
            _ => self.fault(way, &error.to_string()),
        }
    }

    fn fault(&mut self, way: &[(String, Value)], text: &str) {
        let way: Vec<_> = way.iter().map(|(option, value)| format!("{option}={value}")).collect();
        self.faults.push(format!("after {}: {text}", way.join(", ")));
    }
}

/// Every value that can be set and is not current.
fn choices(options: &Options) -> Vec<(String, Value)> {
    let of_option = |option: &ConfigOption| {
        let values = match option.current() {
            Some(CurrentValue::Boolean(on)) => vec![Value::Switch(!on)],
            Some(CurrentValue::Id(current)) => {
                let others = option.values().into_iter().filter(|id| *id != current);
                others.map(|id| Value::Id(id.to_owned())).collect()
            }
            None => Vec::new(),
        };
        values.into_iter().map(|value| (option.id().to_owned(), value)).collect::<Vec<_>>()
    };
    options.iter().flat_map(of_option).collect()
}

/// A text that identifies a state: the values, and the lists that hooks may have changed.
fn key(options: &Options) -> String {
    options.iter().map(|option| format!("{} {:?} {:?}\n", option.id(), option.current(), option.values())).collect()
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => write!(f, "`{id}`"),
            Self::Switch(on) => on.fmt(f),
        }
    }
}

struct Faults<'a>(&'a [String]);

impl fmt::Display for Faults<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().take(MOST_FAULTS).try_for_each(|fault| writeln!(f, "- {fault}"))?;
        match self.0.len().saturating_sub(MOST_FAULTS) {
            0 => Ok(()),
            more => writeln!(f, "- and {more} more"),
        }
    }
}
