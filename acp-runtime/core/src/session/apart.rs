//! The parts that only some sessions have. Every other session pays one word for them.

use std::sync::Arc;

use super::{
    commands::{DeclaredCommand, Offered},
    recorder::Recorder,
};

/// The parts of one session, set where the session is made.
pub(crate) struct Apart {
    /// For an agent that declares commands.
    pub(super) offered: Option<Offered>,
    /// For a session that a store keeps.
    pub(super) recorder: Option<Arc<dyn Recorder>>,
}

impl Apart {
    /// No part yet.
    pub(crate) fn new() -> Self {
        Self { offered: None, recorder: None }
    }

    /// The session offers these commands.
    pub(crate) fn offering(mut self, declared: &'static [DeclaredCommand]) -> Self {
        self.offered = Some(Offered::new(declared));
        self
    }

    /// What the session says is noted here.
    pub(crate) fn recorded_by(mut self, recorder: Arc<dyn Recorder>) -> Self {
        self.recorder = Some(recorder);
        self
    }
}

/// The place of these parts. It is empty in most sessions.
pub(crate) type Place = Option<Box<Apart>>;

#[cfg(test)]
mod tests {
    use super::super::handle::Inner;

    #[test]
    fn a_session_without_these_parts_takes_nine_words() {
        assert!(size_of::<Inner<String>>() <= 9 * size_of::<u64>());
    }
}
