//! Messages that are said one after the other leave together: a reader is woken when the turns that run have said what they say now.
//! Each piece costs frames, wake-ups and a write, which is more than a message costs.
//!
//! An answer waits for nobody. But the one of a load goes over the stream of the connection, and the history over that of the session: so
//! the readers of the sessions are woken before that of their connection.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicU64, AtomicUsize, Ordering},
};

use tokio::sync::Notify;

/// Readers wait while turns still say something, at most this number of rounds of the runtime, and less after several rounds without a
/// message. One such round proves nothing: of the tasks that yield, the last one is woken first.
const ROUNDS: usize = 32;
const IDLE_ROUNDS: usize = 2;

/// No reader waits for many more messages than this.
const ENOUGH: usize = 64;

/// Whoever is woken a moment later.
pub(crate) trait Gathered: Send + Sync {
    fn place(&self) -> Place;

    fn wake_now(&self);
}

/// Which stream it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The number of its connection.
    pub(crate) connection: u64,
    /// It is the one of a session.
    pub(crate) is_of_session: bool,
}

/// The streams of an endpoint that have something to read.
#[derive(Default)]
pub(crate) struct Gather {
    dirty: Mutex<Dirty>,
    /// How many messages were said. It only grows.
    said: AtomicU64,
    /// How many connections there were.
    connections: AtomicU64,
    added: Notify,
}

#[derive(Default)]
struct Dirty {
    streams: Vec<Arc<dyn Gathered>>,
    /// Those with a message that somebody waits for, or with many.
    urgent: Vec<Arc<dyn Gathered>>,
}

/// How many messages have come to a stream since its reader was woken.
#[derive(Default)]
pub(crate) struct Meantime(AtomicUsize);

impl Gather {
    /// The number of another connection.
    pub(crate) fn connection(&self) -> u64 {
        self.connections.fetch_add(1, Ordering::Relaxed)
    }

