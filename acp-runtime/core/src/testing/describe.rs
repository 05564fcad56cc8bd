//! Describes options as clients see them, in a text that is easy to keep in a file and to read in a diff.

use std::fmt::Write;

use crate::config::publish::{ClientView, session_config_options};
use crate::config::{ConfigOptions, mode, resolve::resolve};
use crate::values::{
    SessionConfigKind, SessionConfigOption, SessionConfigSelect, SessionConfigSelectOption, SessionConfigSelectOptions,
};

/// Describes the options that a session shows its client at the start. The text has two parts: one for a client that
/// knows only version 1 of the protocol, and one for a client that knows boolean options. Keep the text in a file, and
/// compare it in a test. If the users' view of the options changes, this then shows in a diff.
///
/// # Panics
///
/// Panics if the defaults cannot be shown. [`check_options`](super::check_options) gives the reason.
///
/// ```
/// use acp_runtime::{prelude::*, testing::describe};
///
/// #[derive(ConfigOptions, Clone)]
/// struct Config {
///     /// How often to repeat.
///     #[config_option(values("1" = "Once", "2" = "Twice"), default = "1")]
///     times: String,
///     #[config_option(default = false)]
///     brave: bool,
/// }
///
/// let expected = "\
/// a client without boolean options
///
///   times: Times
///     How often to repeat.
///     * 1: Once
///       2: Twice
///
/// a client with boolean options
///
///   times: Times
///     How often to repeat.
///     * 1: Once
///       2: Twice
///   brave: Brave
///     false
/// ";
/// assert_eq!(describe::<Config>(), expected);
/// ```
#[track_caller]
pub fn describe<C: ConfigOptions>() -> String {
    let Some(initial) = C::initial() else {
        panic!("`{}` has fields beside its options, which have no default; use `describe_from(value)`", C::OUTLINE.name)
    };
    describe_from(initial)
}

/// As [`describe`], but starts from a value.
///
/// # Panics
///
/// Panics if the value cannot be shown. [`check_options_from`](super::check_options_from) gives the reason.
#[track_caller]
pub fn describe_from<C: ConfigOptions>(mut config: C) -> String {
    if let Err(error) = resolve(None, &mut config) {
        panic!("the options of `{}` cannot be shown: {error}", C::OUTLINE.name);
    }
    let mut text = String::new();
    for (title, boolean) in [("a client without boolean options", false), ("a client with boolean options", true)] {
        let start = if text.is_empty() { "" } else { "\n" };
        text.push_str(&format!("{start}{title}\n\n"));
        let shown = session_config_options(&config, ClientView { boolean });
        shown.iter().for_each(|option| self::option(&mut text, option));
        if shown.is_empty() {
            text.push_str("  no options\n");
        }
        modes(&mut text, &config);
    }
    text
}

fn option(text: &mut String, option: &SessionConfigOption) {
    let SessionConfigOption { id, name, category, description, kind, .. } = option;
    line(text, 2, &format!("{id}: {name}{}", category.as_ref().map_or(String::new(), |it| format!(" [{it}]"))));
    description.iter().flat_map(|text| text.lines()).for_each(|words| line(text, 4, words));
    match kind {
        SessionConfigKind::Boolean(boolean) => line(text, 4, if boolean.current_value { "true" } else { "false" }),
        SessionConfigKind::Select(select) => values(text, select),
        other => line(text, 4, &format!("{other:?}")),
    }
}

fn values(text: &mut String, select: &SessionConfigSelect) {
    let current = select.current_value.to_string();
    match &select.options {
        SessionConfigSelectOptions::Ungrouped(values) => values.iter().for_each(|it| value(text, 4, it, &current)),
        SessionConfigSelectOptions::Grouped(groups) => {
            for group in groups {
                line(text, 4, &format!("{}: {}", group.group, group.name));
                group.options.iter().for_each(|it| value(text, 6, it, &current));
            }
        }
        other => line(text, 4, &format!("{other:?}")),
    }
}

fn value(text: &mut String, indent: usize, value: &SessionConfigSelectOption, current: &str) {
    let id = value.value.to_string();
    let mark = if id == current { '*' } else { ' ' };
    let description =
        value.description.as_ref().map_or(String::new(), |words| format!(" ({})", words.replace('\n', " ")));
    line(text, indent, &format!("{mark} {id}: {}{description}", value.name));
}

fn modes<C: ConfigOptions>(text: &mut String, config: &C) {
    let Some(modes) = mode::state(config) else { return };
    let ids: Vec<_> = modes.available_modes.iter().map(|mode| mode.id.to_string()).collect();
    line(text, 2, &format!("modes: {}; now {}", ids.join(", "), modes.current_mode_id));
}

fn line(text: &mut String, indent: usize, words: &str) {
    let indent = if words.is_empty() { 0 } else { indent };
    let written = writeln!(text, "{:indent$}{}", "", words.trim_end());
    written.expect("a string takes everything");
}
