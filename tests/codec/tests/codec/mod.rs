//! Every definition of the schema decodes and encodes as in the reference crate, `agent-client-protocol-schema`.
//!
//! The instances come from the schema itself (`instances`), and the test adds mistakes to them (`mutations`). Our type
//! and the reference's type (`registry`, `envelopes`) get the same JSON. Both must accept it or both must refuse it,
//! and both must write the same JSON again. `differences` lists the intended differences of our types.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod differences;
#[macro_use]
mod envelopes;
pub(crate) mod instances;
mod lacking;
mod mutations;
#[macro_use]
mod registry;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::Value;

use differences::Differences;
use instances::{Coverage, Random, Schema};
use registry::{Published, Theirs};

/// The number of valid instances for each definition. The test checks that they cover every choice of the schema.
const INSTANCES: usize = 100;
/// The number of instances with a mistake, for each definition.
const MUTATIONS: usize = 200;

/// The result of a type for some JSON: the JSON that it writes again, or the reason of its refusal.
type Outcome = Result<Value, String>;

/// One comparison.
struct Case {
    definition: String,
    /// The origin of the input: `valid`, or the name of the mutation.
    origin: &'static str,
    /// Whether our schema is the stable one. The reference always has the drafts.
    stable: bool,
    /// Whether the definition, or a definition that it refers to, has another content with the drafts. Only for the
    /// stable schema.
    drafted: bool,
    input: Value,
    ours: Outcome,
    theirs: Outcome,
}

impl Case {
    fn agrees(&self) -> bool {
        match (&self.ours, &self.theirs) {
            (Ok(ours), Ok(theirs)) => ours == theirs,
            (Err(_), Err(_)) => true,
            _ => false,
        }
    }

    fn describe(&self, out: &mut String) {
        let text = |outcome: &Outcome| match outcome {
            Ok(json) => json.to_string(),
            Err(error) => format!("refused: {error}"),
        };
        let Self { definition, origin, input, .. } = self;
        let (ours, theirs) = (text(&self.ours), text(&self.theirs));
        let _ = writeln!(out, "{definition} ({origin})\n    input  {input}\n    ours   {ours}\n    theirs {theirs}");
    }
}

#[derive(Default)]
struct Report {
    stable: bool,
    /// The definitions that have another content with the drafts.
    drafted: BTreeSet<String>,
    definitions: usize,
    compared: usize,
    differences: Differences,
    unexplained: Vec<Case>,
}

impl Report {
    fn take(&mut self, case: Case) {
        let drafted = self.drafted.contains(&case.definition);
        let case = Case { stable: self.stable, drafted, ..case };
        self.compared += 1;
        if !case.agrees() && !self.differences.explain(&case) {
            self.unexplained.push(case);
        }
    }
}

#[test]
fn v1_is_as_the_reference() {
    run(&registry::v1());
}

#[test]
fn v1_with_drafts_is_as_the_reference() {
    run(&registry::v1_unstable());
}

#[test]
fn v2_is_as_the_reference() {
    run(&registry::v2());
}

#[test]
fn v2_with_drafts_is_as_the_reference() {
    run(&registry::v2_unstable());
}

/// An entry of `lacking.rs` names a definition of a schema. The comparison above fails if the reference has it.
#[test]
fn every_definition_that_the_reference_lacks_is_published() {
    for lacking::Lacking { version, definition, .. } in lacking::LACKING {
        let files = ["schema.json", "schema.unstable.json"].map(|file| Schema::load(&format!("{version}/{file}")));
        let is_published = files.iter().any(|schema| schema.definitions().any(|name| name == *definition));
        assert!(is_published, "no schema of {version} has `{definition}`: remove it from lacking.rs");
    }
}

fn run(published: &Published) {
    let exists = |(_, pair): &&(&str, registry::Pair)| matches!(pair.theirs, Theirs::Lacking { exists: true });
    let there: Vec<_> = published.pairs.iter().filter(exists).map(|(name, _)| name).collect();
    assert!(there.is_empty(), "the reference has these definitions: remove them from lacking.rs: {there:?}");
    let schema = Schema::load(published.file);
    let mut coverage = Coverage::default();
    let mut report = Report { stable: published.file.ends_with("/schema.json"), ..Report::default() };
    if report.stable {
        report.drafted = schema.others(&Schema::load(&published.file.replace("schema.json", "schema.unstable.json")));
    }
    for (number, name) in schema.definitions().enumerate() {
        let mut random = Random::new(number as u64);
        let before = report.compared;
        if let Some((_, pair)) = published.pairs.iter().find(|(known, _)| *known == name) {
            compare(&schema, name, *pair, &mut random, &mut coverage, &mut report);
        }
        if let Some(envelope) = published.envelopes.iter().find(|envelope| envelope.name() == name) {
            envelopes::compare(&schema, envelope, &mut random, &mut coverage, &mut report);
        }
        assert!(report.compared > before, "`{name}` is not compared");
        report.definitions += 1;
    }
    let unused = coverage.unused();
    assert!(unused.is_empty(), "choices of the schema that no instance took: {unused:#?}");
    conclude(published.file, &report);
}

fn compare(
    schema: &Schema,
    name: &str,
    pair: registry::Pair,
    random: &mut Random,
    coverage: &mut Coverage,
    report: &mut Report,
) {
    let mut instances = Vec::with_capacity(INSTANCES);
    for _ in 0..INSTANCES {
        let instance = schema.instance(name, random, coverage);
        report.take(pair.case(name, "valid", instance.clone()));
        instances.push(instance);
    }
    if let Theirs::Lacking { .. } = pair.theirs {
        return;
    }
    for number in 0..MUTATIONS {
        let (origin, bent) = mutations::bend(&instances[number % instances.len()], number, random);
        report.take(pair.case(name, origin, bent));
    }
}

#[expect(clippy::explicit_write, reason = "the harness keeps to itself what a passing test prints")]
fn conclude(file: &str, report: &Report) {
    let Report { stable: _, drafted: _, definitions, compared, differences, unexplained } = report;
    writeln!(
        io::stderr(),
        "codec {file}: {definitions} definitions, {compared} instances compared, {} explained differences",
        differences.count()
    )
    .unwrap();
    let mut by_definition: BTreeMap<(&str, &str), Vec<&Case>> = BTreeMap::new();
    for case in unexplained {
        by_definition.entry((&case.definition, case.origin)).or_default().push(case);
    }
    let mut text = String::new();
    for cases in by_definition.values() {
        let _ = write!(text, "{} times: ", cases.len());
        cases[0].describe(&mut text);
    }
    assert!(unexplained.is_empty(), "{} unexplained differences\n{text}", unexplained.len());
    let idle = differences.idle(file);
    assert!(idle.is_empty(), "differences that nothing shows any more, remove them: {idle:?}");
}
