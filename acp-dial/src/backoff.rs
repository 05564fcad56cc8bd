//! The pauses between attempts: each is twice as long as the one before it, and a part of it is random, so that the clients of a server
//! that was away do not come back all at once.

use std::{
    hash::{BuildHasher, RandomState},
    time::Duration,
};

/// How often a client tries to reach its server again, and how long it waits between two attempts.
///
/// The first pause is at most `first` long, and each further one at most twice as long as the one before it, up to `longest`. A random part of up
/// to one half is taken off. The count begins again when the server was reached.
///
/// ```
/// use std::time::Duration;
///
/// use acp_dial::Backoff;
///
/// let patient = Backoff::new().longest(Duration::from_secs(30)).attempts(100);
/// # let _ = patient;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backoff {
    /// The first pause: 100 ms.
    pub first: Duration,
    /// The longest pause: 10 s.
    pub longest: Duration,
    /// How many attempts there are before the connection is given up: 12, which take about a minute.
    pub attempts: u32,
}

impl Backoff {
    /// The defaults.
    pub fn new() -> Self {
        Self { first: Duration::from_millis(100), longest: Duration::from_secs(10), attempts: 12 }
    }

    /// Sets [`Self::first`](field@Self::first).
    #[must_use]
    pub fn first(mut self, pause: Duration) -> Self {
        self.first = pause;
        self
    }

    /// Sets [`Self::longest`](field@Self::longest).
    #[must_use]
    pub fn longest(mut self, pause: Duration) -> Self {
        self.longest = pause;
        self
    }

    /// Sets [`Self::attempts`](field@Self::attempts).
    #[must_use]
    pub fn attempts(mut self, count: u32) -> Self {
        self.attempts = count;
        self
    }

    pub(crate) fn begin(&self) -> Attempts<'_> {
        Attempts { backoff: self, made: 0 }
    }
}

impl Default for Backoff {
    fn default() -> Self {
        Self::new()
    }
}

/// The attempts since the server was reached last.
pub(crate) struct Attempts<'b> {
    backoff: &'b Backoff,
    made: u32,
}

impl Attempts<'_> {
    /// The server was reached.
    pub(crate) fn reset(&mut self) {
        self.made = 0;
    }

    /// Waits for the next attempt, for as long as the server says if it says so. Returns false if there are no more.
    pub(crate) async fn wait(&mut self, server_says: Option<Duration>) -> bool {
        let Some(pause) = self.pause() else { return false };
        // A server that wants a client to come back tomorrow has none today.
        let longest = self.backoff.longest.max(Duration::from_secs(30));
        tokio::time::sleep(server_says.map_or(pause, |says| says.min(longest))).await;
        true
    }

    fn pause(&mut self) -> Option<Duration> {
        if self.made >= self.backoff.attempts {
            return None;
        }
        let whole = self.backoff.first.saturating_mul(1 << self.made.min(20)).min(self.backoff.longest);
        self.made += 1;
        // The standard library seeds each of its hashers anew: that is random enough for a pause.
        let random = RandomState::new().hash_one(self.made) % 1024;
        Some(whole - whole / 2 * u32::try_from(random).expect("below 1024") / 1024)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_and_end() {
        let backoff = Backoff::new().longest(Duration::from_secs(1)).attempts(40);
        let mut attempts = backoff.begin();
        let mut whole = Duration::from_millis(100);
        for _ in 0..40 {
            let pause = attempts.pause().unwrap();
            assert!(pause <= whole && pause >= whole / 2, "{pause:?} of {whole:?}");
            whole = (whole * 2).min(Duration::from_secs(1));
        }
        assert_eq!(attempts.pause(), None);
        attempts.reset();
        assert!(attempts.pause().unwrap() <= Duration::from_millis(100));
    }

    #[test]
    fn two_clients_do_not_come_back_at_the_same_time() {
        let backoff = Backoff::new().first(Duration::from_secs(1));
        let pauses: std::collections::HashSet<_> = (0..20).map(|_| backoff.begin().pause()).collect();
        assert!(pauses.len() > 1, "{pauses:?}");
    }
}
