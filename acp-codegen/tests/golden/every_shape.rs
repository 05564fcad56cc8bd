/// Named as code names the deserializer.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct D {
    /// `next` on the wire.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub next: ::std::option::Option<i64>,
}

impl<'de> ::serde::Deserialize<'de> for D {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {
            next: ::std::option::Option<::std::option::Option<i64>>,
        }
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "D";
            const WIRE: &'static [&'static str] = &["next"];
            fn read<N: __support::Next<'de>>(
                &mut self,
                field: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                match field {
                    0 => next.read(&mut self.next),
                    _ => next.skip(),
                }
            }
        }
        __support::object(
                deserializer,
                __Fields {
                    next: ::std::option::Option::None,
                },
            )
            .map(|fields| Self {
                next: fields.next.unwrap_or_default(),
            })
    }
}

impl D {
    /// A new `D` in which nothing is set.
    #[must_use]
    pub fn new() -> Self {
        Self {
            next: ::std::default::Default::default(),
        }
    }
    /// Sets `next`.
    #[must_use]
    pub fn next(mut self, next: impl ::acp_runtime::schema::IntoOption<i64>) -> Self {
        self.next = next.into_option();
        self
    }
}

/// Read by a function that is generic itself.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct HoldsD {
    /// `d` on the wire.
    pub d: D,
}

impl<'de> ::serde::Deserialize<'de> for HoldsD {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {
            d: ::std::option::Option<D>,
        }
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "HoldsD";
            const WIRE: &'static [&'static str] = &["d"];
            fn read<N: __support::Next<'de>>(
                &mut self,
                field: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                match field {
                    0 => next.read(&mut self.d),
                    _ => next.skip(),
                }
            }
        }
        __support::object(
                deserializer,
                __Fields {
                    d: ::std::option::Option::None,
                },
            )
            .and_then(|fields| ::std::result::Result::Ok(Self {
                d: __support::required::<_, __D::Error>(fields.d, "d")?,
            }))
    }
}

impl HoldsD {
    /// A new `HoldsD` of what is required; the rest is not set.
    #[must_use]
    pub fn new(d: D) -> Self {
        Self { d }
    }
}

/// An identifier.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThingId(pub ::std::sync::Arc<str>);

impl ThingId {
    /// A new `ThingId` of a text.
    #[must_use]
    pub fn new(text: impl ::std::convert::Into<::std::sync::Arc<str>>) -> Self {
        Self(text.into())
    }
    /// The text as it stands on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl ::std::fmt::Display for ThingId {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl ::std::convert::AsRef<str> for ThingId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl ::std::borrow::Borrow<str> for ThingId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl ::std::cmp::PartialEq<str> for ThingId {
    fn eq(&self, other: &str) -> bool {
        *self.0 == *other
    }
}

impl ::std::cmp::PartialEq<&str> for ThingId {
    fn eq(&self, other: &&str) -> bool {
        *self.0 == **other
    }
}

impl ::std::convert::From<&str> for ThingId {
    fn from(text: &str) -> Self {
        Self(text.into())
    }
}

impl ::std::convert::From<::std::string::String> for ThingId {
    fn from(text: ::std::string::String) -> Self {
        Self(text.into())
    }
}

impl ::std::convert::From<::std::sync::Arc<str>> for ThingId {
    fn from(text: ::std::sync::Arc<str>) -> Self {
        Self(text)
    }
}

impl ::acp_runtime::schema::IntoOption<ThingId> for &str {
    fn into_option(self) -> ::std::option::Option<ThingId> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::acp_runtime::schema::IntoOption<ThingId> for ::std::string::String {
    fn into_option(self) -> ::std::option::Option<ThingId> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::serde::Serialize for ThingId {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.0)
    }
}

impl<'de> ::serde::Deserialize<'de> for ThingId {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::shared_text(deserializer).map(Self)
    }
}

/// A small number.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    ::serde::Serialize,
    ::serde::Deserialize,
)]
#[serde(transparent)]
pub struct Level(pub u16);

impl Level {
    /// The number as it stands on the wire.
    #[must_use]
    pub const fn as_u16(self) -> u16 {
        self.0
    }
}

impl ::std::fmt::Display for Level {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        ::std::fmt::Display::fmt(&self.0, f)
    }
}

