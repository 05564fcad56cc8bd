//! Options as a client gets them, borrowed from the declaration and the config. Answers are serialised from these
//! types. Where a message needs the schema's own types, these types are converted to them.

use std::collections::HashMap;
#[cfg(feature = "v2")]
use std::sync::OnceLock;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::config::members::MemberList;
use crate::config::offer::Offered;
use crate::config::value::{Group, ValueDeclaration};
use crate::values::{
    SessionConfigBoolean, SessionConfigKind, SessionConfigOption, SessionConfigOptionCategory, SessionConfigSelect,
    SessionConfigSelectGroup, SessionConfigSelectOption, SessionConfigSelectOptions,
};

/// The full state of the options, with what the author adds to it.
#[derive(Debug)]
pub(crate) struct FullState<'c> {
    pub(crate) options: Vec<ShownOption<'c>>,
    /// The members that the struct of options declares.
    // Boxed, because few structs declare some.
    pub(crate) members: Option<Box<MemberList>>,
}

/// The form of a [`SessionConfigOption`].
#[derive(Debug, Serialize)]
pub(crate) struct ShownOption<'c> {
    pub(crate) id: &'c str,
    pub(crate) name: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) description: Option<&'c str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) category: Option<&'c str>,
    #[serde(flatten)]
    pub(crate) kind: ShownKind<'c>,
}

/// The form of a [`SessionConfigKind`].
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase", rename_all_fields = "camelCase")]
pub(crate) enum ShownKind<'c> {
    Select { current_value: &'c str, options: ShownValues<'c> },
    Boolean { current_value: bool },
}

/// The form of [`SessionConfigSelectOptions`].
#[derive(Debug)]
pub(crate) struct ShownValues<'c> {
    offered: Offered<'c>,
    /// The values as JSON; `None` if the JSON is not known yet.
    written: Option<&'c RawValue>,
    /// The place of the written values in the form of version 2.
    #[cfg(feature = "v2")]
    grouped: Option<&'c OnceLock<Option<Box<RawValue>>>>,
}

/// The form of a [`SessionConfigSelectGroup`].
#[derive(Serialize)]
struct ShownGroup<'a> {
    group: &'a str,
    name: &'a str,
    options: Vec<ShownValue<'a>>,
}

/// The form of a [`SessionConfigSelectOption`].
#[derive(Serialize)]
struct ShownValue<'a> {
    value: &'a str,
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
}

impl<'a> From<ValueDeclaration<'a>> for ShownValue<'a> {
    fn from(ValueDeclaration { id, name, description, group: _ }: ValueDeclaration<'a>) -> Self {
        Self { value: id, name, description }
    }
}

impl<'c> ShownValues<'c> {
    pub(crate) fn new(offered: Offered<'c>) -> Self {
        Self {
            offered,
            written: None,
            #[cfg(feature = "v2")]
            grouped: None,
        }
    }

    #[cfg(feature = "v2")]
    pub(super) fn grouped(self, place: &'c OnceLock<Option<Box<RawValue>>>) -> Self {
        Self { grouped: Some(place), ..self }
    }

    pub(super) fn written(self, written: Option<&'c RawValue>) -> Self {
        Self { written, ..self }
    }

    fn values(&self) -> impl Iterator<Item = ShownValue<'_>> {
        self.offered.iter().map(ShownValue::from)
    }

    /// The groups in the order of their first values. Empty if no value has a group.
    fn groups(&self) -> Vec<ShownGroup<'_>> {
        // Of the values made at run time, some may have a group and others none. The protocol has no list that mixes
        // both.
        const OTHERS: Group<'_> = Group { id: "_others", name: "Others" };
        let mut groups: Vec<ShownGroup<'_>> = Vec::new();
        if self.offered.iter().all(|value| value.group.is_none()) {
            return groups;
        }
        // A map, because there may be very many values, each with a group of its own.
        let mut places = HashMap::new();
        for value in self.offered.iter() {
            let header = value.group.unwrap_or(OTHERS);
            let place = *places.entry(header.id).or_insert_with(|| {
                groups.push(ShownGroup { group: header.id, name: header.name, options: Vec::new() });
                groups.len() - 1
            });
            groups[place].options.push(value.into());
        }
        groups
    }
}

impl Serialize for ShownValues<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let Some(written) = self.written {
            return written.serialize(serializer);
        }
        match self.groups() {
            groups if groups.is_empty() => serializer.collect_seq(self.values()),
            groups => serializer.collect_seq(groups),
        }
    }
}

/// The values in the form of version 2, in which groups have other ids.
#[cfg(feature = "v2")]
pub(crate) struct WithGroupIds<'a, 'c>(pub(crate) &'a ShownValues<'c>);

#[cfg(feature = "v2")]
impl Serialize for WithGroupIds<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        /// A group whose values are written already.
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Group<'a> {
            group_id: &'a str,
            name: &'a str,
            options: &'a [ShownValue<'a>],
        }
        impl<'a> From<&'a ShownGroup<'a>> for Group<'a> {
            fn from(ShownGroup { group, name, options }: &'a ShownGroup<'a>) -> Self {
                Self { group_id: group, name, options }
            }
        }
        let Self(values) = self;
        match (values.written, values.grouped) {
            (Some(written), _) if !written.get().starts_with(r#"[{"group":"#) => return written.serialize(serializer),
            (Some(_), Some(place)) => {
                let write = || {
                    let groups = values.groups();
                    serde_json::value::to_raw_value(&groups.iter().map(Group::from).collect::<Vec<_>>()).ok()
                };
                if let Some(grouped) = place.get_or_init(write) {
                    return grouped.serialize(serializer);
                }
            }
            _ => {}
        }
        match values.groups() {
            groups if groups.is_empty() => serializer.collect_seq(values.values()),
            groups => serializer.collect_seq(groups.iter().map(Group::from)),
        }
    }
}

impl From<ShownOption<'_>> for SessionConfigOption {
    fn from(ShownOption { id, name, description, category, kind }: ShownOption<'_>) -> Self {
        let mut option = Self::new(id, name, SessionConfigKind::from(kind));
        option.description = description.map(str::to_owned);
        option.category = category.map(SessionConfigOptionCategory::from);
        option
    }
}

impl From<ShownKind<'_>> for SessionConfigKind {
    fn from(kind: ShownKind<'_>) -> Self {
        match kind {
            ShownKind::Boolean { current_value } => Self::Boolean(SessionConfigBoolean::new(current_value)),
            ShownKind::Select { current_value, options } => {
                Self::Select(SessionConfigSelect::new(current_value, SessionConfigSelectOptions::from(options)))
            }
        }
    }
}

impl From<ShownValues<'_>> for SessionConfigSelectOptions {
    fn from(shown: ShownValues<'_>) -> Self {
        match shown.groups() {
            groups if groups.is_empty() => Self::Ungrouped(shown.values().map(Into::into).collect()),
            groups => Self::Grouped(groups.into_iter().map(Into::into).collect()),
        }
    }
}

impl From<ShownGroup<'_>> for SessionConfigSelectGroup {
    fn from(ShownGroup { group, name, options }: ShownGroup<'_>) -> Self {
        Self::new(group, name, options.into_iter().map(Into::into).collect::<Vec<_>>())
    }
}

impl From<ShownValue<'_>> for SessionConfigSelectOption {
    fn from(ShownValue { value, name, description }: ShownValue<'_>) -> Self {
        let mut option = Self::new(value, name);
        option.description = description.map(str::to_owned);
        option
    }
}
