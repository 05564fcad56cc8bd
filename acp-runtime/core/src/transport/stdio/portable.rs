//! Standard input and output of systems where nothing better is known: a thread each, over the standard library.

use std::io;

use super::super::{Limits, Outbox, thread};
use super::{Input, STDOUT};

pub(super) fn ends(limits: &Limits) -> io::Result<(Input, Outbox)> {
    Ok((Input::Thread(thread::reader(io::stdin())?), thread::outbox(limits, STDOUT, io::stdout())?))
}
