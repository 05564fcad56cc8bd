//! Each session has one state of its options, one turn at a time, and one end. This is so for every request that opens,
//! ends or changes the session, and for every order in which these requests arrive.

mod agent;
mod changing;
mod ending;
mod reopening;
mod silence;
