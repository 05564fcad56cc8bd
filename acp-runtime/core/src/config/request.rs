//! `session/set_config_option`, as clients send it. Clients follow the schema less strictly than it demands: see the
//! cases of `Value`.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::config::value::ValueRef;
use crate::wire::{Error, Result};
use crate::wire::{decode, undecodable};

/// A request to set one option of one session.
#[derive(Debug, PartialEq)]
pub(crate) struct SetOption<'a> {
    pub(crate) session_id: Cow<'a, str>,
    pub(crate) config_id: Cow<'a, str>,
    pub(crate) value: Requested<'a>,
}

/// The value, as the client sent it. Options can have values of its type.
#[derive(Debug, PartialEq)]
pub(crate) enum Requested<'a> {
    Boolean(bool),
    Id(Cow<'a, str>),
}

impl<'a> SetOption<'a> {
    /// Reads the params. `check` says which types a value may have, in the version that the client speaks.
    ///
    /// See [Setting a config option](https://agentclientprotocol.com/protocol/v1/session-config-options#setting-a-config-option).
    pub(crate) fn parse(params: &'a RawValue, check: CheckOfType) -> Result<Self> {
        // Serde would also read a struct's fields from an array, by position.
        if !params.get().starts_with('{') {
            return Err(Error::invalid_params("invalid params: expected an object"));
        }
        let text = params.get();
        let again = |text: &str| decode::from_json::<Params<'_>>(text).map(drop);
        let params: Params<'a> =
            decode::from_json(text).map_err(|error| undecodable::of_method(text, &error, &again))?;
        let Params { session_id, config_id, kind, value } = params;
        let kind = Type::of(kind);
        check(kind, value)?;
        Ok(Self { session_id, config_id, value: requested(kind, value)? })
    }
}

impl SetOption<'_> {
    /// An owned copy of the request, which does not borrow from the line.
    pub(crate) fn into_owned(self) -> SetOption<'static> {
        let Self { session_id, config_id, value } = self;
        SetOption {
            session_id: session_id.into_owned().into(),
            config_id: config_id.into_owned().into(),
            value: match value {
                Requested::Boolean(value) => Requested::Boolean(value),
                Requested::Id(id) => Requested::Id(id.into_owned().into()),
            },
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params<'a> {
    #[serde(borrow)]
    session_id: Cow<'a, str>,
    #[serde(borrow)]
    config_id: Cow<'a, str>,
    #[serde(borrow, rename = "type", default)]
    kind: Option<&'a RawValue>,
    #[serde(borrow)]
    value: &'a RawValue,
}

/// Refuses a value whose type is missing, or does not fit.
pub(crate) type CheckOfType = fn(Type, &RawValue) -> Result<()>;

/// The `type` of a value.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Type {
    Missing,
    Boolean,
    Id,
    Other,
}

impl Type {
    fn of(sent: Option<&RawValue>) -> Self {
        match sent.map_or("null", RawValue::get) {
            "null" => Self::Missing,
            r#""boolean""# => Self::Boolean,
            r#""id""# => Self::Id,
            text => match decode::from_json::<Cow<'_, str>>(text).as_deref() {
                Ok("boolean") => Self::Boolean,
                Ok("id") => Self::Id,
                _ => Self::Other,
            },
        }
    }
}

/// Only the `type` `"boolean"` changes the meaning of a value. The RFD of boolean options also shows a boolean without
/// `type`, so this is accepted. With any other `type` (`"select"`, `"id"`, ..), the schema promises that a string is
/// read as a value's id.
fn requested(kind: Type, value: &RawValue) -> Result<Requested<'_>> {
    let may_be_boolean = matches!(kind, Type::Boolean | Type::Missing);
    match value.get() {
        "true" if may_be_boolean => Ok(Requested::Boolean(true)),
        "false" if may_be_boolean => Ok(Requested::Boolean(false)),
        _ if kind == Type::Boolean => {
            Err(Error::invalid_params("`value` must be `true` or `false` when `type` is `boolean`"))
        }
        "true" | "false" => Err(Error::invalid_params("a boolean `value` needs the `type` `boolean`, or none")),
        text if text.starts_with('"') => read_id(text),
        _ => Err(Error::invalid_params("`value` must be the id of a value, or a boolean")),
    }
}

