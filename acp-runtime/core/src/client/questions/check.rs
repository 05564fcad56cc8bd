//! Compares the answer to a question with the form. Clients differ, so no answer is taken on trust.

use std::fmt::{Display, Write};

use super::format;
use crate::values::{
    ElicitationContentValue as Content, ElicitationPropertySchema as Property, EnumOption, MultiSelectItems,
    StringFormat, StringPropertySchema,
};

/// The answer, if it fits the question. A whole number may be written as `3.0`, and any number as `3`: JSON does not
/// tell these apart. If a value of a list comes twice, the second one is dropped.
pub(super) fn fits(property: &Property, content: Content) -> Option<Content> {
    match (property, content) {
        (Property::String(question), Content::String(text)) => {
            is_text(question, &text).then_some(Content::String(text))
        }
        (Property::Boolean(_), Content::Boolean(switch)) => Some(Content::Boolean(switch)),
        (Property::Integer(question), number) => {
            let number = whole(&number)?;
            within(number, question.minimum, question.maximum).then_some(Content::Integer(number))
        }
        (Property::Number(question), number) => {
            let number = any_number(&number)?;
            within(number, question.minimum, question.maximum).then_some(Content::Number(number))
        }
        (Property::Array(question), Content::StringArray(ids)) => {
            let mut distinct: Vec<String> = Vec::with_capacity(ids.len());
            for id in ids {
                if !distinct.contains(&id) {
                    distinct.push(id);
                }
            }
            let offered = options(&question.items);
            let are_offered = distinct.iter().all(|id| offered.iter().any(|option| option.value == *id));
            let count = u64::try_from(distinct.len()).unwrap_or(u64::MAX);
            let is_right = are_offered && within(count, question.min_items, question.max_items);
            is_right.then_some(Content::StringArray(distinct))
        }
        _ => None,
    }
}

fn is_text(question: &StringPropertySchema, text: &str) -> bool {
    if let Some(offered) = &question.one_of {
        return offered.iter().any(|option| option.value == text);
    }
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    within(length, question.min_length, question.max_length) && question.format.is_none_or(|of| format::is(of, text))
}

fn whole(content: &Content) -> Option<i64> {
    /// Up to here, an `f64` holds every whole number.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match content {
        Content::Integer(number) => Some(*number),
        #[expect(clippy::cast_possible_truncation, reason = "the number is whole, and an `i64` holds it")]
        Content::Number(number) if number.fract() == 0.0 && number.abs() <= EXACT => Some(*number as i64),
        _ => None,
    }
}

fn any_number(content: &Content) -> Option<f64> {
    match content {
        #[expect(clippy::cast_precision_loss, reason = "a JSON number without a fraction is the nearest number, too")]
        Content::Integer(number) => Some(*number as f64),
        Content::Number(number) => Some(*number),
        _ => None,
    }
}

fn within<T: PartialOrd>(value: T, least: Option<T>, greatest: Option<T>) -> bool {
    least.is_none_or(|least| least <= value) && greatest.is_none_or(|greatest| value <= greatest)
}

fn options(items: &MultiSelectItems) -> &[EnumOption] {
    match items {
        MultiSelectItems::Titled(items) => &items.options,
        _ => &[],
    }
}

/// The possible answers, as a part of a sentence.
pub(super) fn possible(property: &Property) -> String {
    match property {
        Property::String(question) => match (&question.one_of, question.format) {
            (Some(offered), _) => format!("one of {}", listed(offered)),
            (None, format) => {
                let what = match format {
                    Some(StringFormat::Email) => "an e-mail address",
                    Some(StringFormat::Uri) => "a URI",
                    Some(StringFormat::Date) => "a date such as `2026-01-31`",
                    Some(StringFormat::DateTime) => "a time such as `2026-01-31T12:00:00Z`",
                    _ => "a text",
                };
                what.to_owned() + &limits(question.min_length, question.max_length, "characters")
            }
        },
        Property::Boolean(_) => "`true` or `false`".to_owned(),
        Property::Integer(question) => "a whole number".to_owned() + &limits(question.minimum, question.maximum, ""),
        Property::Number(question) => "a number".to_owned() + &limits(question.minimum, question.maximum, ""),
        Property::Array(question) => {
            let some = format!("some of {}", listed(options(&question.items)));
            some + &limits(question.min_items, question.max_items, "").replacen(" of ", ": ", 1)
        }
        _ => "of a kind that this version does not know".to_owned(),
    }
}

fn listed(options: &[EnumOption]) -> String {
    let mut list = String::new();
    for option in options {
        let comma = if list.is_empty() { "" } else { ", " };
        let _ = write!(list, "{comma}`{}`", option.value);
    }
    list
}

fn limits<T: Display>(least: Option<T>, greatest: Option<T>, unit: &str) -> String {
    let limits = match (least, greatest) {
        (None, None) => return String::new(),
        (Some(least), None) => format!(" of at least {least} {unit}"),
        (None, Some(greatest)) => format!(" of at most {greatest} {unit}"),
        (Some(least), Some(greatest)) => format!(" of {least} to {greatest} {unit}"),
    };
    limits.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::{IntegerPropertySchema, NumberPropertySchema};

    #[test]
    fn a_number_is_whole_however_it_is_written() {
        let whole: Property = IntegerPropertySchema::new().minimum(-3).maximum(9).into();
        let (integer, number) = (Content::Integer, Content::Number);
        for right in [integer(9), number(9.0), integer(-3), number(-0.0)] {
            assert!(matches!(fits(&whole, right.clone()), Some(Content::Integer(_))), "{right:?}");
        }
        for wrong in [integer(10), integer(-4), number(0.5), number(1e300), Content::Boolean(true)] {
            assert_eq!(fits(&whole, wrong.clone()), None, "{wrong:?}");
        }
        let any: Property = NumberPropertySchema::new().minimum(0.5).into();
        assert_eq!(fits(&any, integer(1)), Some(number(1.0)));
        assert_eq!(fits(&any, integer(0)), None);
        assert_eq!(fits(&any, Content::String("1".to_owned())), None);
    }

    #[test]
    fn the_length_of_a_text_is_counted_in_characters() {
        let text = |text: &str| Content::String(text.to_owned());
        let short: Property = StringPropertySchema::new().min_length(2).max_length(3).into();
        assert!(fits(&short, text("äöü")).is_some());
        assert_eq!(fits(&short, text("ä")), None);
        assert_eq!(fits(&short, text("abcd")), None);
        assert_eq!(possible(&short), "a text of 2 to 3 characters");
    }
}
