//! A subscriber that keeps events.

use std::{
    fmt::{Debug, Write as _},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use tracing::{
    Event, Level, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

/// The texts of the author's own errors, which no other event repeats.
const ERRORS: &str = "acp_runtime::handler_errors";

/// A subscriber that keeps all events as text.
#[derive(Clone)]
pub(crate) struct Listener {
    pub(crate) most: Level,
    /// Whether it asks for the handlers' errors, or for all else.
    pub(crate) errors: bool,
    pub(crate) told: Arc<Mutex<String>>,
    pub(crate) spans: Arc<AtomicU64>,
}

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, " {field}={value:?}");
    }
}

impl Listener {
    pub(crate) fn new(most: Level) -> Self {
        Self { most, errors: false, told: Arc::default(), spans: Arc::default() }
    }

    fn note(&self, what: &str, metadata: &Metadata<'_>, record: impl FnOnce(&mut dyn Visit)) {
        let mut told = self.told.lock().expect("nobody panics with it");
        let _ = write!(told, "{what} {} {}", metadata.target(), metadata.name());
        record(&mut Fields(&mut told));
        told.push('\n');
    }
}

/// Whether an author's filter for the runtime finds the event. The author writes the name of the crate that he depends
/// on.
fn is_ours(target: &str) -> bool {
    let inner = ["acp_runtime_core", "acp_schema"].iter().any(|name| target.starts_with(name));
    assert!(!inner, "an event has the target {target}, which no author knows");
    target == "acp_runtime" || target.starts_with("acp_runtime::")
}

impl Subscriber for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        let is_asked_for = self.errors == (metadata.target() == ERRORS);
        *metadata.level() <= self.most && is_ours(metadata.target()) && is_asked_for
    }

    fn new_span(&self, attributes: &span::Attributes<'_>) -> span::Id {
        self.note("span", attributes.metadata(), |visit| attributes.record(visit));
        span::Id::from_u64(self.spans.fetch_add(1, Ordering::Relaxed) + 1)
    }

    fn record(&self, _: &span::Id, values: &span::Record<'_>) {
        values.record(&mut Fields(&mut self.told.lock().expect("nobody panics with it")));
    }

    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}

    fn event(&self, event: &Event<'_>) {
        self.note("event", event.metadata(), |visit| event.record(visit));
    }

    fn enter(&self, _: &span::Id) {}

    fn exit(&self, _: &span::Id) {}
}
