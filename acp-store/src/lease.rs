//! The right to write a session.

use std::{ops::RangeInclusive, sync::Arc, time::Duration};

use super::{
    error::StoreError,
    owner::{Owner, Sharing},
    time::Timestamp,
};
use crate::values::SessionId;

/// A wish to write a session: for whom, and for how long.
///
/// ```
/// use std::time::Duration;
///
/// use acp_store::{Claim, Owner};
///
/// let owner = Owner::new();
/// let polite = Claim::new(&owner, Duration::from_secs(30));
/// let forced = polite.clone().forced();
/// # let _ = forced;
/// ```
#[derive(Clone, Debug)]
pub struct Claim {
    /// Shared by the clones: a store in memory has it once for many sessions.
    owner: Arc<Owner>,
    time: Duration,
    is_forced: bool,
    /// For so long, the end of a holder's lease says nothing.
    patience: Option<Duration>,
}

impl Claim {
    /// A claim that a living holder refuses. Without a renewal or a commit, the lease ends after `time`.
    pub fn new(owner: &Owner, time: Duration) -> Self {
        Self { owner: Arc::new(owner.clone()), time, is_forced: false, patience: None }
    }

    /// A claim that takes the session from any holder. The holder's next commit is refused with
    /// [`StoreError::LeaseLost`].
    #[must_use]
    pub fn forced(mut self) -> Self {
        self.is_forced = true;
        self
    }

    /// A claim that a living holder refuses although its lease is over: one of a process that is known to live
    /// ([`Owner::is_alive`]), and each one whose lease has ended less than `patience` ago. For work that nobody waits for, such as the
    /// deletion of old sessions: a session at rest is open, and its lease is not renewed.
    #[must_use]
    pub fn patient(mut self, patience: Duration) -> Self {
        self.patience = Some(patience);
        self
    }

    /// The owner of the lease.
    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    pub(super) fn shared_owner(&self) -> &Arc<Owner> {
        &self.owner
    }

    /// How long the lease lasts after the claim, and after each renewal and commit.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Whether the claim takes the session from any holder.
    pub fn is_forced(&self) -> bool {
        self.is_forced
    }

    /// Whether the claim wins against a holder whose lease ends at `until`, and lasts for `time` after each renewal. Each
    /// store asks this function, so that all stores decide in the same way.
    ///
    /// A lease whose end is more than twice `time` away is over, too: the clock has gone back by more than `time` since its last
    /// renewal, and nobody knows when it would end.
    ///
    /// # Errors
    ///
    /// [`StoreError::Held`]: the holder keeps the session.
    pub fn admits(
        &self,
        session: &SessionId,
        holder: &Owner,
        until: Timestamp,
        time: Duration,
        now: Timestamp,
        sharing: Sharing,
    ) -> Result<(), StoreError> {
        let is_over = match self.patience {
            None => until <= now || until > now.after(time.saturating_mul(2)),
            Some(patience) => {
                let is_over = until.after(patience) <= now || until > now.after(time.saturating_mul(2));
                is_over && !holder.is_alive()
            }
        };
        if self.is_forced || *holder == *self.owner || is_over || holder.is_gone(sharing) {
            return Ok(());
        }
        Err(StoreError::Held { session: session.clone(), by: Box::new(holder.clone()), until })
    }
}

/// The right to write a session, until another claim wins. A store hands it out with the next fencing token, and
/// refuses all that comes with an older token.
#[derive(Clone, Debug, PartialEq)]
pub struct Lease {
    session: SessionId,
    token: u64,
    last_seq: u64,
    time: Duration,
}

impl Lease {
    /// A lease, as a store hands it out: with a token above all earlier tokens of the store, and the place of the
    /// session's last entry (0 without entries).
    pub fn new(session: &SessionId, token: u64, last_seq: u64, time: Duration) -> Self {
        Self { session: session.clone(), token, last_seq, time }
    }

    /// The session that the lease is for.
    pub fn session(&self) -> &SessionId {
        &self.session
    }

    /// The fencing token.
    pub fn token(&self) -> u64 {
        self.token
    }

    /// The place of the last entry at the time of the claim, 0 without entries. The next commit begins one above it.
    pub fn last_seq(&self) -> u64 {
        self.last_seq
    }

    /// How long the lease lasts after each renewal and commit.
    pub fn time(&self) -> Duration {
        self.time
    }

    /// Whether a commit adds the entries at these places to a session whose last entry is at `last`. If not, the commit
    /// repeats one that was kept, and adds nothing. Each store asks this function under the lock of the commit, after
    /// it has compared the token.
    ///
    /// # Errors
    ///
    /// [`StoreError::OutOfOrder`]: the entries do not begin behind the last one.
    pub fn adds(&self, last: u64, places: Option<&RangeInclusive<u64>>) -> Result<bool, StoreError> {
        let Some(places) = places else { return Ok(false) };
        if Some(*places.start()) == last.checked_add(1) {
            return Ok(true);
        }
        // Only this lease has written entries above the place at which it began.
        if *places.start() > self.last_seq && *places.end() == last {
            return Ok(false);
        }
        let next = last.saturating_add(1);
        Err(StoreError::OutOfOrder { session: self.session.clone(), next, given: *places.start() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lease_that_ends_later_than_it_can_is_over() {
        let (time, second) = (Duration::from_secs(15), 1_000_000);
        let (claim, holder) = (Claim::new(&Owner::new(), time), Owner::new());
        for (until, is_over) in
            [(-1, true), (0, true), (1, false), (15, false), (16, false), (30, false), (31, true), (3600, true)]
        {
            let (now, until) = (Timestamp::from_micros(0), Timestamp::from_micros(until * second));
            let admitted = claim.admits(&"s".into(), &holder, until, time, now, Sharing::OneMachine);
            assert_eq!(admitted.is_ok(), is_over, "{until}");
        }
    }

    #[test]
    fn a_patient_claim_wins_over_no_process_that_lives_or_may_live() {
        let (second, hour) = (1_000_000, Duration::from_secs(3600));
        let claim = Claim::new(&Owner::new(), Duration::from_secs(15)).patient(hour);
        let wins = |holder: &Owner, until: i64| {
            let (now, until) = (Timestamp::from_micros(0), Timestamp::from_micros(until * second));
            claim.admits(&"s".into(), holder, until, Duration::from_secs(15), now, Sharing::Machines).is_ok()
        };
        let elsewhere = Owner::elsewhere();
        for (until, expected) in [(-4000, true), (-3600, true), (-3599, false), (-1, false), (10, false), (31, true)] {
            assert_eq!(wins(&elsewhere, until), expected, "{until}");
        }
        #[cfg(target_os = "linux")]
        for until in [-4000, 10, 31] {
            assert!(!wins(&Owner::new(), until), "this process lives");
        }
    }

    #[test]
    fn only_what_the_lease_has_written_counts_as_repeated() {
        let lease = Lease::new(&"s".into(), 1, 4, Duration::ZERO);
        assert!(lease.adds(4, Some(&(5..=9))).unwrap());
        assert!(!lease.adds(9, Some(&(5..=9))).unwrap());
        assert!(!lease.adds(9, Some(&(8..=9))).unwrap());
        assert!(!lease.adds(9, None).unwrap());
        for places in [4..=9, 5..=8, 5..=10, 11..=12, 1..=4] {
            assert!(matches!(lease.adds(9, Some(&places)), Err(StoreError::OutOfOrder { next: 10, .. })));
        }
    }
}