impl ::std::convert::From<u16> for Level {
    fn from(number: u16) -> Self {
        Self(number)
    }
}

/// A closed list.
#[derive(
    ::serde::Deserialize,
    ::serde::Serialize,
    Clone,
    Copy,
    Debug,
    Eq,
    Hash,
    Ord,
    PartialEq,
    PartialOrd
)]
#[non_exhaustive]
#[derive(Default)]
pub enum Colour {
    /// `red` on the wire.
    #[serde(rename = "red")]
    Red,
    /// As in a forest.
    #[serde(rename = "dark_green")]
    #[default]
    #[serde(other)]
    DarkGreen,
}

impl Colour {
    /// The word as it stands on the wire.
    #[must_use]
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::DarkGreen => "dark_green",
        }
    }
}

impl ::std::fmt::Display for Colour {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ::std::str::FromStr for Colour {
    type Err = self::error::ConversionError;
    fn from_str(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        match value {
            "red" => Ok(Self::Red),
            "dark_green" => Ok(Self::DarkGreen),
            _ => Err("invalid value".into()),
        }
    }
}

impl ::std::convert::TryFrom<&str> for Colour {
    type Error = self::error::ConversionError;
    fn try_from(
        value: &str,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}

impl ::std::convert::TryFrom<::std::string::String> for Colour {
    type Error = self::error::ConversionError;
    fn try_from(
        value: ::std::string::String,
    ) -> ::std::result::Result<Self, self::error::ConversionError> {
        value.parse()
    }
}

/// An open list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mood {
    /// `good` on the wire.
    Good,
    /// Any other word.
    Other(::std::string::String),
}

impl Mood {
    /// The word as it stands on the wire.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Good => "good",
            Self::Other(other) => other,
        }
    }
}

impl ::std::fmt::Display for Mood {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(self.as_str())
    }
}

impl ::std::convert::From<&str> for Mood {
    fn from(word: &str) -> Self {
        match word {
            "good" => Self::Good,
            other => Self::Other(other.to_owned()),
        }
    }
}

impl ::std::convert::From<::std::string::String> for Mood {
    fn from(word: ::std::string::String) -> Self {
        match word.as_str() {
            "good" => Self::Good,
            _ => Self::Other(word),
        }
    }
}

impl ::acp_runtime::schema::IntoOption<Mood> for &str {
    fn into_option(self) -> ::std::option::Option<Mood> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::acp_runtime::schema::IntoOption<Mood> for ::std::string::String {
    fn into_option(self) -> ::std::option::Option<Mood> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::serde::Serialize for Mood {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> ::serde::Deserialize<'de> for Mood {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::word(deserializer)
    }
}

/// An open list of numbers.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    ::serde::Serialize,
    ::serde::Deserialize
)]
#[serde(from = "i32", into = "i32")]
#[non_exhaustive]
pub enum Code {
    /// Not here
    Missing,
    /// Any other number.
    Other(i32),
}

impl ::std::fmt::Display for Code {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        match self {
            Self::Missing => f.write_str("Not here"),
            Self::Other(number) => {
                f.write_str("Other")?;
                write!(f, " ({number})")
            }
        }
    }
}

impl ::std::convert::From<i32> for Code {
    fn from(number: i32) -> Self {
        match number {
            -1 => Self::Missing,
            other => Self::Other(other),
        }
    }
}

impl ::std::convert::From<Code> for i32 {
    fn from(value: Code) -> Self {
        match value {
            Code::Missing => -1,
            Code::Other(other) => other,
        }
    }
}

/// Nothing yet.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct Empty {}

impl<'de> ::serde::Deserialize<'de> for Empty {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {}
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "Empty";
            const WIRE: &'static [&'static str] = &[];
            fn read<N: __support::Next<'de>>(
                &mut self,
                _: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                next.skip()
            }
        }
        __support::object(deserializer, __Fields {}).map(|_| Self {})
    }
}

impl Empty {
    /// A new `Empty` in which nothing is set.
    #[must_use]
    pub fn new() -> Self {
        Self {}
    }
}

