//! Checks of values while the author's crate compiles. The macros cannot make these checks, because they see names and
//! not values.

use acp_handlers::each;

use crate::config::option::ConfigOptions;
use crate::config::table::Outline;
use crate::config::value::ValueDeclaration;
use crate::constant::{Text, contains, same};

/// Makes the compiler evaluate the table of `C`, and so every check in its constructors. `cargo check` alone does not
/// evaluate the associated constants of an impl.
pub const fn check<C: ConfigOptions>() {
    let _ = C::OPTIONS;
}

/// Fails to compile if an id of the flattened struct at `position` is also the id of another option of `C`.
pub const fn apart<C: ConfigOptions>(position: usize) {
    let all = &C::OUTLINE;
    let joined = all.flattened[position];
    if !joined.whole {
        let text = Text::EMPTY.push("`").push(joined.name).push("` has fields that are no options, so it cannot be ");
        panic!("{}", text.push("flattened; `#[derive(ConfigOptions)]` makes every field one").as_str())
    }
    let own = Outline { flattened: &[], ..*all };
    compare(&own, joined);
    each!(earlier in all.flattened.split_at(position).0, {
        compare(earlier, joined);
    });
}

/// Compares every struct within `one` with every struct within `other`.
const fn compare(one: &Outline, other: &Outline) {
    compare_each(one, other);
    each!(part in one.flattened, {
        compare(part, other);
    });
}

const fn compare_each(one: &Outline, other: &Outline) {
    compare_own(one, other);
    each!(part in other.flattened, {
        compare_each(one, part);
    });
}

const fn compare_own(one: &Outline, other: &Outline) {
    each!(id in one.ids, {
        if contains(other.ids, id) {
            let text = Text::EMPTY.push("the option id `").push(id).push("` is used twice: by `");
            panic!("{}", text.push(one.name).push("` and by `").push(other.name).push("`").as_str())
        }
    });
    if let (Some(first), Some(second)) = (one.mode, other.mode) {
        let text = Text::EMPTY.push("two options are the session's mode: `").push(first).push("` of `").push(one.name);
        let text = text.push("` and `").push(second).push("` of `").push(other.name);
        panic!("{}", text.push("`; `mirror = false` takes one of them out").as_str())
    }
}

/// The default of a select. Fails to compile if the select has no such value. If the default is in quotes, the macro
/// itself checks it.
pub const fn among(option: &str, values: &[ValueDeclaration<'_>], default: &'static str) -> &'static str {
    each!(value in values, {
        if same(value.id, default) {
            return default;
        }
    });
    let text = Text::EMPTY.push("`").push(default).push("` is not one of the values of `").push(option).push("`");
    panic!("{}", text.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: &[ValueDeclaration<'static>] = &[ValueDeclaration::new("1", "Once"), ValueDeclaration::new("12", "")];

    #[test]
    fn a_value_of_the_select_passes() {
        assert_eq!(among("times", VALUES, "1"), "1");
        assert_eq!(among("times", VALUES, "12"), "12");
    }

    #[test]
    #[should_panic(expected = "`2` is not one of the values of `times`")]
    fn another_default_is_named() {
        among("times", VALUES, "2");
    }

    #[test]
    #[should_panic(expected = "a name that is too long to be told")]
    fn a_text_cut_within_a_character_still_says_what_is_wrong() {
        among("times", VALUES, "é".repeat(Text::LONGEST).leak());
    }
}
