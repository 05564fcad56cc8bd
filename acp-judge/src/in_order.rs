//! Work in parts by several threads: what each part needs first is done beside the others, and then the parts have their turns, in order.
//!
//! So a thread reads a part, and has what it read to itself until its turn is over: nothing is sent between threads, and each frees what it
//! has allocated.

use std::{
    num::NonZero,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    thread,
};

/// More threads than this find too little to do beside the turns.
const THREADS: usize = 4;

/// Where the parts come from.
pub(crate) trait Parts: Send {
    /// A part. Each thread has one, and fills it again and again.
    type Part: Default;

    /// Fills a part with what comes next. Returns whether there was anything.
    fn next(&mut self, part: &mut Self::Part) -> bool;
}

struct Turns<S> {
    state: Mutex<Turning<S>>,
    has_passed: Condvar,
}

struct Turning<S> {
    state: S,
    /// The number of the part whose turn it is.
    due: usize,
    /// A thread has panicked, and there are no more turns.
    is_over: bool,
}

/// The turn of a part. It has to be taken.
#[must_use]
pub(crate) struct Turn<'t, S> {
    turns: &'t Turns<S>,
    number: usize,
}

impl<S> Turn<'_, S> {
    /// Waits until the parts before this one have had their turns.
    pub(crate) fn take(self, act: impl FnOnce(&mut S)) {
        let waits = |turning: &mut Turning<S>| turning.due != self.number && !turning.is_over;
        let turning = self.turns.has_passed.wait_while(lock(&self.turns.state), waits);
        let mut turning = turning.unwrap_or_else(PoisonError::into_inner);
        if !turning.is_over {
            act(&mut turning.state);
            turning.due += 1;
            self.turns.has_passed.notify_all();
        }
    }
}

impl<S> Drop for Turn<'_, S> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.turns.state).is_over = true;
            self.turns.has_passed.notify_all();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many threads are worth their start for long work.
pub(crate) fn threads() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get).min(THREADS)
}

/// Works through all parts. `work` does for a part what needs no order, and then takes the turn.
pub(crate) fn in_order<P: Parts, S: Send>(
    threads: usize,
    parts: P,
    state: S,
    work: impl Fn(&mut P::Part, Turn<'_, S>) + Sync,
) -> S {
    let turns = Turns { state: Mutex::new(Turning { state, due: 0, is_over: false }), has_passed: Condvar::new() };
    let parts = Mutex::new((0, parts));
    let next = |part: &mut P::Part| {
        let mut parts = lock(&parts);
        let (number, parts) = &mut *parts;
        parts.next(part).then(|| {
            *number += 1;
            Turn { turns: &turns, number: *number - 1 }
        })
    };
    let all = || {
        let mut part = P::Part::default();
        while let Some(turn) = next(&mut part) {
            work(&mut part, turn);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(all);
        }
        all();
    });
    turns.state.into_inner().unwrap_or_else(PoisonError::into_inner).state
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Numbers(std::ops::Range<usize>);

    impl Parts for Numbers {
        type Part = usize;

        fn next(&mut self, part: &mut usize) -> bool {
            self.0.next().map(|number| *part = number).is_some()
        }
    }

    #[test]
    fn the_turns_have_the_order_of_the_parts() {
        for threads in [1, 2, 7] {
            let seen = in_order(threads, Numbers(0..1000), Vec::new(), |part, turn| {
                let part = *part;
                if part % 3 == 0 {
                    thread::yield_now(); // so that others are ready before
                }
                turn.take(|seen| seen.push(part));
            });
            assert!(seen.iter().copied().eq(0..1000), "{threads} threads: {seen:?}");
        }
    }

    #[test]
    fn a_panic_ends_the_work_of_all() {
        for is_in_turn in [true, false] {
            let work = || {
                in_order(4, Numbers(0..1000), (), |part, turn| {
                    assert!(*part != 500 || is_in_turn, "before the turn");
                    turn.take(|()| assert!(*part != 500, "in the turn"));
                })
            };
            assert!(std::panic::catch_unwind(work).is_err());
        }
    }
}