/// Called like what the code itself is made of.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct Fields {
    /// `$ref` on the wire.
    #[serde(rename = "$ref", skip_serializing_if = "::std::option::Option::is_none")]
    pub ref_: ::std::option::Option<::std::string::String>,
    /// `gen` on the wire.
    #[serde(rename = "gen")]
    pub gen_: bool,
    /// `fields` on the wire.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub fields: ::std::option::Option<::std::vec::Vec<Fields>>,
    /// `field` on the wire.
    pub field: ::std::string::String,
    /// `next` on the wire.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub next: ::std::option::Option<Leaf>,
}

impl<'de> ::serde::Deserialize<'de> for Fields {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {
            ref_: ::std::option::Option<::std::option::Option<::std::string::String>>,
            gen_: ::std::option::Option<bool>,
            fields: ::std::option::Option<
                ::std::option::Option<::std::vec::Vec<Fields>>,
            >,
            field: ::std::option::Option<::std::string::String>,
            next: ::std::option::Option<::std::option::Option<Leaf>>,
        }
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "Fields";
            const WIRE: &'static [&'static str] = &[
                "$ref",
                "gen",
                "fields",
                "field",
                "next",
            ];
            fn read<N: __support::Next<'de>>(
                &mut self,
                field: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                match field {
                    0 => next.read(&mut self.ref_),
                    1 => next.read(&mut self.gen_),
                    2 => next.read(&mut self.fields),
                    3 => next.read(&mut self.field),
                    4 => next.read(&mut self.next),
                    _ => next.skip(),
                }
            }
        }
        __support::object(
                deserializer,
                __Fields {
                    ref_: ::std::option::Option::None,
                    gen_: ::std::option::Option::None,
                    fields: ::std::option::Option::None,
                    field: ::std::option::Option::None,
                    next: ::std::option::Option::None,
                },
            )
            .and_then(|fields| ::std::result::Result::Ok(Self {
                ref_: fields.ref_.unwrap_or_default(),
                gen_: __support::required::<_, __D::Error>(fields.gen_, "gen")?,
                fields: fields.fields.unwrap_or_default(),
                field: __support::required::<_, __D::Error>(fields.field, "field")?,
                next: fields.next.unwrap_or_default(),
            }))
    }
}

impl Fields {
    /// A new `Fields` of what is required; the rest is not set.
    #[must_use]
    pub fn new(
        gen_: bool,
        field: impl ::std::convert::Into<::std::string::String>,
    ) -> Self {
        Self {
            ref_: ::std::default::Default::default(),
            gen_,
            fields: ::std::default::Default::default(),
            field: field.into(),
            next: ::std::default::Default::default(),
        }
    }
    /// Sets `$ref`.
    #[must_use]
    pub fn ref_(
        mut self,
        ref_: impl ::acp_runtime::schema::IntoOption<::std::string::String>,
    ) -> Self {
        self.ref_ = ref_.into_option();
        self
    }
    /// Sets `fields`.
    #[must_use]
    pub fn fields(
        mut self,
        fields: impl ::acp_runtime::schema::IntoOption<::std::vec::Vec<Fields>>,
    ) -> Self {
        self.fields = fields.into_option();
        self
    }
    /// Sets `next`.
    #[must_use]
    pub fn next(mut self, next: impl ::acp_runtime::schema::IntoOption<Leaf>) -> Self {
        self.next = next.into_option();
        self
    }
}

/// Some text.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct Leaf {
    /// The text.
    pub text: ::std::string::String,
    /// `note` on the wire.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub note: ::std::option::Option<::std::string::String>,
}

impl<'de> ::serde::Deserialize<'de> for Leaf {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {
            text: ::std::option::Option<::std::string::String>,
            note: ::std::option::Option<::std::option::Option<::std::string::String>>,
        }
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "Leaf";
            const WIRE: &'static [&'static str] = &["text", "note"];
            fn read<N: __support::Next<'de>>(
                &mut self,
                field: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                match field {
                    0 => next.read(&mut self.text),
                    1 => {
                        next.read_by::<
                                __support::OptionalScalarOrDefault,
                                _,
                            >(&mut self.note)
                    }
                    _ => next.skip(),
                }
            }
        }
        __support::object(
                deserializer,
                __Fields {
                    text: ::std::option::Option::None,
                    note: ::std::option::Option::None,
                },
            )
            .and_then(|fields| ::std::result::Result::Ok(Self {
                text: __support::required::<_, __D::Error>(fields.text, "text")?,
                note: fields.note.unwrap_or_default(),
            }))
    }
}

