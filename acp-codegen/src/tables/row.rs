//! One method in several versions.

use crate::model::Method;

/// A method, in the form of each version that has it.
#[derive(Debug)]
pub(super) struct Row(Vec<(u8, Method)>);

impl Row {
    pub(super) fn new(version: u8, method: Method) -> Self {
        Self(vec![(version, method)])
    }

    pub(super) fn add(&mut self, version: u8, method: Method) {
        self.0.push((version, method));
    }

    /// The method of each version.
    pub(super) fn methods(&self) -> &[(u8, Method)] {
        &self.0
    }

    /// The method in the lowest version.
    pub(super) fn first(&self) -> &Method {
        &self.0[0].1
    }

    pub(super) fn versions(&self) -> impl Iterator<Item = u8> {
        self.0.iter().map(|(version, _)| *version)
    }

    /// Whether no version has the method in its stable schema.
    pub(super) fn is_draft(&self) -> bool {
        self.0.iter().all(|(_, method)| method.draft)
    }

    pub(super) fn is(&self, other: &Method) -> bool {
        let key = |method: &Method| (method.wire.clone(), method.side, method.kind);
        key(self.first()) == key(other)
    }
}
