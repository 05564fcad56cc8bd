//! A method of a draft, which a function with `#[draft]` handles by its name. The runtime handles all of them by their markers.

use heck::ToPascalCase;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::Signature;

use super::arm::{Arm, List};
use super::names;
use crate::diagnostics::Sink;
use crate::drafts::{DRAFTS, Session};
use crate::handlers::draft::{is_promoted, moved, report};
use crate::methods::{Kind, METHODS, Method, Side};
use crate::text;

pub(super) struct Draft {
    method: &'static Method,
    session: Session,
}

/// The meaning of a function with `#[draft]`.
pub(super) enum Meant {
    Draft(Draft),
    /// As without the attribute.
    Named,
    /// This was reported.
    Nothing,
}

impl Draft {
    /// The draft of a method; `None` if the method is stable, and no draft is left of it.
    pub(super) fn of(method: &'static Method) -> Option<Self> {
        let row = DRAFTS.iter().find(|draft| draft.wire == method.wire).map(|draft| draft.session);
        // A draft of which the overlay says nothing has no session, and no capability.
        let session = row.or(method.draft.then_some(Session::Named))?;
        (method.side == Side::Agent).then_some(Self { method, session })
    }

    pub(super) fn check(word: &Ident, signature: &Signature, sink: &Sink) -> Meant {
        let name = &signature.ident;
        let written = text::plain(name);
        let method = METHODS.iter().find(|method| method.handler == written && method.side == Side::Agent);
        match (method, moved(&written)) {
            (Some(method), _) if method.draft => Self::of(method).map_or(Meant::Named, Meant::Draft),
            (Some(method), _) => {
                if !is_promoted(word, &written, sink) {
                    sink.error(word, format_args!("`{}` is no draft: it belongs to the stable protocol", method.wire))
                        .help("remove `#[draft]`");
                    return Meant::Nothing;
                }
                Self::of(method).map_or(Meant::Named, Meant::Draft)
            }
            (None, Some(moved)) => {
                report(moved, name, sink);
                Meant::Nothing
            }
            (None, None) => {
                names::check_draft(signature, sink);
                Meant::Nothing
            }
        }
    }
}

impl Arm for Draft {
    fn wire(&self) -> String {
        self.method.wire.to_owned()
    }

    fn marker(&self) -> TokenStream {
        let marker = format_ident!("{}", self.method.handler.to_pascal_case());
        match (self.method.kind, self.session) {
            (Kind::Notification, _) => quote!(DraftNotificationOf<__acp::drafts::#marker>),
            (Kind::Request, Session::Named) => quote!(DraftOf<__acp::drafts::#marker>),
            (Kind::Request, Session::Ends) => quote!(DraftEndOf<__acp::drafts::#marker>),
            (Kind::Request, Session::Opens) => quote!(DraftOpenerOf<__acp::drafts::#marker>),
        }
    }

    fn is_listed(&self) -> bool {
        false
    }

    fn is_notification(&self) -> bool {
        self.method.kind == Kind::Notification
    }

    fn opens_session(&self) -> bool {
        self.session == Session::Opens
    }

    fn entry(&self) -> Option<(List, TokenStream)> {
        let wire = self.method.wire;
        Some(match self.method.kind {
            Kind::Request => (List::Methods, wire.to_token_stream()),
            Kind::Notification => (List::Extensions, quote!(__acp::Extension::draft(#wire))),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expansion of an agent with this function.
    fn expanded(function: &str) -> String {
        let block = format!(
            "impl Echo {{ async fn prompt(&self) -> StopReason {{ StopReason::EndTurn }} async fn list_sessions(&self) {{}} {function} }}"
        );
        crate::agent::expand(TokenStream::new(), block.parse().unwrap()).to_string()
    }

    fn told(function: &str, text: &str) {
        let tokens = expanded(function);
        assert_eq!(tokens.matches("compile_error").count(), 1, "{tokens}");
        assert!(tokens.contains(text), "`{text}` is not in {tokens}");
        assert!(tokens.contains("OneBlockWithoutPart"), "the other functions are handlers: {tokens}");
    }

    #[test]
    fn each_draft_has_its_marker() {
        for (function, marker) in [
            ("set_session_title", "DraftOf < __acp :: drafts :: SetSessionTitle >"),
            ("archive_session", "DraftEndOf < __acp :: drafts :: ArchiveSession >"),
            ("fork_session", "DraftOpenerOf < __acp :: drafts :: ForkSession >"),
            ("message_mcp_notification", "DraftNotificationOf < __acp :: drafts :: MessageMcpNotification >"),
        ] {
            let tokens = expanded(&format!("#[draft] async fn {function}(&self) {{}}"));
            assert!(tokens.contains(marker) && !tokens.contains("compile_error"), "{tokens}");
            assert!(!tokens.contains("# [draft]"), "the compiler does not know it: {tokens}");
        }
        for method in METHODS.iter().filter(|method| method.draft && method.side == Side::Agent) {
            let tokens = expanded(&format!("#[draft] async fn {}(&self) {{}}", method.handler));
            assert!(!tokens.contains("compile_error"), "{tokens}");
        }
    }

    #[test]
    fn mistakes_of_the_attribute_are_told() {
        told("#[draft] async fn cancel(&self) {}", "`session/cancel` is no draft: it belongs to the stable protocol");
        told("async fn fork_session(&self) {}", "write `#[draft] async fn fork_session`, with the feature `unstable`");
        told("#[draft] async fn fork_sesion(&self) {}", "did you mean `fork_session`?");
        told("#[draft] async fn message_mcp(&self) {}", "is a draft of the protocol, and a method of the client");
        told("#[draft(now)] async fn fork_session(&self) {}", "`#[draft]` takes nothing");
        told("#[draft] #[draft] async fn fork_session(&self) {}", "the function is marked twice");
        told("#[draft] #[ext(\"_a/b\")] async fn stats(&self) {}", "and `#[ext(..)]` gives it another meaning");
        told("#[draft] #[command] async fn web(&self) {}", "and `#[command]` gives it another meaning");
        told("#[cfg_attr(on, draft)] async fn fork_session(&self) {}", "`#[draft]` cannot depend on a condition");
        told("#[drafts] async fn stats(&self) {}", "did you mean `#[draft]`?");
    }

    #[test]
    fn words_of_drafts_are_stated() {
        let declared = |words: &str| {
            let arguments = format!("capabilities({words})").parse().unwrap();
            crate::agent::expand(arguments, "struct Echo;".parse().unwrap()).to_string()
        };
        let tokens = declared("image, system_prompt");
        assert!(tokens.contains(". image () . drafts (& [\"system_prompt\"])"), "{tokens}");
        assert!(tokens.contains("opens_sessions"), "a handler reads it: {tokens}");
        assert!(declared("mcp_acp, mcp_acp").contains("is stated twice"));
    }

    /// The page of the struct's keys is written by hand, because the words follow from the schema.
    #[test]
    fn words_of_drafts_stand_in_the_reference() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../acp-runtime/core/src/agent/mod.rs");
        let page = std::fs::read_to_string(page).unwrap();
        for (word, line) in crate::drafts::WORDS {
            let row = format!("//! | `{word}` | refused | {line} |");
            assert!(page.contains(&row), "agent/mod.rs lacks {row}");
        }
        for method in METHODS.iter().filter(|method| method.draft && method.side == Side::Agent) {
            assert!(page.contains(&format!("`{}`", method.handler)), "agent/mod.rs lacks `{}`", method.handler);
        }
    }
}
