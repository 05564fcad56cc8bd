//! One truth for each session: whatever opens, ends or changes it, and in whatever order that arrives, there is one state of
//! its options, one turn at a time, and one end.

mod agent;
mod changing;
mod ending;
mod reopening;
mod silence;