impl Leaf {
    /// A new `Leaf` of what is required; the rest is not set.
    #[must_use]
    pub fn new(text: impl ::std::convert::Into<::std::string::String>) -> Self {
        Self {
            text: text.into(),
            note: ::std::default::Default::default(),
        }
    }
    /// Sets `note`.
    #[must_use]
    pub fn note(
        mut self,
        note: impl ::acp_runtime::schema::IntoOption<::std::string::String>,
    ) -> Self {
        self.note = note.into_option();
        self
    }
}

impl ::acp_runtime::schema::IntoOption<Leaf> for &str {
    fn into_option(self) -> ::std::option::Option<Leaf> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::acp_runtime::schema::IntoOption<Leaf> for ::std::string::String {
    fn into_option(self) -> ::std::option::Option<Leaf> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::std::convert::From<&str> for Leaf {
    fn from(value: &str) -> Self {
        Self::new(value)
    }
}

impl ::std::convert::From<::std::string::String> for Leaf {
    fn from(value: ::std::string::String) -> Self {
        Self::new(value)
    }
}

/// A union with a tag. See <https://example.com/node> for more.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(tag = "type")]
#[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
#[non_exhaustive]
pub enum Node {
    /// A leaf.
    #[serde(rename = "leaf")]
    Leaf(Leaf),
    /// `end` on the wire.
    #[serde(rename = "end")]
    End,
}

impl ::acp_runtime::schema::support::Tagged for Node {
    const NAME: &'static str = "Node";
    const TAG: &'static str = "type";
    const TAGS: &'static [&'static str] = &["leaf", "end"];
    fn variant<'de, __D: ::serde::Deserializer<'de>>(
        tag: usize,
        content: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        match tag {
            0 => ::serde::Deserialize::deserialize(content).map(Self::Leaf),
            1 => ::acp_runtime::schema::support::nothing(content).map(|()| Self::End),
            _ => {
                ::std::result::Result::Err(
                    ::acp_runtime::schema::support::no_variant("Node"),
                )
            }
        }
    }
}

impl<'de> ::serde::Deserialize<'de> for Node {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::tagged(deserializer)
    }
}

impl ::std::convert::From<Leaf> for Node {
    fn from(value: Leaf) -> Self {
        Self::Leaf(value)
    }
}

impl ::acp_runtime::schema::IntoOption<Node> for &str {
    fn into_option(self) -> ::std::option::Option<Node> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::acp_runtime::schema::IntoOption<Node> for ::std::string::String {
    fn into_option(self) -> ::std::option::Option<Node> {
        ::std::option::Option::Some(self.into())
    }
}

impl ::std::convert::From<&str> for Node {
    fn from(value: &str) -> Self {
        Self::Leaf(value.into())
    }
}

impl ::std::convert::From<::std::string::String> for Node {
    fn from(value: ::std::string::String) -> Self {
        Self::Leaf(value.into())
    }
}

/// A union with branches that have no tag, and with one for what nobody knows yet.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(tag = "type")]
#[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
#[non_exhaustive]
pub enum Source {
    /// `inline` on the wire.
    #[serde(rename = "inline")]
    Inline {
        /// `lines` on the wire.
        lines: ::std::vec::Vec<::std::string::String>,
    },
    /// A value that this version of the protocol does not know.
    #[serde(untagged)]
    Other(OtherSource),
    /// `leaf` on the wire.
    #[serde(untagged)]
    Leaf(Leaf),
}

impl ::acp_runtime::schema::support::Tagged for Source {
    const NAME: &'static str = "Source";
    const TAG: &'static str = "type";
    const TAGS: &'static [&'static str] = &["inline"];
    fn variant<'de, __D: ::serde::Deserializer<'de>>(
        tag: usize,
        content: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        match tag {
            0 => {
                use ::acp_runtime::schema::support as __support;
                struct __Fields {
                    lines: ::std::option::Option<::std::vec::Vec<::std::string::String>>,
                }
                impl<'de> __support::Fields<'de> for __Fields {
                    const NAME: &'static str = "SourceInline";
                    const WIRE: &'static [&'static str] = &["lines"];
                    fn read<N: __support::Next<'de>>(
                        &mut self,
                        field: usize,
                        next: N,
                    ) -> ::std::result::Result<(), N::Error> {
                        match field {
                            0 => next.read(&mut self.lines),
                            _ => next.skip(),
                        }
                    }
                }
                __support::object(
                        content,
                        __Fields {
                            lines: ::std::option::Option::None,
                        },
                    )
                    .and_then(|fields| ::std::result::Result::Ok(Self::Inline {
                        lines: __support::required::<
                            _,
                            __D::Error,
                        >(fields.lines, "lines")?,
                    }))
            }
            _ => {
                ::std::result::Result::Err(
                    ::acp_runtime::schema::support::no_variant("Source"),
                )
            }
        }
    }
}

