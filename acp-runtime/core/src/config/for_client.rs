//! What an agent takes from its client and sets by itself: in a method of its own, or in a command.

use std::borrow::Cow;

use crate::config::request::Requested;
use crate::config::value::{SelectValue, ValueRef};
use crate::wire::Result;

/// A value that the client asks for, of [`set_for_client`](crate::session::SessionHandle::set_for_client): the id of a value as text, a
/// boolean, or a value of an enum.
///
/// See [Setting a config option](https://agentclientprotocol.com/protocol/v1/session-config-options#setting-a-config-option).
///
/// ```
/// use acp_runtime::{config::ClientValue, prelude::*};
///
/// fn is<V: ClientValue>(_: V) {}
/// # #[derive(SelectValue, Clone, Copy, PartialEq, Default)] enum Effort { #[default] Low }
///
/// is("smart");
/// is(true);
/// is(Effort::Low);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value that a client asks for",
    label = "expected the id of a value, a boolean, or a value of an enum",
    note = "of a `Choice`, write the id of its value: `\"smart\"`"
)]
pub trait ClientValue {
    #[doc(hidden)]
    fn show(&self) -> ValueRef<'_>;
}

impl ClientValue for bool {
    fn show(&self) -> ValueRef<'_> {
        ValueRef::Boolean(*self)
    }
}

impl ClientValue for &str {
    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self)
    }
}

impl ClientValue for String {
    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self)
    }
}

impl ClientValue for &String {
    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self)
    }
}

#[diagnostic::do_not_recommend]
impl<V: SelectValue> ClientValue for V {
    fn show(&self) -> ValueRef<'_> {
        ValueRef::Id(self.id())
    }
}

impl Requested<'static> {
    /// The same value, owned.
    pub(crate) fn of(value: &impl ClientValue) -> Self {
        match value.show() {
            ValueRef::Boolean(value) => Self::Boolean(value),
            ValueRef::Id(id) => Self::Id(Cow::Owned(id.to_owned())),
        }
    }
}

/// What the function returns that
/// [`update_config_for_client`](crate::session::SessionHandle::update_config_for_client) takes: `()`, or a [`Result`](crate::Result) if it
/// can fail. The error of the function is the error of the change.
#[diagnostic::on_unimplemented(
    message = "a change of options for the client returns `()` or `Result<T>`, and not `{Self}`",
    note = "end the function with `Ok(value)`, or with `;`"
)]
pub trait ClientChange {
    /// What the change returns if it succeeds.
    type Value;

    #[doc(hidden)]
    fn changed(self) -> Result<Self::Value>;
}

impl ClientChange for () {
    type Value = ();

    fn changed(self) -> Result<()> {
        Ok(())
    }
}

impl<T> ClientChange for Result<T> {
    type Value = T;

    fn changed(self) -> Self {
        self
    }
}
