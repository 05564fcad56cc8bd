//! The report for people.

use std::fmt::Write as _;

use serde_json::Value;

use super::report::{Opened, Report, Spoken};

pub(super) fn text(report: &Report) -> String {
    let mut text = String::new();
    if let Some(spoken) = report.versions.first() {
        let agent = &spoken.agent;
        let title = agent["title"].as_str().map(|title| format!(" ({title})")).unwrap_or_default();
        let name = agent["name"].as_str().unwrap_or("(an agent without a name)");
        let version = agent["version"].as_str().unwrap_or_default();
        line(&mut text, 0, &format!("{name} {version}{title}"));
    }
    let versions: Vec<_> = report.versions.iter().map(|spoken| spoken.protocol.to_string()).collect();
    line(&mut text, 0, &format!("speaks version {} of the protocol", versions.join(" and ")));
    for failed in &report.failed {
        line(
            &mut text,
            0,
            &format!("fails when it is asked for version {}: {}", failed["protocol"], word(&failed["error"])),
        );
    }
    for spoken in &report.versions {
        show(&mut text, spoken);
    }
    text
}

fn show(text: &mut String, spoken: &Spoken) {
    text.push('\n');
    line(text, 0, &format!("version {}", spoken.protocol));
    let mut capabilities = Vec::new();
    flatten("", &spoken.capabilities, &mut capabilities);
    section(text, "capabilities", &capabilities);
    section(text, "drafts", &spoken.drafts);
    let logins = spoken.logins.as_array().into_iter().flatten().map(|login| {
        let kind = login["type"].as_str().map(|kind| format!(", {kind}")).unwrap_or_default();
        format!("{}{kind}: {}", word(&login["id"]), word(&login["name"]))
    });
    section(text, "logins", &logins.collect::<Vec<_>>());
    match &spoken.session {
        Ok(opened) => session(text, opened),
        Err(unopened) => {
            line(text, 1, "no session");
            for part in unopened.error.lines() {
                line(text, 2, part);
            }
        }
    }
    let methods = spoken.methods.iter().map(|probe| {
        let advertised = if probe.advertised { "yes" } else { "no" };
        format!("{:26} advertised: {advertised:3}  served: {}", probe.method, probe.served.word())
    });
    section(text, "methods", &methods.collect::<Vec<_>>());
    let findings: Vec<_> = spoken.findings().map(|(method, what)| format!("{method}: {what}")).collect();
    section(text, "findings", &findings);
}

fn session(text: &mut String, opened: &Opened) {
    section(text, "options", &opened.options.iter().map(option).collect::<Vec<_>>());
    if let Some(modes) = opened.modes["availableModes"].as_array() {
        let current = &opened.modes["currentModeId"];
        let modes = modes.iter().map(|mode| marked(&mode["id"], &mode["name"], current));
        section(text, "modes", &modes.collect::<Vec<_>>());
    }
    let commands = opened.commands.as_array().into_iter().flatten().map(|command| {
        let hint = command["input"]["hint"].as_str().map(|hint| format!(" <{hint}>")).unwrap_or_default();
        format!("/{}{hint}: {}", word(&command["name"]), word(&command["description"]))
    });
    section(text, "commands", &commands.collect::<Vec<_>>());
}

/// `model (Model): fast*, smart`; the current value has a star.
fn option(option: &Value) -> String {
    let category = option["category"].as_str().map(|category| format!(", {category}")).unwrap_or_default();
    let head = format!("{} ({}{category})", word(&option["id"]), word(&option["name"]));
    let Some(values) = option["options"].as_array() else {
        return format!("{head}: {}", option["currentValue"]);
    };
    // Groups have options of their own.
    let all =
        values.iter().flat_map(|value| value["options"].as_array().map_or(std::slice::from_ref(value), Vec::as_slice));
    let values: Vec<_> = all.map(|value| marked(&value["value"], &value["name"], &option["currentValue"])).collect();
    format!("{head}: {}", values.join(", "))
}

fn marked(id: &Value, name: &Value, current: &Value) -> String {
    let star = if id == current { "*" } else { "" };
    let (id, name) = (word(id), word(name));
    if id == name { format!("{id}{star}") } else { format!("{id}{star} ({name})") }
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn section(text: &mut String, name: &str, lines: &[String]) {
    if lines.is_empty() {
        return;
    }
    line(text, 1, name);
    for each in lines {
        line(text, 2, each);
    }
}

fn line(text: &mut String, depth: usize, what: &str) {
    // A text of an agent may have line ends.
    let what = what.replace('\n', " ");
    writeln!(text, "{:1$}{what}", "", depth * 2).expect("a string takes all");
}

/// Objects that only group capabilities, and say nothing if they are empty.
const GROUPS: [&str; 5] = ["", "auth", "mcpCapabilities", "promptCapabilities", "sessionCapabilities"];

/// The capabilities as names: those that are `true` or an object, with their place.
fn flatten(at: &str, value: &Value, into: &mut Vec<String>) {
    match value {
        Value::Null | Value::Bool(false) => {}
        Value::Object(members) => {
            if members.is_empty() && !GROUPS.contains(&at) {
                into.push(at.to_owned());
            }
            for (name, member) in members {
                let place = if at.is_empty() { name.clone() } else { format!("{at}.{name}") };
                flatten(&place, member, into);
            }
        }
        Value::Bool(true) => into.push(at.to_owned()),
        other => into.push(format!("{at} = {other}")),
    }
}
