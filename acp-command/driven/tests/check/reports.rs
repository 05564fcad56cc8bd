//! The reports of `acp check`: several at once, each well-formed.

use std::fs;

use quick_xml::{Reader, events::Event};
use serde::Deserialize;

use super::{check, python};
use crate::acp::{ECHO, acp, command, ended};

/// What SARIF 2.1.0 demands of the parts that we write. Other members are an error.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Sarif {
    #[serde(rename = "$schema")]
    schema: String,
    version: String,
    runs: Vec<Run>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Run {
    tool: Tool,
    results: Vec<Finding>,
    column_kind: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    driver: Driver,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Driver {
    name: String,
    version: String,
    information_uri: String,
    rules: Vec<Rule>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Rule {
    id: String,
    short_description: Text,
    help_uri: String,
    default_configuration: Configuration,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Configuration {
    level: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Finding {
    rule_id: String,
    rule_index: usize,
    level: String,
    message: Text,
    occurrence_count: usize,
    locations: Vec<Location>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Location {
    physical_location: Option<Physical>,
    logical_locations: Vec<Logical>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Artifact {
    uri: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Region {
    start_line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Logical {
    name: String,
    kind: String,
}

#[test]
fn several_reports_are_written_at_once_and_each_is_well_formed() {
    let Some(agent) = python("broken.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let reports = ["junit", "sarif", "github", "json"].map(|format| format!("--report={format}={}", file(format)));
    let (text, tapes) = (file("text"), file("tapes"));
    let mut more = vec!["--only", "end-at-start", "--protocol", "1", "--output", &text, "--keep", &tapes];
    more.extend(reports.iter().map(String::as_str));
    let ran = check(&more, &["python3", &agent]);
    assert_eq!((ran.exit, &*ran.stdout), (1, ""), "{ran:?}");
    let read = |name: &str| fs::read_to_string(file(name)).unwrap();
    let text = read("text");
    assert!(text.contains("violation message-lines: "));
    assert!(text.lines().last().unwrap().starts_with(&format!("help: {tapes} has a recording")), "{text}");
    let kinds = ["violation ", "advice ", "oddity ", "draft "];
    let order: Vec<_> = text.lines().filter_map(|line| kinds.iter().position(|kind| line.starts_with(kind))).collect();
    assert!(order.is_sorted() && order.first() != order.last(), "{text}");
    let sarif = sarif(&read("sarif"));
    let (tests, failures, skipped) = junit(&read("junit"));
    let json: serde_json::Value = serde_json::from_str(&read("json")).unwrap();
    let rules = json["rules"].as_array().unwrap();
    let count = |verdict: &str, level: &str| {
        rules.iter().filter(|rule| rule["verdict"] == verdict && (level.is_empty() || rule["level"] == level)).count()
    };
    assert_eq!((tests, failures, skipped), (rules.len(), count("violated", "must"), count("not exercised", "")));
    assert_eq!(sarif.len(), json["findings"].as_array().unwrap().len());
    assert!(read("github").contains("| violation | [message-lines](https://agentclientprotocol.com/"));
    // A finding names a recording, and a line of it.
    let (tape, line) = sarif.first().unwrap().as_ref().unwrap();
    let tape = tape.strip_prefix("file://").unwrap();
    assert!(tape.starts_with(&tapes), "{tape}");
    let ran = acp(["replay", tape, "--of", "agent"]);
    assert!(ran.stdout.contains(&format!("{tape}:{line}: ")), "{tape}:{line} in {ran:?}");
}

/// Nobody should look for a file that does not exist.
#[test]
fn a_finding_has_a_file_and_a_line_only_if_the_recording_is_kept() {
    let Some(agent) = python("broken.py") else { return };
    let folder = tempfile::tempdir().unwrap();
    let ran = |format: &str, more: &[&str]| {
        let words = ["check", "--exit-timeout", "2", "--only", "end-at-start", "--protocol", "1", "--format", format];
        let agent = ["--", "python3", &*agent];
        let words = words.iter().chain(more).chain(&agent);
        ended(command(words).current_dir(folder.path()).spawn().unwrap()).stdout
    };
    let places = sarif(&ran("sarif", &[]));
    assert!(!places.is_empty() && places.iter().all(Option::is_none), "{places:?}");
    for format in ["text", "junit", "github"] {
        let report = ran(format, &[]);
        assert!(report.contains("ordinary, version 1") && !report.contains("ordinary, version 1, line"), "{report}");
    }
    // A relative folder is one of the repository.
    let places = sarif(&ran("sarif", &["--keep", "./the tapes"]));
    assert!(!places.is_empty());
    for place in places {
        let (tape, _) = place.unwrap();
        let name = tape.strip_prefix("the%20tapes/").unwrap_or_else(|| panic!("{tape}"));
        assert!(folder.path().join("the tapes").join(name).exists(), "{tape}");
    }
    assert!(ran("text", &["--keep", "tapes"]).contains("ordinary, version 1, line "));
}

/// Nobody should take a check in the log of a CI for one that hangs.
#[test]
fn where_no_terminal_is_each_scenario_has_a_line_of_stderr() {
    let more = ["--only", "options", "--only", "pages", "--protocol", "1", "--format", "json"];
    let ran = check(&more, &[ECHO]);
    assert_eq!(ran.stderr, "version 1: ordinary\nversion 1, 1 of 2: options\nversion 1, 2 of 2: pages\n");
    serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap();
}

/// The files and lines of the findings.
fn sarif(text: &str) -> Vec<Option<(String, usize)>> {
    let Sarif { schema, version, runs } = serde_json::from_str(text).unwrap();
    assert!(schema.ends_with("sarif-2.1.0.json") && version == "2.1.0");
    let [Run { tool: Tool { driver }, results, column_kind }] = &runs[..] else { panic!("one run") };
    let Driver { name, version, information_uri, rules } = driver;
    assert_eq!((&**name, &**version, &**column_kind), ("acp check", env!("CARGO_PKG_VERSION"), "unicodeCodePoints"));
    assert!(information_uri.starts_with("https://"));
    let is_level = |level: &str| ["none", "note", "warning", "error"].contains(&level);
    for Rule { id, short_description, help_uri, default_configuration } in rules {
        let well = !short_description.text.is_empty() && help_uri.starts_with("https://");
        assert!(well && is_level(&default_configuration.level), "{id}");
    }
    let place = |finding: &Finding| {
        let Finding { rule_id, rule_index, level, message, occurrence_count, locations } = finding;
        assert_eq!(&rules[*rule_index].id, rule_id);
        assert!(is_level(level) && !message.text.is_empty() && *occurrence_count > 0);
        let [Location { physical_location, logical_locations }] = &locations[..] else { panic!("one place") };
        assert!(logical_locations.iter().all(|at| at.kind == "module" && !at.name.is_empty()));
        let Physical { artifact_location, region } = physical_location.as_ref()?;
        assert!(region.start_line > 0);
        Some((artifact_location.uri.clone(), region.start_line))
    };
    results.iter().map(place).collect()
}

/// Counts test cases, failures, and what was skipped, and compares them with the numbers of the suite.
fn junit(text: &str) -> (usize, usize, usize) {
    let mut reader = Reader::from_str(text);
    reader.config_mut().enable_all_checks(true);
    let (mut tests, mut failures, mut skipped, mut said) = (0, 0, 0, Vec::<usize>::new());
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => break,
            Event::Start(element) | Event::Empty(element) => {
                let attributes: Vec<_> = element.attributes().map(|attribute| attribute.unwrap()).collect();
                let of = |name: &str| {
                    let found = attributes.iter().find(|attribute| attribute.key.as_ref() == name);
                    found.map(|attribute| attribute.value.to_string())
                };
                match element.name().as_ref() {
                    "testsuite" => {
                        said = ["tests", "failures", "skipped"].map(|name| of(name).unwrap().parse().unwrap()).to_vec()
                    }
                    "testcase" => {
                        tests += 1;
                        assert!(of("name").is_some() && of("classname").is_some());
                    }
                    "failure" => {
                        failures += 1;
                        assert!(of("message").is_some());
                    }
                    "skipped" => skipped += 1,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    assert_eq!(said, [tests, failures, skipped]);
    (tests, failures, skipped)
}
