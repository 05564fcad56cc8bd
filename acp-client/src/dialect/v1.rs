//! Version 1. The values have the shapes of this version, so messages pass unchanged.

use acp_peer::wire::decode::from_json;
use serde_json::value::RawValue;

use super::{Dialect, Heard, Said, lost::text_after};
use crate::schema::{
    Method,
    v1::{InitializeResponse, methods},
};

/// Version 1.
pub(super) struct V1;

impl Dialect for V1 {
    fn version(&self) -> u16 {
        1
    }

    fn initialized(&self, answer: &str) -> serde_json::Result<InitializeResponse> {
        from_json(answer)
    }

    fn said(&self, _: &str, _: &dyn Fn() -> serde_json::Result<Box<RawValue>>) -> Option<Said> {
        None
    }

    fn heard<'m>(&self, method: &'m str, _: Option<&RawValue>) -> Heard<'m> {
        Heard::unchanged(method)
    }

    fn cut_off(&self, head: &str) -> Option<(String, String)> {
        if text_after(head, r#""method""#)? != methods::SessionUpdate::NAME {
            return None;
        }
        Some((text_after(head, r#""sessionId""#)?, text_after(head, r#""sessionUpdate""#).unwrap_or_default()))
    }
}