    /// There is a message, or the end, in a stream. The caller may hold the lock of the messages.
    pub(crate) fn add<S: Gathered + 'static>(&self, stream: &Arc<S>, meantime: &Meantime, hurries: bool) {
        self.said.fetch_add(1, Ordering::Relaxed);
        let before = meantime.0.fetch_add(1, Ordering::AcqRel);
        let is_urgent = hurries || before == ENOUGH;
        if is_urgent {
            self.dirty().urgent.push(stream.clone());
        } else if before == 0 {
            self.dirty().streams.push(stream.clone());
        }
        if is_urgent || before == 0 {
            self.added.notify_one();
        }
    }

    /// Wakes readers, for ever.
    pub(crate) async fn run(&self) {
        loop {
            self.added.notified().await;
            self.settle().await;
            let streams = std::mem::take(&mut self.dirty().streams);
            streams.iter().for_each(|stream| stream.wake_now());
        }
    }

    /// Waits until turns say nothing more. Urgent streams are woken meanwhile.
    async fn settle(&self) {
        let (mut before, mut idle) = (self.said.load(Ordering::Relaxed), 0);
        for _ in 0..ROUNDS {
            tokio::task::yield_now().await;
            self.wake_urgent().await;
            let now = self.said.load(Ordering::Relaxed);
            idle = if now == before { idle + 1 } else { 0 };
            if idle == IDLE_ROUNDS {
                return;
            }
            before = now;
        }
    }

    async fn wake_urgent(&self) {
        let (at_once, behind) = {
            let mut dirty = self.dirty();
            if dirty.urgent.is_empty() {
                return;
            }
            let urgent = std::mem::take(&mut dirty.urgent).into_iter();
            let (mut at_once, behind): (Vec<_>, Vec<_>) = urgent.partition(|stream| stream.place().is_of_session);
            let is_before = |stream: &mut Arc<dyn Gathered>| {
                let Place { connection, is_of_session } = stream.place();
                is_of_session && behind.iter().any(|own| own.place().connection == connection)
            };
            at_once.extend(dirty.streams.extract_if(.., is_before));
            (at_once, behind)
        };
        at_once.iter().for_each(|stream| stream.wake_now());
        if !at_once.is_empty() && !behind.is_empty() {
            tokio::task::yield_now().await;
        }
        behind.iter().for_each(|stream| stream.wake_now());
    }

    fn dirty(&self) -> MutexGuard<'_, Dirty> {
        self.dirty.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Meantime {
    /// The reader is woken.
    pub(crate) fn is_over(&self) {
        self.0.store(0, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Reader {
        place: Place,
        meantime: Meantime,
        woken: AtomicUsize,
        /// How many readers of its connection were woken before it.
        before: AtomicUsize,
        all: Arc<AtomicUsize>,
    }

    impl Gathered for Reader {
        fn place(&self) -> Place {
            self.place
        }

        fn wake_now(&self) {
            self.meantime.is_over();
            self.woken.fetch_add(1, Ordering::Relaxed);
            self.before.store(self.all.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        }
    }

    /// A gather that runs, with a reader. It says something, and lets the others run.
    struct Turn {
        gather: Arc<Gather>,
        reader: Arc<Reader>,
    }

    impl Turn {
        fn new() -> Self {
            let gather = Arc::<Gather>::default();
            let runs = gather.clone();
            tokio::spawn(async move { runs.run().await });
            Self { gather, reader: Arc::default() }
        }

        fn beside(&self) -> Self {
            Self { gather: self.gather.clone(), reader: Arc::default() }
        }

        /// The stream of a session of the first connection, or the own one of a connection.
        fn of(&self, place: Place) -> Self {
            let reader = Reader { place, all: self.reader.all.clone(), ..Reader::default() };
            Self { gather: self.gather.clone(), reader: Arc::new(reader) }
        }

        fn add(&self, hurries: bool) {
            self.gather.add(&self.reader, &self.reader.meantime, hurries);
        }

        async fn say(&self, count: usize) {
            for _ in 0..count {
                self.add(false);
                tokio::task::yield_now().await;
            }
        }

        fn woken(&self) -> usize {
            self.reader.woken.load(Ordering::Relaxed)
        }
    }

    async fn rest() {
        for _ in 0..IDLE_ROUNDS + 2 {
            tokio::task::yield_now().await;
        }
    }

    #[tokio::test]
    async fn a_reader_is_woken_once_for_what_a_turn_says_in_a_row() {
        let turn = Turn::new();
        for round in 1..4 {
            turn.say(ROUNDS / 2).await;
            assert_eq!(turn.woken(), round - 1, "the turn goes on");
            rest().await;
            assert_eq!(turn.woken(), round);
        }
    }

    #[tokio::test]
    async fn a_turn_without_an_end_is_read_meanwhile() {
        let turn = Turn::new();
        turn.say(4 * ROUNDS).await;
        assert!((2..=4).contains(&turn.woken()), "{}", turn.woken());
    }

    #[tokio::test]
    async fn an_answer_and_many_messages_wait_for_nobody() {
        let turn = Turn::new();
        let (asked, long) = (turn.beside(), turn.beside());
        turn.say(2).await;
        asked.add(true);
        (0..=ENOUGH).for_each(|_| long.add(false));
        turn.say(2).await;
        assert_eq!((turn.woken(), asked.woken(), long.woken()), (0, 1, 1));
    }

    #[tokio::test]
    async fn an_answer_of_a_connection_leaves_behind_what_its_sessions_have_said() {
        let turn = Turn::new();
        let of = |connection, is_of_session| turn.of(Place { connection, is_of_session });
        let (session, own, other) = (of(1, true), of(1, false), of(2, true));
        session.add(false);
        other.add(false);
        own.add(true);
        turn.say(4).await;
        assert_eq!((session.woken(), own.woken(), other.woken()), (1, 1, 0));
        let before = |turn: &Turn| turn.reader.before.load(Ordering::Relaxed);
        assert!(before(&session) < before(&own), "the history comes first");
    }
}
