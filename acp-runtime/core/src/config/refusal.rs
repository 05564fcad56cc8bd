//! The error messages of refused changes. They name the option and the values that it offers. Of the client's request
//! they only repeat the option's id, and never a value. A mode counts as a value of its option.

use std::fmt::{self, Display};

use crate::config::declaration::{LONGEST_OPEN, OptionDeclaration};
use crate::config::offer::Offered;
use crate::config::publish::{ClientView, shown};
use crate::config::table::Entries;
use crate::config::value::ValueRef;
use crate::wire::Error;
use crate::wire::quoted::Short;

pub(super) fn unknown_option<C: Entries>(id: &str, config: &C, view: ClientView) -> Error {
    let known = Listed(shown(config, view).map(OptionDeclaration::id).collect());
    Error::invalid_params(format!("no config option `{}`; there are {known}", Short(id)))
}

pub(super) fn unknown_mode<C>(option: &OptionDeclaration<C>, config: &C) -> Error {
    let offered = option.offered(config);
    Error::invalid_params(format!("no such mode; there are {}", Listed::of(&offered)))
}

pub(super) fn unknown_value<C>(
    option: &OptionDeclaration<C>,
    config: &C,
    value: ValueRef<'_>,
    view: ClientView,
) -> Error {
    let id = option.id();
    let switch = view.switch(option);
    let offered = switch.or_else(|| option.is_select().then(|| option.offered(config)));
    Error::invalid_params(match (offered, value) {
        (Some(_), ValueRef::Id(_)) if option.open => {
            format!("the config option `{id}` takes any value of 1 to {LONGEST_OPEN} bytes that is not blank")
        }
        (Some(offered), ValueRef::Id(_)) => {
            format!("the config option `{id}` has no such value; it offers {}", Listed::of(&offered))
        }
        (Some(offered), ValueRef::Boolean(_)) => {
            format!(
                "the config option `{id}` takes the id of a value, not a boolean; it offers {}",
                Listed::of(&offered)
            )
        }
        (None, _) => format!("the config option `{id}` takes `true` or `false`, not a string"),
    })
}

/// The error of a value that the agent itself set and that is not offered.
pub(super) fn illegal_state<C>(option: &OptionDeclaration<C>, config: &C) -> Error {
    let (id, offered) = (option.id(), option.offered(config));
    let value = match option.read(config) {
        ValueRef::Id(value) => value,
        ValueRef::Boolean(true) => "true",
        ValueRef::Boolean(false) => "false",
    };
    let takes = match option.open {
        true => "takes any value that is not blank".to_owned(),
        false => format!("offers {}", Listed::of(&offered)),
    };
    Error::internal_error(format!("the agent set the config option `{id}` to `{}`; it {takes}", Short(value)))
}

/// The error of an author's `reset` function that returned a value which is not offered.
pub(super) fn illegal_reset<C>(option: &OptionDeclaration<C>, offered: &Offered<'_>, value: &str) -> Error {
    Error::internal_error(format!(
        "the `reset` of the config option `{}` gives `{}`; it offers {}",
        option.id(),
        Short(value),
        Listed::of(offered)
    ))
}

/// The error of a set of an option that is not shown: its `shown_if` hides it, or it has nothing to select from.
pub(super) fn not_shown<C: Entries>(option: &OptionDeclaration<C>, config: &C, view: ClientView) -> Error {
    let known = Listed(shown(config, view).map(OptionDeclaration::id).collect());
    let id = option.id();
    let why = if option.may_be_shown(config) { ": it has no values to select from" } else { "" };
    Error::invalid_params(format!("the config option `{id}` is not shown at present{why}; there are {known}"))
}

/// Some ids in backticks.
struct Listed<'a>(Vec<&'a str>);

impl<'a> Listed<'a> {
    fn of(offered: &'a Offered<'a>) -> Self {
        Self(offered.iter().map(|value| value.id).collect())
    }
}

impl Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MOST: usize = 12;
        if self.0.is_empty() {
            return f.write_str("none");
        }
        for (position, id) in self.0.iter().take(MOST).enumerate() {
            write!(f, "{}`{}`", if position > 0 { ", " } else { "" }, Short(id))?;
        }
        match self.0.len().saturating_sub(MOST) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_bounded() {
        assert_eq!(Listed(vec!["a", "b"]).to_string(), "`a`, `b`");
        assert_eq!(Listed(vec![]).to_string(), "none");
        let long = "é".repeat(100);
        let text = Listed(vec![&long; 20]).to_string();
        assert!(text.ends_with("…` and 8 more") && text.chars().count() < 12 * 70, "{text}");
    }
}
