//! The work of a session in the foreground, as numbers and a state.

use super::listed::Background;
use crate::{
    dialect::{Activity, State, Stop},
    values::StopReason,
};

/// The work of one session.
#[derive(Default)]
pub(super) struct Foreground {
    /// How much work runs.
    pub(super) works: u32,
    /// How much of it a cancel has reached.
    cancelled: u32,
    /// How many cancels there were.
    pub(super) cancels: u32,
    /// How many questions wait for the user.
    questions: u32,
    /// A question was withdrawn because its work was cancelled: what is said from here on is the end of the work.
    is_ending: bool,
    state: State,
    /// The client was told last that a question blocks the work.
    is_told_blocked: bool,
    /// The work of a prompt has begun, and the client was not told of the state since.
    is_untold: bool,
    /// Why the last work has stopped.
    stop: Option<Stop>,
}

impl Foreground {
    /// What the session does.
    pub(super) fn activity<'a>(&'a self, background: Option<&'a Background>) -> Activity<'a> {
        let stop = self.stop.as_ref().filter(|_| self.state == State::Idle);
        Activity { state: self.state, stop, background: background.and_then(Background::listed) }
    }

    /// Returns whether this is news.
    fn enter(&mut self, state: State) -> bool {
        std::mem::replace(&mut self.state, state) != state
    }

    pub(super) fn begin(&mut self) -> bool {
        (self.works, self.is_ending) = (self.works + 1, false);
        self.enter(State::Running)
    }

    /// Work without a prompt begins. Returns whether the client is to be told: it may know of no work yet, because a prompt was just
    /// inserted.
    pub(super) fn begin_untold(&mut self) -> bool {
        self.begin() || self.is_untold
    }

    /// The prompt of work is a part of the conversation. From here on, the session is told as running.
    pub(super) fn insert(&mut self) {
        self.is_untold |= self.begin();
    }

    /// A prompt joins the work that runs. If it comes too late, it is work of its own; returns true then.
    pub(super) fn join(&mut self) -> bool {
        let is_late = self.works == 0;
        if is_late {
            self.insert();
        }
        is_late
    }

    /// The work of a prompt begins. Returns whether this is news.
    pub(super) fn tell_inserted(&mut self) -> bool {
        self.is_untold
    }

    /// The state is about to be told.
    pub(super) fn is_told(&mut self) {
        self.is_untold = false;
        self.is_told_blocked = self.state == State::RequiresAction;
    }

    /// Whether questions block all work, as far as one can know: a question blocks one work.
    fn is_blocked(&self) -> bool {
        self.works > 0 && self.questions >= self.works
    }

    /// A cancel has reached all work that runs.
    pub(super) fn cancel(&mut self) {
        (self.cancelled, self.cancels) = (self.works, self.cancels.wrapping_add(1));
    }

    /// Counts the end of work. Returns why the session is idle now, if it is.
    fn stopped(&mut self, stop: Stop) -> Option<Stop> {
        let says_so = matches!(stop, Stop::Reason(StopReason::Cancelled, _));
        // Work that a cancel reaches when it is done, and before this is told, is cancelled, too.
        let is_cancelled = self.cancelled > 0 && (says_so || self.cancelled == self.works);
        self.works = self.works.saturating_sub(1);
        if !is_cancelled {
            return (self.works == 0).then_some(stop);
        }
        self.cancelled -= 1;
        let stop = if says_so { stop } else { Stop::Reason(StopReason::Cancelled, None) };
        // Other work may have begun since the cancel. The client learns first that the cancelled work has ended.
        (self.cancelled == 0).then_some(stop)
    }

    /// Returns whether this is news. If other work goes on, [`go_on_behind`](Self::go_on_behind) tells of it.
    pub(super) fn end(&mut self, stop: Stop) -> bool {
        match self.stopped(stop) {
            Some(stop) => {
                self.stop = Some(stop);
                self.enter(State::Idle)
            }
            None => self.is_blocked() && self.enter(State::RequiresAction),
        }
    }

    /// The session is over, and with it the work that has begun meanwhile.
    pub(super) fn leave(&mut self) -> bool {
        self.stop = Some(Stop::Reason(StopReason::Cancelled, None));
        self.state != State::Idle && self.enter(State::Idle)
    }