impl<'de> ::serde::Deserialize<'de> for Source {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::open(deserializer)
    }
}

impl ::acp_runtime::schema::support::Open for Source {
    const STRICT: bool = false;
}

impl ::acp_runtime::schema::support::Shapes for Source {
    fn read(
        value: ::serde_json::Value,
    ) -> ::std::result::Result<Self, ::serde_json::Error> {
        if let ::std::result::Result::Ok(value) = ::serde::Deserialize::deserialize(
                ::std::clone::Clone::clone(&value),
            )
            .map(Self::Other)
        {
            return ::std::result::Result::Ok(value);
        }
        if let ::std::result::Result::Ok(value) = ::serde::Deserialize::deserialize(
                value,
            )
            .map(Self::Leaf)
        {
            return ::std::result::Result::Ok(value);
        }
        ::std::result::Result::Err(::acp_runtime::schema::support::no_variant("Source"))
    }
}

impl ::std::convert::From<::std::vec::Vec<::std::string::String>> for Source {
    fn from(value: ::std::vec::Vec<::std::string::String>) -> Self {
        Self::Inline { lines: value }
    }
}

impl ::std::convert::From<Leaf> for Source {
    fn from(value: Leaf) -> Self {
        Self::Leaf(value)
    }
}

/// A `Source` that this version of the protocol does not know. It is kept unchanged.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct OtherSource {
    /// The unknown `type`.
    #[serde(rename = "type")]
    pub type_: ::std::string::String,
    /// All fields beside it.
    #[serde(flatten)]
    pub fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
}

impl OtherSource {
    /// Keeps `fields` under a tag that is not known.
    #[must_use]
    pub fn new(
        type_: impl ::std::convert::Into<::std::string::String>,
        mut fields: ::serde_json::Map<::std::string::String, ::serde_json::Value>,
    ) -> Self {
        fields.remove("type");
        Self {
            type_: type_.into(),
            fields,
        }
    }
}

impl<'de> ::serde::Deserialize<'de> for OtherSource {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        let (type_, fields) = ::acp_runtime::schema::support::unknown(
            deserializer,
            "type",
            &["inline"],
            &[],
        )?;
        ::std::result::Result::Ok(Self { type_, fields })
    }
}

/// A union by shape.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
#[non_exhaustive]
pub enum Value {
    /// `Number` on the wire.
    Number(i64),
    /// `Texts` on the wire.
    Texts(::std::vec::Vec<::std::string::String>),
}

impl<'de> ::serde::Deserialize<'de> for Value {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::untagged(deserializer)
    }
}

impl ::acp_runtime::schema::support::Shapes for Value {
    fn read(
        value: ::serde_json::Value,
    ) -> ::std::result::Result<Self, ::serde_json::Error> {
        if let ::std::result::Result::Ok(value) = ::serde::Deserialize::deserialize(
                ::std::clone::Clone::clone(&value),
            )
            .map(Self::Number)
        {
            return ::std::result::Result::Ok(value);
        }
        if let ::std::result::Result::Ok(value) = ::serde::Deserialize::deserialize(
                value,
            )
            .map(Self::Texts)
        {
            return ::std::result::Result::Ok(value);
        }
        ::std::result::Result::Err(::acp_runtime::schema::support::no_variant("Value"))
    }
}

impl ::std::convert::From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Number(value)
    }
}

impl ::std::convert::From<::std::vec::Vec<::std::string::String>> for Value {
    fn from(value: ::std::vec::Vec<::std::string::String>) -> Self {
        Self::Texts(value)
    }
}

/// Any JSON.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Anything {
    /// The method; it travels in the message around the params, not in them.
    pub method: ::std::sync::Arc<str>,
    /// The params, as they stand on the wire.
    pub params: ::std::sync::Arc<::serde_json::value::RawValue>,
}

