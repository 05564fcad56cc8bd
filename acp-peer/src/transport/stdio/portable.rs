//! Standard input and output for systems without the better calls. Each has a thread that uses the standard library.

use std::io;

use super::super::{Limits, Outbox, thread};
use super::{Input, STDOUT};

pub(super) fn ends(limits: &Limits) -> io::Result<(Input, Outbox)> {
    Ok((Input::Thread(thread::reader(io::stdin())?), thread::outbox(limits, STDOUT, io::stdout())?))
}