    /// Work goes on that began behind a cancel, and the end of the cancelled work is told. Returns whether this is news.
    pub(super) fn go_on_behind(&mut self) -> bool {
        let state = if self.is_blocked() { State::RequiresAction } else { State::Running };
        self.works > 0 && self.state == State::Idle && self.enter(state)
    }

    pub(super) fn ask(&mut self) -> bool {
        self.questions += 1;
        self.is_blocked() && self.enter(State::RequiresAction)
    }

    /// A question is answered, or nobody waits for its answer any more.
    pub(super) fn answer(&mut self, goes_on: bool) -> bool {
        self.questions = self.questions.saturating_sub(1);
        self.is_ending |= !goes_on;
        goes_on && !self.is_blocked() && self.go_on()
    }

    /// Whether a question blocks the work, and an answer may let it go on.
    pub(super) fn may_go_on(&self) -> bool {
        self.is_told_blocked && !self.is_ending
    }

    /// Work goes on that a question has blocked. A prompt may have been inserted meanwhile, which is told later.
    pub(super) fn go_on(&mut self) -> bool {
        let is_news = self.state == State::RequiresAction && self.enter(State::Running);
        is_news || self.is_told_blocked && self.state == State::Running
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(foreground: &mut Foreground, reason: StopReason) -> Option<StopReason> {
        let is_told = foreground.end(Stop::Reason(reason, None));
        match (is_told, foreground.activity(None).stop) {
            (true, Some(Stop::Reason(reason, _))) => Some(*reason),
            _ => None,
        }
    }

    #[test]
    fn the_end_of_all_cancelled_work_is_told_once_and_other_work_goes_on() {
        let mut foreground = Foreground::default();
        assert!(foreground.begin() && !foreground.begin());
        foreground.cancel();
        assert!(!foreground.begin());
        assert_eq!(end(&mut foreground, StopReason::Cancelled), None);
        assert_eq!(end(&mut foreground, StopReason::Cancelled), Some(StopReason::Cancelled));
        assert!(foreground.go_on_behind() && !foreground.go_on_behind());
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::EndTurn));
        assert!(!foreground.go_on_behind());
    }

    #[test]
    fn work_that_is_done_when_a_cancel_comes_is_told_as_cancelled() {
        let mut foreground = Foreground::default();
        foreground.begin();
        foreground.cancel();
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::Cancelled));
        foreground.begin();
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::EndTurn));
        foreground.cancel();
        foreground.begin();
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::EndTurn));
    }

    #[test]
    fn a_session_that_is_over_leaves_no_work() {
        let mut foreground = Foreground::default();
        assert!(!foreground.leave());
        foreground.begin();
        assert!(foreground.leave() && !foreground.leave());
    }

    #[test]
    fn a_prompt_that_joins_no_work_any_more_is_work_of_its_own() {
        let mut foreground = Foreground::default();
        foreground.begin();
        assert!(!foreground.join());
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::EndTurn));
        assert!(foreground.join() && foreground.tell_inserted());
        assert_eq!(end(&mut foreground, StopReason::EndTurn), Some(StopReason::EndTurn));
    }

    #[test]
    fn work_that_begins_when_a_prompt_was_inserted_tells_of_both() {
        let mut foreground = Foreground::default();
        foreground.insert();
        assert!(foreground.begin_untold());
        foreground.is_told();
        assert!(!foreground.tell_inserted() && !foreground.begin_untold());
    }

    /// The prompt has changed the state, and the client has not heard of it.
    #[test]
    fn work_goes_on_behind_a_question_when_a_prompt_was_just_inserted() {
        let mut foreground = Foreground::default();
        foreground.begin();
        assert!(foreground.ask());
        foreground.is_told();
        assert!(foreground.may_go_on());
        foreground.insert();
        assert!(foreground.may_go_on() && foreground.answer(true));
        foreground.is_told();
        assert!(!foreground.may_go_on() && !foreground.go_on() && !foreground.tell_inserted());
    }

    #[test]
    fn the_work_of_a_prompt_is_told_once() {
        let mut foreground = Foreground::default();
        foreground.insert();
        assert_eq!(foreground.activity(None).state, State::Running);
        assert!(foreground.tell_inserted());
        // An update of the background has told it.
        foreground.is_told();
        assert!(!foreground.tell_inserted());
    }
}