impl Anything {
    /// A new `Anything` of a method name, which starts with `_`, and its params.
    #[must_use]
    pub fn new(
        method: impl ::std::convert::Into<::std::sync::Arc<str>>,
        params: ::std::sync::Arc<::serde_json::value::RawValue>,
    ) -> Self {
        Self {
            method: method.into(),
            params,
        }
    }
}

/// The same text: spaces and the order of keys count.
impl ::std::cmp::PartialEq for Anything {
    fn eq(&self, other: &Self) -> bool {
        self.method == other.method && self.params.get() == other.params.get()
    }
}

impl ::serde::Serialize for Anything {
    fn serialize<S: ::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::std::result::Result<S::Ok, S::Error> {
        ::serde::Serialize::serialize(&*self.params, serializer)
    }
}

/// The method stays empty, because it is not a part of the params.
impl<'de> ::serde::Deserialize<'de> for Anything {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        let params = ::acp_runtime::schema::support::shared_raw(deserializer)?;
        ::std::result::Result::Ok(Self { method: "".into(), params })
    }
}

/// The alternatives inside `MakeThingRequest`.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize)]
#[serde(tag = "kind")]
#[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
#[non_exhaustive]
pub enum ThingKind {
    /// `plain` on the wire.
    #[serde(rename = "plain")]
    Plain(Empty),
}

impl ::acp_runtime::schema::support::Tagged for ThingKind {
    const NAME: &'static str = "ThingKind";
    const TAG: &'static str = "kind";
    const TAGS: &'static [&'static str] = &["plain"];
    fn variant<'de, __D: ::serde::Deserializer<'de>>(
        tag: usize,
        content: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        match tag {
            0 => ::serde::Deserialize::deserialize(content).map(Self::Plain),
            _ => {
                ::std::result::Result::Err(
                    ::acp_runtime::schema::support::no_variant("ThingKind"),
                )
            }
        }
    }
}

impl<'de> ::serde::Deserialize<'de> for ThingKind {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        ::acp_runtime::schema::support::tagged(deserializer)
    }
}

impl ::std::convert::From<Empty> for ThingKind {
    fn from(value: Empty) -> Self {
        Self::Plain(value)
    }
}

/// Makes a thing.
#[derive(Clone, Debug, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
#[non_exhaustive]
pub struct MakeThingRequest {
    /// `thingId` on the wire.
    #[serde(rename = "thingId")]
    pub thing_id: ThingId,
    /// `colour` on the wire.
    #[serde(
        default,
        skip_serializing_if = "::acp_runtime::schema::support::is_default",
        deserialize_with = "::acp_runtime::schema::support::default_on_error"
    )]
    pub colour: Colour,
    /// `nodes` on the wire.
    #[serde(
        default,
        skip_serializing_if = "::std::vec::Vec::is_empty",
        deserialize_with = "::acp_runtime::schema::support::items_or_default"
    )]
    pub nodes: ::std::vec::Vec<Node>,
    /// `level` on the wire.
    #[serde(default, skip_serializing_if = "::std::option::Option::is_none")]
    pub level: ::std::option::Option<Level>,
    /// `title` on the wire.
    #[serde(
        default,
        skip_serializing_if = "::acp_runtime::schema::MaybeUndefined::is_undefined"
    )]
    pub title: ::acp_runtime::schema::MaybeUndefined<::std::string::String>,
    /// `folder` on the wire.
    #[serde(default, skip_serializing_if = "::std::option::Option::is_none")]
    pub folder: ::std::option::Option<::std::path::PathBuf>,
    /// `env` on the wire.
    #[serde(
        default,
        skip_serializing_if = "::std::collections::BTreeMap::is_empty",
        deserialize_with = "::acp_runtime::schema::support::default_on_null"
    )]
    pub env: ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    /// `quiet` on the wire.
    #[serde(default)]
    pub quiet: bool,
    /// The kind of this `MakeThingRequest`, and the fields of this kind.
    #[serde(flatten)]
    pub kind: ThingKind,
    /// `_meta` on the wire.
    #[serde(
        rename = "_meta",
        default,
        skip_serializing_if = "::std::option::Option::is_none",
        deserialize_with = "::acp_runtime::schema::support::meta_or_default"
    )]
    pub meta: ::std::option::Option<::acp_runtime::schema::Meta>,
}