fn read_id(text: &str) -> Result<Requested<'_>> {
    #[derive(Deserialize)]
    struct Id<'a>(#[serde(borrow)] Cow<'a, str>);
    let Id(id) = decode::from_json(text).map_err(|error| Error::undecodable_params(&error))?;
    Ok(Requested::Id(id))
}

impl Requested<'_> {
    pub(crate) fn as_value(&self) -> ValueRef<'_> {
        match self {
            Self::Boolean(value) => ValueRef::Boolean(*value),
            Self::Id(id) => ValueRef::Id(id),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(params: &str) -> Result<String> {
        let raw: Box<RawValue> = serde_json::from_str(params).unwrap();
        SetOption::parse(&raw, |_, _| Ok(()))
            .map(|set| format!("{} {} {:?}", set.session_id, set.config_id, set.value.as_value()))
    }

    fn with(rest: &str) -> String {
        format!(r#" {{"sessionId":"s\u0031", "configId":"c", {rest}}} "#)
    }

    #[test]
    fn values_that_clients_send() {
        let cases = [
            (r#""value":"code""#, "s1 c Id(\"code\")"),
            (r#""value":"c\u006fde","type":"select""#, "s1 c Id(\"code\")"),
            (r#""type":"id","value":"code""#, "s1 c Id(\"code\")"),
            (r#""type":"_vendor","value":"true""#, "s1 c Id(\"true\")"),
            (r#""type":5,"value":"code""#, "s1 c Id(\"code\")"),
            (r#""type":null,"value":true"#, "s1 c Boolean(true)"),
            (r#""type":"boolean","value":false"#, "s1 c Boolean(false)"),
            (r#""type":"boole\u0061n","value":true"#, "s1 c Boolean(true)"),
            (r#""value":true,"_meta":{"a":[1]},"else":{}"#, "s1 c Boolean(true)"),
        ];
        for (rest, expected) in cases {
            assert_eq!(parse(&with(rest)).as_deref(), Ok(expected), "{rest}");
        }
    }

    #[test]
    fn values_that_no_option_can_have() {
        let cases = [
            (r#""value":1"#, "must be the id of a value"),
            (r#""value":null"#, "must be the id of a value"),
            (r#""value":["code"]"#, "must be the id of a value"),
            (r#""type":"boolean","value":"true""#, "must be `true` or `false`"),
            (r#""type":"boolean","value":1"#, "must be `true` or `false`"),
            (r#""type":"select","value":true"#, "needs the `type` `boolean`"),
            (r#""type":"boolean""#, "missing field `value`"),
            (r#""value":"\ud800""#, "invalid params"),
        ];
        for (rest, expected) in cases {
            let error = parse(&with(rest)).unwrap_err();
            assert_eq!(error.code(), Error::INVALID_PARAMS, "{rest}");
            assert!(error.message().contains(expected), "{rest} gave {error}");
        }
        for params in [r#"["s","c",null,"code"]"#, r#"{"sessionId":1,"configId":"c","value":"x"}"#, "null"] {
            assert_eq!(parse(params).unwrap_err().code(), Error::INVALID_PARAMS, "{params}");
        }
    }

    #[test]
    fn plain_strings_are_borrowed() {
        let raw: Box<RawValue> = serde_json::from_str(r#"{"sessionId":"s","configId":"c","value":"x"}"#).unwrap();
        let SetOption { session_id, config_id, value } = SetOption::parse(&raw, |_, _| Ok(())).unwrap();
        assert!(matches!((session_id, config_id), (Cow::Borrowed("s"), Cow::Borrowed("c"))));
        assert_eq!(value, Requested::Id(Cow::Borrowed("x")));
    }
}
