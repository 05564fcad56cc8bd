//! A method of the protocol, which a function handles by its name.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote_spanned};

use super::arm::{Arm, Handler, List, NOT_LENT};
use crate::diagnostics::place;
use crate::handlers::signature::NotLent;
use crate::methods::{Kind, Method};

pub(super) const PROMPT: &str = "prompt";

/// The handlers whose methods a store serves.
const SERVED_BY_STORES: &[&str] = &["load_session", "resume_session", "list_sessions"];

impl Arm for &'static Method {
    fn wire(&self) -> String {
        self.wire.to_owned()
    }

    fn marker(&self) -> TokenStream {
        format_ident!("{}", self.handler).into_token_stream()
    }

    fn is_notification(&self) -> bool {
        self.kind == Kind::Notification
    }
    fn not_lent(&self) -> Option<&'static NotLent> {
        Some(&NOT_LENT).filter(|_| self.handler != PROMPT)
    }

    fn opens_session(&self) -> bool {
        matches!(self.handler, "new_session" | "load_session" | "resume_session")
    }

    fn entry(&self) -> Option<(List, TokenStream)> {
        Some((List::Methods, self.wire.to_token_stream()))
    }

    fn checks(&self, handler: &Handler) -> Vec<TokenStream> {
        let name = SERVED_BY_STORES.iter().find(|served| **served == self.handler);
        name.map(|name| quote_spanned!(place(&handler.name)=> __acp::is_not_stored::<__A>(#name);))
            .into_iter()
            .collect()
    }
}
