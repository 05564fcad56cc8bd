//! The agent's messages about each session. The reader of messages puts them in; the holders of sessions and turns take
//! them out.
//!
//! # What holds, with its tests
//!
//! - *One receiver.* An update has one place (`client::stress::no_update_is_lost_or_misplaced_on_four_threads`), and the
//!   end of its turn follows it
//!   (`client::handlers::updates::an_update_goes_to_its_handler_alone_and_before_the_end_of_its_turn`).
//! - *A question comes behind its updates*, if somebody reads them
//!   (`client::questions::order::a_question_comes_behind_the_updates_before_it_on_threads`). Reading and asking do not
//!   wait for each other (`client::questions::waits::a_turn_that_nobody_reads_holds_no_question`,
//!   `client::questions::waits::a_loop_that_waits_for_the_answer_gets_it`).
//! - *Every wait ends*, except those that `ConnectOptions` names. Each mistake of an agent ends in an error that names
//!   its cause. The package `acp-client/misbehave` tests this with processes, for example
//!   `misbehave::turns::a_cancel_that_is_not_answered_ends_the_turn_when_its_time_is_over`. The test `bounds` does it in
//!   memory, with the clock stopped.
//! - *No turn stops another one*, even if nobody reads it (`client::stress::a_turn_that_nobody_takes_holds_up_no_other`).
//! - *Bounded.* Above the soft bound the reader stops. While a request waits for an answer behind unread updates, the
//!   hard bound ends the turn that sends them
//!   (`misbehave::turns::a_turn_that_floods_ends_when_an_answer_behind_it_is_awaited`).

pub(crate) mod asked;
pub(crate) mod cancel;
pub(crate) mod entry;
mod folders;
mod handled;
pub(crate) mod held;
pub(crate) mod intake;
pub(crate) mod item;
pub(crate) mod opening;
mod outside;
pub(crate) mod question;
mod reader;
pub(crate) mod settings;
pub(crate) mod table;
