//! The pages that `cargo doc` makes for authors. The tests check the content of an agent's page, the text of each page,
//! and the links that rustdoc does not check.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::LazyLock,
};

/// The folder of `acp_runtime`'s pages.
static PAGES: LazyLock<PathBuf> = LazyLock::new(|| {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages");
    let output = Command::new(env!("CARGO"))
        .args([
            "doc",
            "--quiet",
            "--offline",
            "--locked",
            "--no-deps",
            "-p",
            "acp-agent-runtime",
            "--features",
            "hooks,questions",
            "--target-dir",
        ])
        .arg(&target)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("doc/acp_runtime")
});

/// A page without blanket implementations, which rustdoc adds from other crates.
struct Page {
    path: PathBuf,
    html: String,
}

/// The pages that a reader reaches by links. A page of a hidden item is reached only from other pages.
fn pages() -> Vec<Page> {
    let (mut pages, mut found, mut seen) = (vec![PAGES.join("index.html")], Vec::new(), BTreeSet::new());
    while let Some(path) = pages.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let html = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let html = html.split_once(r#"id="main-content""#).unwrap().1;
        let html = html.split(r#"id="synthetic-implementations""#).next().unwrap().to_owned();
        let page = Page { path, html };
        pages.extend(page.links().map(|(to, _)| to).filter(|to| to.exists()));
        found.push(page);
    }
    found
}

impl Page {
    /// The links of a page to pages of this crate, each with its anchor.
    fn links(&self) -> impl Iterator<Item = (PathBuf, Option<&str>)> {
        let hrefs = self.html.split(r#"href=""#).skip(1).filter_map(|rest| rest.split('"').next());
        hrefs.filter(|href| !href.contains("://") && !href.contains("/src/")).filter_map(|href| {
            let (to, anchor) = href.split_once('#').map_or((href, None), |(to, anchor)| (to, Some(anchor)));
            // This link is in tokio's documentation of a tokio function.
            if to.starts_with("AsyncWrite::") {
                return None;
            }
            let mut at = if to.is_empty() { self.path.clone() } else { self.path.parent().unwrap().to_owned() };
            for part in to.split('/').filter(|part| !part.is_empty()) {
                match part {
                    ".." => drop(at.pop()),
                    part => at.push(part),
                }
            }
            at.starts_with(&*PAGES).then_some((at, anchor))
        })
    }

    fn name(&self) -> String {
        self.path.strip_prefix(&*PAGES).unwrap().display().to_string()
    }

    /// The page's text about its item.
    fn words(&self) -> String {
        let Some((_, rest)) = self.html.split_once("top-doc") else { return String::new() };
        let text = rest.split_once(r#"<div class="docblock">"#).unwrap().1.split("</details>").next().unwrap();
        text.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text)).collect()
    }
}

#[test]
fn the_page_of_an_agent_shows_what_its_author_uses() {
    let items = fs::read_to_string(PAGES.join("agent/sidebar-items.js")).unwrap();
    let json = items.trim_start_matches("window.SIDEBAR_ITEMS = ").trim_end_matches(';');
    let shown: serde_json::Value = serde_json::from_str(json).unwrap();
    let expected = serde_json::json!({
        "mod": ["handlers"],
        "struct": [
            "Authenticated", "ConnectionContext", "Host", "Initialized", "MethodName", "OpenedSession", "Parts", "RequestMeta", "Restored", "Roots",
            "ServeOptions", "Serving", "Shared",
        ],
        "trait": ["FromCall", "FromRef", "Handled", "Handlers", "OnThreads", "Serve", "ShutdownSignal"],
    });
    assert_eq!(shown, expected);
}

#[test]
fn every_page_says_what_it_is_for() {
    // The pages of the protocol's types have their texts from the schema.
    let of_the_schema =
        |name: &str| ["values/", "schema/", "store/values/"].iter().any(|place| name.starts_with(place));
    let silent: Vec<String> = pages()
        .iter()
        .filter(|page| !of_the_schema(&page.name()) && page.words().trim().len() < 40)
        .map(Page::name)
        .collect();
    assert!(silent.is_empty(), "these say nothing, or little more than their name: {silent:#?}");
}

#[test]
fn no_page_names_what_only_expansions_use() {
    let contract = ["CallContext", "Responder", "SLOT", "slot::"];
    let told: Vec<String> =
        pages().iter().filter(|page| contract.iter().any(|word| page.html.contains(word))).map(Page::name).collect();
    assert!(told.is_empty(), "{told:#?}");
}

#[test]
fn links_lead_somewhere() {
    let pages = pages();
    let by_path: BTreeMap<&Path, &Page> = pages.iter().map(|page| (page.path.as_path(), page)).collect();
    let mut broken = BTreeSet::new();
    for page in &pages {
        for (to, anchor) in page.links() {
            let there = by_path.get(to.as_path()).is_some_and(|page| {
                anchor.is_none_or(|anchor| anchor.is_empty() || page.html.contains(&format!(r#"id="{anchor}""#)))
            });
            if !there {
                let to = to.strip_prefix(&*PAGES).unwrap().display();
                broken.insert(format!("{} -> {to}#{}", page.name(), anchor.unwrap_or_default()));
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}
