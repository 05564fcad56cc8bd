//! The bounds of a connection.

use std::{ops::RangeInclusive, time::Duration};

use crate::{
    schema::Method,
    transport::Limits,
    values::{Implementation, methods},
};

/// The bounds of a connection, and the client's name. The defaults suit an editor on a developer's machine.
/// `Duration::MAX` is no limit.
///
/// Every wait for the agent has a bound, with three exceptions. By default, a [turn](field@Self::turn_silence) may be
/// silent for ever. A [prompt](crate::Session::prompt) or a load waits for the session's turn or load before it, as long
/// as that runs. And the end of a turn waits for the client's own [handlers](crate::handlers) of its updates.
///
/// ```
/// use std::time::Duration;
///
/// use acp_client::ConnectOptions;
///
/// let options = ConnectOptions::new().request_timeout(Duration::from_secs(10));
/// # let _ = options;
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ConnectOptions {
    /// The memory bounds for single messages and for unsent messages.
    pub limits: Limits,
    /// If the updates that nobody has taken are larger than this, the client stops reading, and the agent must wait.
    /// The default is 1 MiB.
    pub unread_soft_bytes: usize,
    /// The bound on such updates while a caller waits for an answer, because the answer may come after them. A turn
    /// that sends more ends with an error and is cancelled. The default is 32 MiB.
    pub unread_hard_bytes: usize,
    /// The time limit for `initialize`. The default is long, 120 s, because some agents install themselves first.
    pub initialize_timeout: Duration,
    /// The time limit for a request other than a turn, for the silence of a session that is loading, and for an agent to
    /// read so much of its input that a prompt can be sent. The default is 60 s.
    pub request_timeout: Duration,
    /// The time limit for `authenticate`, which may wait for people. The default is 10 minutes.
    pub authenticate_timeout: Duration,
    /// The time for which a turn may be silent. It does not count while the agent waits for an answer of this client, such
    /// as a permission. The default is no limit, because an agent may think or test for hours. The death of the agent
    /// ends a turn at once.
    pub turn_silence: Option<Duration>,
    /// The time limit for an agent to answer a cancelled turn. The default is 10 s. An answer that was read counts, also
    /// if updates before it wait for the client's handlers.
    pub cancel_timeout: Duration,
    /// The time for an agent to end when its input is closed. After it is told to end, it gets the same time again. The
    /// default is 2 s.
    pub grace: Duration,
    /// The client's name and version in `initialize`.
    pub info: Implementation,
    /// The versions of the protocol that the client may speak. It asks for the highest of them, and goes on with the one that
    /// the agent answers. The default is all that are compiled: version 1, and version 2 with the feature `v2`.
    ///
    /// `versions(1..=1)` keeps a client to version 1 although a dependency turns the feature on:
    ///
    /// ```
    /// let options = acp_client::ConnectOptions::new().versions(1..=1);
    /// # let _ = options;
    /// ```
    pub versions: RangeInclusive<u16>,
}

impl ConnectOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            limits: Limits::new(),
            unread_soft_bytes: 1024 * 1024,
            unread_hard_bytes: 32 * 1024 * 1024,
            initialize_timeout: Duration::from_secs(120),
            request_timeout: Duration::from_secs(60),
            authenticate_timeout: Duration::from_secs(600),
            turn_silence: None,
            cancel_timeout: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            info: Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION")),
            versions: 1..=u16::MAX,
        }
    }

    /// Sets [`Self::turn_silence`](field@Self::turn_silence).
    ///
    /// A duration, or `None` for no limit, which is the default.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use acp_client::ConnectOptions;
    ///
    /// // For a job at night that nobody watches.
    /// let bounded = ConnectOptions::new()
    ///     .initialize_timeout(Duration::from_secs(20))
    ///     .request_timeout(Duration::from_secs(10))
    ///     .turn_silence(Duration::from_secs(15 * 60))
    ///     .unread_hard_bytes(8 * 1024 * 1024);
    /// // For an editor whose user decides.
    /// let patient = bounded.clone().turn_silence(None);
    /// assert_eq!((bounded.turn_silence, patient.turn_silence), (Some(Duration::from_secs(900)), None));
    /// ```
    #[must_use]
    pub fn turn_silence(mut self, turn_silence: impl Into<Option<Duration>>) -> Self {
        self.turn_silence = turn_silence.into();
        self
    }

    /// The time limit of a method. Turns and loads have none here, because their user decides how long they may take.
    pub(crate) fn timeout(&self, method: &str) -> Duration {
        match method {
            methods::Initialize::NAME => self.initialize_timeout,
            methods::Authenticate::NAME => self.authenticate_timeout,
            _ => self.request_timeout,
        }
    }
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self::new()
    }
}

macro_rules! setters {
    ($($(#[$meta:meta])* $name:ident: $ty:ty,)*) => {
        impl ConnectOptions {
            $(
                #[doc = concat!("Sets [`Self::", stringify!($name), "`](field@Self::", stringify!($name), ").")]
                #[doc = ""]
                $(#[$meta])*
                #[must_use]
                pub fn $name(mut self, $name: $ty) -> Self {
                    self.$name = $name;
                    self
                }
            )*
        }
    };
}

setters! {
    /// See there for the units.
    limits: Limits,
    /// In bytes, of the JSON text of updates; 1 MiB by default.
    unread_soft_bytes: usize,
    /// In bytes, of the JSON text of updates; 32 MiB by default.
    unread_hard_bytes: usize,
    /// 120 s by default; `Duration::MAX` is no limit.
    initialize_timeout: Duration,
    /// 60 s by default; `Duration::MAX` is no limit.
    request_timeout: Duration,
    /// 10 minutes by default; `Duration::MAX` is no limit.
    authenticate_timeout: Duration,
    /// 10 s by default; `Duration::MAX` is no limit.
    cancel_timeout: Duration,
    /// 2 s by default, and as long again before the process is killed.
    grace: Duration,
    /// By default, the name and version of this crate: give those of your program.
    info: Implementation,
    /// All that are compiled by default.
    versions: RangeInclusive<u16>,
}