impl MakeThingRequest {
    /// A new `MakeThingRequest` of what is required; the rest is not set.
    #[must_use]
    pub fn new(
        thing_id: impl ::std::convert::Into<ThingId>,
        kind: impl ::std::convert::Into<ThingKind>,
    ) -> Self {
        Self {
            thing_id: thing_id.into(),
            colour: ::std::default::Default::default(),
            nodes: ::std::default::Default::default(),
            level: ::std::default::Default::default(),
            title: ::std::default::Default::default(),
            folder: ::std::default::Default::default(),
            env: ::std::default::Default::default(),
            quiet: ::std::default::Default::default(),
            kind: kind.into(),
            meta: ::std::default::Default::default(),
        }
    }
    /// Sets `colour`.
    #[must_use]
    pub fn colour(mut self, colour: Colour) -> Self {
        self.colour = colour;
        self
    }
    /// Sets `nodes`.
    #[must_use]
    pub fn nodes(mut self, nodes: ::std::vec::Vec<Node>) -> Self {
        self.nodes = nodes;
        self
    }
    /// Sets `level`.
    #[must_use]
    pub fn level(
        mut self,
        level: impl ::acp_runtime::schema::IntoOption<Level>,
    ) -> Self {
        self.level = level.into_option();
        self
    }
    /// Sets `title`.
    #[must_use]
    pub fn title(
        mut self,
        title: impl ::acp_runtime::schema::IntoMaybeUndefined<::std::string::String>,
    ) -> Self {
        self.title = title.into_maybe_undefined();
        self
    }
    /// Sets `folder`.
    #[must_use]
    pub fn folder(
        mut self,
        folder: impl ::acp_runtime::schema::IntoOption<::std::path::PathBuf>,
    ) -> Self {
        self.folder = folder.into_option();
        self
    }
    /// Sets `env`.
    #[must_use]
    pub fn env(
        mut self,
        env: ::std::collections::BTreeMap<::std::string::String, ::std::string::String>,
    ) -> Self {
        self.env = env;
        self
    }
    /// Sets `quiet`.
    #[must_use]
    pub fn quiet(mut self, quiet: bool) -> Self {
        self.quiet = quiet;
        self
    }
    /// Sets `_meta`.
    #[must_use]
    pub fn meta(
        mut self,
        meta: impl ::acp_runtime::schema::IntoOption<::acp_runtime::schema::Meta>,
    ) -> Self {
        self.meta = meta.into_option();
        self
    }
}

/// `MakeThingResponse` of the protocol.
#[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
#[non_exhaustive]
pub struct MakeThingResponse {
    /// `level` on the wire.
    #[serde(skip_serializing_if = "::std::option::Option::is_none")]
    pub level: ::std::option::Option<u32>,
}

impl<'de> ::serde::Deserialize<'de> for MakeThingResponse {
    fn deserialize<__D: ::serde::Deserializer<'de>>(
        deserializer: __D,
    ) -> ::std::result::Result<Self, __D::Error> {
        use ::acp_runtime::schema::support as __support;
        struct __Fields {
            level: ::std::option::Option<::std::option::Option<u32>>,
        }
        impl<'de> __support::Fields<'de> for __Fields {
            const NAME: &'static str = "MakeThingResponse";
            const WIRE: &'static [&'static str] = &["level"];
            fn read<N: __support::Next<'de>>(
                &mut self,
                field: usize,
                next: N,
            ) -> ::std::result::Result<(), N::Error> {
                match field {
                    0 => next.read(&mut self.level),
                    _ => next.skip(),
                }
            }
        }
        __support::payload(
                deserializer,
                __Fields {
                    level: ::std::option::Option::None,
                },
            )
            .map(|fields| Self {
                level: fields.level.unwrap_or_default(),
            })
    }
}

impl MakeThingResponse {
    /// A new `MakeThingResponse` in which nothing is set.
    #[must_use]
    pub fn new() -> Self {
        Self {
            level: ::std::default::Default::default(),
        }
    }
    /// Sets `level`.
    #[must_use]
    pub fn level(mut self, level: impl ::acp_runtime::schema::IntoOption<u32>) -> Self {
        self.level = level.into_option();
        self
    }
}

