//! The files and folders of `acp-client`.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::Value;

use super::{house::House, rules, source};

fn house() -> House {
    House::read("acp-client/src", 80)
}

#[test]
fn no_room_knows_one_above_it() {
    rules::no_room_knows_one_above_it(
        &house(),
        &[
            &["values"],
            &["error", "options", "connect_options", "new_session", "reopened", "handlers", "gauge", "opened"],
            &["dialect", "process"],
            &["update", "versions"],
            &["inbox"],
            &["link", "contract"],
            &["role", "session", "listing"],
            &["connection"],
            &["endpoint"],
            &["parts", "proxy", "testing", "absent"],
        ],
    );
}

#[test]
fn no_arrow_runs_up_and_no_files_lead_to_each_other() {
    rules::no_arrow_runs_up(&house(), &[]);
    rules::no_files_lead_to_each_other(&house(), &[]);
}

/// These files have such words, each for a reason.
const OUTSIDE: &[(&str, &str)] = &[
    // An error shows the field that the agent left out, or filled with an old value.
    ("contract/lent.rs", "sessionId"),
    ("listing.rs", "nextCursor"),
    // The data of an error, which no version defines.
    ("parts/terminals/mod.rs", "terminalId"),
    // A title for people.
    ("parts/permissions.rs", "switch_mode"),
    // A proxy passes messages of every version on. It reads the one that belongs to messages themselves.
    ("proxy/side.rs", "$/cancel_request"),
    ("proxy/side.rs", "Deserialize"),
    // The kit shows the end of a turn as the agent sent it.
    ("testing/turn.rs", "stopReason"),
    // It selects the version whose shapes the values have.
    ("values.rs", "v1"),
];

/// Only the files of `dialect` read the messages of an agent, and name what stands in them. In all other files, this test
/// looks for
///
/// - a version as an identifier (`v1`), and `Deserialize`, which would give a message a shape of its own;
/// - in texts, a method of the schema (`session/new`, while its marker `methods::NewSession` is as good as a type of
///   `values`), a field (`sessionId`), and a value such as a kind of update (`"config_option_update"`).
///
/// It does not see words that are also words of English: `logout`, `update`, `modes`.
#[test]
fn the_words_of_a_version_stand_in_dialect() {
    let words = Words::of_schema();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../acp-client/src");
    let mut found = BTreeSet::new();
    for source in house().sources() {
        let path = source.path.display().to_string();
        let text = fs::read_to_string(root.join(&source.path)).expect("a source");
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let idents = source.idents.iter().filter(|ident| source::is_version(ident) || *ident == "Deserialize");
        found.extend(code.flat_map(|line| words.of(line)).chain(idents).map(|word| (path.clone(), word.clone())));
    }
    let (inside, outside): (BTreeSet<_>, BTreeSet<_>) =
        found.iter().map(|(path, word)| (&**path, &**word)).partition(|(path, _)| path.starts_with("dialect/"));
    assert_eq!(outside, OUTSIDE.iter().copied().collect(), "move these into `dialect`, or drop them from the list");
    for word in ["v1", "Deserialize", "sessionId", "loadSession", "config_option_update"] {
        assert!(inside.iter().any(|(_, found)| *found == word), "`{word}` is not found where it is: {inside:?}");
    }
}

/// The words of version 1 that are none of English.
#[derive(Default)]
struct Words {
    methods_and_fields: BTreeSet<String>,
    values: BTreeSet<String>,
}

impl Words {
    fn of_schema() -> Self {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../schema/v1/schema.json");
        let schema = serde_json::from_str(&fs::read_to_string(path).expect("the schema")).expect("JSON");
        let mut words = Self::default();
        words.add(&schema);
        words.methods_and_fields.retain(|word| word.contains('/') || word.contains(char::is_uppercase));
        // The begin of a name, too: `terminal/`.
        let areas = words.methods_and_fields.iter().filter_map(|word| word.rsplit_once('/'));
        let areas: Vec<_> = areas.map(|(area, _)| format!("{area}/")).collect();
        words.methods_and_fields.extend(areas);
        words.values.retain(|word| word.contains('_'));
        assert!(words.methods_and_fields.len() > 60 && words.values.len() > 15, "the schema has its words");
        words
    }

    fn add(&mut self, schema: &Value) {
        let text = |key: &str| schema[key].as_str().map(str::to_owned);
        self.methods_and_fields.extend(text("x-method"));
        self.values.extend(text("const"));
        self.methods_and_fields
            .extend(schema["properties"].as_object().into_iter().flat_map(|all| all.keys().cloned()));
        match schema {
            Value::Object(parts) => parts.values().for_each(|part| self.add(part)),
            Value::Array(parts) => parts.iter().for_each(|part| self.add(part)),
            _ => {}
        }
    }

    fn of<'w>(&'w self, line: &'w str) -> impl Iterator<Item = &'w String> {
        let parts = line.split(|sign: char| !sign.is_ascii_alphanumeric() && !"_/$".contains(sign));
        let values = self.values.iter().filter(move |value| line.contains(&format!("\"{value}\"")));
        parts.filter_map(|part| self.methods_and_fields.get(part)).chain(values)
    }
}
