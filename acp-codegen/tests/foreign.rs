//! Schemas of other protocols, which are not in this workspace. Name their files in `ACP_SCHEMAS`, separated by `:`,
//! and run `cargo test -p acp-codegen --test main foreign:: -- --ignored --nocapture`. For each schema, the test generates
//! code or prints the refusals with their places. The code must compile, and must keep every value of instances that
//! are made from the schema alone. `acp-codec-tests` always does the same with the shapes of `tests/golden/foreign.json`.

use std::fmt::Write as _;
use std::path::Path;

use crate::instances::{Coverage, Random, Schema};
use crate::{compile, sameness::same};
use acp_codegen::{Builder, Error};
use heck::ToPascalCase as _;
use serde_json::{Value, json};

/// The number of valid instances for each definition.
const INSTANCES: usize = 200;

#[test]
#[ignore = "needs schemas that are not in this workspace, in `ACP_SCHEMAS`"]
fn every_value_of_a_schema_is_kept() {
    let files = std::env::var_os("ACP_SCHEMAS").expect("`ACP_SCHEMAS` names the schemas");
    let mut lost = String::new();
    for file in std::env::split_paths(&files) {
        match Builder::new().schema(&file).generate() {
            Ok(generated) => {
                let name = file.file_stem().and_then(|stem| stem.to_str()).expect("a schema has a name");
                let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("foreign").join(name);
                let definitions = generated.definitions;
                lost.push_str(&round_trip(&file, &folder, generated));
                println!("{}: {definitions} definitions, {INSTANCES} instances of each", file.display());
            }
            Err(error @ (Error::Read { .. } | Error::Json { .. })) => panic!("{error}"),
            Err(error) => {
                println!("{}: {} refusals\n{error}", file.display(), error.to_string().lines().count());
            }
        }
    }
    assert!(lost.is_empty(), "\n{lost}");
}

/// Sends instances of every definition through the generated types. Returns a line for each instance that changed.
fn round_trip(file: &Path, folder: &Path, generated: acp_codegen::Generated) -> String {
    let schema = Schema::read(file);
    let messages = |name: &&str| schema.definition(name).get("x-docs-ignore").is_none();
    let names: Vec<&str> = schema.definitions().filter(messages).collect();
    let arms: String =
        names.iter().map(|name| format!("{name:?} => through::<{}>(text),\n", name.to_pascal_case())).collect();
    let main = include_str!("foreign/program.rs").replace("/* arms */", &arms);
    let mut coverage = Coverage::default();
    let mut cases: Vec<(&str, Value)> = Vec::new();
    for (number, name) in names.iter().enumerate() {
        let mut random = Random::new(number as u64);
        cases.extend((0..INSTANCES).map(|_| (*name, schema.instance(name, &mut random, &mut coverage))));
    }
    let unused = coverage.unused();
    assert!(unused.is_empty(), "choices of the schema that no instance took: {unused:#?}");
    let input: String = cases.iter().map(|(name, instance)| format!("{}\n", json!([name, instance]))).collect();
    let output = compile::run(folder, &[("generated".to_owned(), generated)], &main, &input);
    let mut lost = String::new();
    let mut answers = output.lines();
    for (name, instance) in &cases {
        let answer = answers.next().expect("there is an answer to each");
        let back: Result<Value, String> = serde_json::from_str(answer).expect("an answer is JSON");
        if !back.as_ref().is_ok_and(|back| same(instance, back)) {
            writeln!(lost, "{}: {name}\n  given {instance}\n  back  {back:?}", file.display()).expect("a string");
        }
    }
    lost
}
