//! Answers for which no request waits: their ids are of no request, or they come twice, or too late. The client library ignores them, and only its
//! events tell of them.

use std::{
    fmt::Debug,
    sync::atomic::{AtomicUsize, Ordering},
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    level_filters::LevelFilter,
    span,
};

/// The message of the event.
const IGNORED: &str = "ignored an answer to no open request";

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Counts them from here on.
pub(super) fn count() {
    // Where there is a subscriber already, it is told of them.
    let _ = tracing::subscriber::set_global_default(Counter);
}

/// What there was of them, in a line.
pub(super) fn told() -> Option<String> {
    let (answers, why) = match COUNT.load(Ordering::Relaxed) {
        0 => return None,
        1 => ("an answer".to_owned(), "its id is wrong, or it came late"),
        count => (format!("{count} answers"), "their ids are wrong, or they came late"),
    };
    Some(format!("the agent has sent {answers} for which no request waits: {why} (`acp record` keeps all messages)"))
}

struct Counter;

impl Subscriber for Counter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.is_event() && *metadata.level() == Level::DEBUG && metadata.target() == acp_peer::TARGET
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Message);
    }

    // There are no spans, because none is enabled.
    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}

struct Message;

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" && format!("{value:?}") == IGNORED {
            COUNT.fetch_add(1, Ordering::Relaxed);
        }
    }
}
