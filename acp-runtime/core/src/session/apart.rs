//! The parts that only some sessions have. Every other session pays one word for them.

use super::commands::{DeclaredCommand, Offered};

/// The parts of one session, set where the session is made.
pub(crate) struct Apart {
    /// For an agent that declares commands.
    pub(super) offered: Option<Offered>,
}

impl Apart {
    /// No part yet.
    pub(crate) fn new() -> Self {
        Self { offered: None }
    }

    /// The session offers these commands.
    pub(crate) fn offering(mut self, declared: &'static [DeclaredCommand]) -> Self {
        self.offered = Some(Offered::new(declared));
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
