//! The schemas with drafts add items to the stable ones. The documentation of every such item says that it is a draft.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use acp_codegen::Builder;
use quote::ToTokens;
use serde_json::json;
use syn::{Attribute, Item};

/// The documentation of each type, and of each field and variant, as `Type.field`.
type Documented = BTreeMap<String, String>;

fn documented(rust: &str) -> Documented {
    let mut out = Documented::new();
    let file = syn::parse_file(rust).expect("the code is Rust");
    for item in file.items {
        let (name, attributes, parts) = match item {
            Item::Struct(item) => (item.ident.to_string(), item.attrs, fields("", &item.fields)),
            Item::Enum(item) => {
                let parts = item.variants.iter().flat_map(|variant| {
                    let name = variant.ident.to_string();
                    let inside = fields(&format!("{name}."), &variant.fields);
                    std::iter::once((name, docs(&variant.attrs))).chain(inside)
                });
                (item.ident.to_string(), item.attrs, parts.collect())
            }
            _ => continue,
        };
        out.extend(parts.into_iter().map(|(part, docs)| (format!("{name}.{part}"), docs)));
        out.insert(name, docs(&attributes));
    }
    out
}

fn fields(before: &str, fields: &syn::Fields) -> Vec<(String, String)> {
    let named = fields.iter().filter_map(|field| Some((field.ident.as_ref()?, &field.attrs)));
    named.map(|(name, attributes)| (format!("{before}{name}"), docs(attributes))).collect()
}

fn docs(attributes: &[Attribute]) -> String {
    let docs = attributes.iter().filter(|attribute| attribute.path().is_ident("doc"));
    docs.map(|attribute| attribute.meta.to_token_stream().to_string()).collect()
}

fn is_remarked(docs: &str) -> bool {
    docs.contains("**Draft**") || docs.contains("**UNSTABLE**")
}

/// Checks both schemas of a version. Returns the number of drafts in stable types.
fn check(version: &str, stable: PathBuf, drafts: PathBuf, overlay: Option<PathBuf>) -> usize {
    let with = |builder: Builder| match &overlay {
        Some(overlay) => builder.overlay(overlay),
        None => builder,
    };
    let code = |builder: Builder| with(builder).generate().unwrap_or_else(|error| panic!("{error}")).rust;
    let before = documented(&code(Builder::new().schema(&stable)));
    let after = documented(&code(Builder::new().schema(drafts).stable(&stable)));
    let mut inside = 0;
    for (name, docs) in &after {
        let mut outer = name.match_indices('.').map(|(at, _)| &name[..at]);
        // If a whole type is a draft, its parts need not say so again.
        if before.contains_key(name) || outer.any(|outer| !before.contains_key(outer)) {
            continue;
        }
        assert!(is_remarked(docs), "{version}: `{name}` is a draft, and does not say so: {docs}");
        inside += usize::from(name.contains('.'));
    }
    let stable = before.iter().filter(|(_, docs)| is_remarked(docs)).count();
    assert_eq!(stable, 0, "{version}: the stable schema has no drafts");
    inside
}

#[test]
fn drafts_of_the_published_schemas_say_so() {
    for (version, least) in [("v1", 20), ("v2", 20)] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../schema").join(version);
        let file = |name: &str| folder.join(name);
        let inside = check(version, file("schema.json"), file("schema.unstable.json"), Some(file("overlay.json")));
        assert!(inside >= least, "{version}: only {inside} drafts stand on stable types");
    }
}

#[test]
fn fields_variants_and_words_that_a_stable_type_has_gained() {
    let write = |name: &str, definitions: serde_json::Value| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("drafts-{name}.json"));
        std::fs::write(&path, json!({ "$defs": definitions }).to_string()).expect("the directory is writable");
        path
    };
    let branch = |tag: &str, fields: &[&str]| {
        let mut branch = json!({ "type": "object", "properties": { "t": { "const": tag } }, "required": ["t"] });
        fields.iter().for_each(|field| branch["properties"][field] = json!({ "type": "string" }));
        branch
    };
    let words = |words: &[&str]| -> Vec<_> { words.iter().map(|word| json!({ "const": word })).collect() };
    let stable = write(
        "stable",
        json!({
            "S": { "type": "object", "properties": { "a": { "type": "string" } } },
            "W": { "oneOf": words(&["a"]) },
            "Un": { "oneOf": [branch("a", &["one"])] },
        }),
    );
    let drafts = write(
        "with",
        json!({
            "S": { "type": "object", "properties": { "b": { "$ref": "#/$defs/W", "description": "It." }, "a": { "type": "string" } } },
            "W": { "oneOf": words(&["b", "a"]) },
            "Un": { "oneOf": [branch("b", &["one"]), branch("a", &["one", "two"])] },
            "N": { "type": "string" },
        }),
    );
    let inside = check("by hand", stable, drafts, None);
    assert_eq!(inside, 4, "S.b, W.B, Un.B and Un.A.two");
}
