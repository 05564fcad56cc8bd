//! Who gives a session the part that its handlers share: the handler that opens it, or the default of the type.

use acp_handlers::{Fallible, Itself, Plain, Short};

use super::answer::WithId;

/// Marks an answer with a shared part.
pub struct WithShared;

/// A shared part that a handler gives the session, or that has a default. `Shape` is the shape of the handler's answer.
#[diagnostic::on_unimplemented(
    message = "this handler gives the session no `{Self}`, and `{Self}` has no default",
    label = "the session, without what its handlers share",
    note = "help: return `(session, shared)` or `OpenedSession::new(session).shared(shared)`, or let `{Self}` implement `Default`"
)]
pub trait GivenBy<Shape> {}

#[diagnostic::do_not_recommend]
impl<S> GivenBy<WithShared> for S {}

#[diagnostic::do_not_recommend]
impl<S: HasDefault> GivenBy<Short> for S {}

#[diagnostic::do_not_recommend]
impl<S: HasDefault> GivenBy<Itself> for S {}

#[diagnostic::do_not_recommend]
impl<S: HasDefault> GivenBy<WithId> for S {}

#[diagnostic::do_not_recommend]
impl<S: GivenBy<Shape>, Shape> GivenBy<Fallible<Shape>> for S {}

#[diagnostic::do_not_recommend]
impl<S: GivenBy<Shape>, Shape> GivenBy<Plain<Shape>> for S {}

/// A shared part with a default.
pub trait HasDefault {}

#[diagnostic::do_not_recommend]
impl<S: Default> HasDefault for S {}
