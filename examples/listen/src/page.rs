//! The page: files of the folder `page`, as they are, with a policy that lets the browser run these alone.

use std::path::Path;

use axum::{
    Router,
    http::header,
    response::{IntoResponse, Response},
    routing::get,
};

/// The files beside the page, by their paths.
const FILES: [(&str, &str, &str); 8] = [
    ("/icon.svg", SVG, include_str!("page/icon.svg")),
    ("/style.css", CSS, include_str!("page/style.css")),
    ("/session.css", CSS, include_str!("page/session.css")),
    ("/main.js", JAVASCRIPT, include_str!("page/main.js")),
    ("/transport.js", JAVASCRIPT, include_str!("page/transport.js")),
    ("/peer.js", JAVASCRIPT, include_str!("page/peer.js")),
    ("/transcript.js", JAVASCRIPT, include_str!("page/transcript.js")),
    ("/controls.js", JAVASCRIPT, include_str!("page/controls.js")),
];

const PAGE: &str = include_str!("page/page.html");

const CSS: &str = "text/css; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const SVG: &str = "image/svg+xml";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// Scripts and styles are files of this server, and talk to this server. No other page shows it in a frame. A browser that knows
/// trusted types refuses any text as HTML, too.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The page at `/`, and its files. New sessions work in `folder` if the user writes no other one.
pub(crate) fn routes(folder: Option<&Path>) -> Router {
    let folder = folder.map(|folder| folder.to_string_lossy().into_owned()).unwrap_or_default();
    let page = PAGE.replace("{folder}", &escaped(&folder));
    let router = Router::new().route("/", get(async move || file(HTML, page)));
    FILES.into_iter().fold(router, |router, (path, kind, text)| router.route(path, get(async move || file(kind, text))))
}

fn file(kind: &'static str, text: impl IntoResponse) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        // The next build of the example has other files.
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ];
    (headers, text).into_response()
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_needs_nothing_but_its_files() {
        let names: Vec<_> = FILES.iter().map(|(path, ..)| &path[1..]).collect();
        for text in FILES.iter().map(|(.., text)| *text).chain([PAGE]) {
            for quoted in text.split('"').skip(1).step_by(2) {
                if quoted.ends_with(".js") || quoted.ends_with(".css") {
                    assert!(names.contains(&quoted.trim_start_matches("./")), "{quoted} is not served");
                }
            }
            for forbidden in ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "https://"] {
                assert!(!text.contains(forbidden), "{forbidden}");
            }
        }
        assert!(PAGE.contains("{folder}") && !PAGE.contains("style=") && !PAGE.contains("onclick"));
    }

    #[test]
    fn a_folder_is_text() {
        assert_eq!(escaped(r#"/a "b" <c> & d"#), "/a &quot;b&quot; &lt;c> &amp; d");
    }
}