/// Error types.
pub mod error {
    /// Error from a `TryFrom` or `FromStr` implementation.
    pub struct ConversionError(::std::borrow::Cow<'static, str>);
    impl ::std::error::Error for ConversionError {}
    impl ::std::fmt::Display for ConversionError {
        fn fmt(
            &self,
            f: &mut ::std::fmt::Formatter<'_>,
        ) -> Result<(), ::std::fmt::Error> {
            ::std::fmt::Display::fmt(&self.0, f)
        }
    }
    impl ::std::fmt::Debug for ConversionError {
        fn fmt(
            &self,
            f: &mut ::std::fmt::Formatter<'_>,
        ) -> Result<(), ::std::fmt::Error> {
            ::std::fmt::Debug::fmt(&self.0, f)
        }
    }
    impl From<&'static str> for ConversionError {
        fn from(value: &'static str) -> Self {
            Self(value.into())
        }
    }
    impl From<String> for ConversionError {
        fn from(value: String) -> Self {
            Self(value.into())
        }
    }
}

/// Every request that one side sends.
#[derive(Clone, Debug, ::serde::Serialize)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "the schema says what a variant holds")]
#[non_exhaustive]
pub enum ClientRequest {
    /// Carries `MakeThingRequest`.
    MakeThingRequest(MakeThingRequest),
    /// Carries `Anything`.
    ExtMethodRequest(Anything),
}

impl ClientRequest {
    /// The name of the message's method.
    #[must_use]
    pub fn method(&self) -> &str {
        match self {
            Self::MakeThingRequest(_) => "thing/make",
            Self::ExtMethodRequest(payload) => &payload.method,
        }
    }
    /// Decodes the request of a method.
    ///
    /// Returns `None` if the method is neither one of these nor an extension, whose name starts with `_`.
    ///
    /// # Errors
    ///
    /// The error of the deserializer, if the payload does not have the form that the method requires.
    pub fn parse<'de, D: ::serde::Deserializer<'de>>(
        method: &str,
        payload: D,
    ) -> ::std::option::Option<::std::result::Result<Self, D::Error>> {
        ::std::option::Option::Some(
            match method {
                "thing/make" => {
                    <MakeThingRequest as ::serde::Deserialize>::deserialize(payload)
                        .map(Self::MakeThingRequest)
                }
                extension if extension.starts_with('_') => {
                    ::acp_runtime::schema::support::shared_raw(payload)
                        .map(|raw| Self::ExtMethodRequest(Anything::new(extension, raw)))
                }
                _ => return ::std::option::Option::None,
            },
        )
    }
}

impl ::acp_runtime::schema::Payload for ClientRequest {
    fn method(&self) -> &str {
        Self::method(self)
    }
}

impl ::std::convert::From<MakeThingRequest> for ClientRequest {
    fn from(payload: MakeThingRequest) -> Self {
        Self::MakeThingRequest(payload)
    }
}

/// One type for every method. It names the other types of the method.
pub mod methods {
    /// `thing/make`, a request that the agent receives.
    ///
    /// Makes a thing.
    #[derive(Clone, Copy, Debug)]
    pub struct Make;
    impl ::acp_runtime::schema::Method for Make {
        const NAME: &'static str = "thing/make";
        const HANDLER: &'static str = "make";
        const SIDE: ::acp_runtime::schema::Side = ::acp_runtime::schema::Side::Agent;
        const KIND: ::acp_runtime::schema::MethodKind = ::acp_runtime::schema::MethodKind::Request;
        const FIELDS: ::std::option::Option<&'static [&'static str]> = ::std::option::Option::Some(
            &[
                "thingId",
                "colour",
                "nodes",
                "level",
                "title",
                "folder",
                "env",
                "quiet",
                "_meta",
                "kind",
            ],
        );
        type Params = super::MakeThingRequest;
        type Response = super::MakeThingResponse;
    }
    impl ::acp_runtime::schema::RequestMethod for Make {}
    impl ::acp_runtime::schema::AgentMethod for Make {}
}

/// Names of the methods that agents handle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct AgentMethodNames {
    /// `thing/make`.
    pub thing_make: &'static str,
}

/// Names of the methods that agents handle.
pub const AGENT_METHOD_NAMES: AgentMethodNames = AgentMethodNames {
    thing_make: "thing/make",
};
