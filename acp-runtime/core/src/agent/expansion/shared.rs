//! How handlers get the part that they share.

use super::extract::{FromCall, OfActiveSession, OfAnySession};
use crate::{
    agent::{
        call::{Handled, Parts},
        declaration::{Shared, Shares},
        model::Handlers,
    },
    wire::Result,
};

// The compiler may recommend this impl, so it says why a `Shared` is not a parameter. It names some other types, too, so that no
// error about another parameter recommends this type alone.
impl<'c, A: Handlers, M: Handled<A> + OfActiveSession, T> FromCall<'c, M, A> for Shared<T>
where
    A::Shared: Shares<T>,
{
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        parts.handle().ok_or_else(M::absent)?;
        parts.shared().map(|shared| shared.part())
    }
}

#[diagnostic::do_not_recommend]
impl<'c, A: Handlers, M: Handled<A> + OfAnySession, T> FromCall<'c, M, A> for Option<Shared<T>>
where
    A::Shared: Shares<T>,
{
    fn from_call(parts: &mut Parts<'c, A, M>) -> Result<Self> {
        let is_active = parts.handle().is_some();
        is_active.then(|| parts.shared().map(|shared| shared.part())).transpose()
    }
}
