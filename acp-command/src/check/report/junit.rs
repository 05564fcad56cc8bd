//! The verdict as JUnit's XML: a test case for each rule. What the protocol does not demand, or the baseline allows, is a success with a text.

use quick_xml::{
    Writer,
    events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event},
};

use super::super::{
    rules::Kind,
    verdict::{Found, Outcome, Ruled, Verdict},
};

/// XML has no place for most control characters.
fn clean(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c })
        .filter(|c| !matches!(c, '\u{fffe}' | '\u{ffff}'))
        .collect()
}

fn said(found: &Found, at: &str) -> String {
    let shown = found.shown.as_deref().map(|line| format!("\n{line}")).unwrap_or_default();
    let stderr: String = found.stderr.iter().map(|line| format!("\nstderr: {line}")).collect();
    format!("{}\n{at}\n{}{shown}{stderr}", found.text, found.place())
}

pub(super) fn junit(verdict: &Verdict) -> String {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
    let is_demanded = |ruled: &Ruled| ruled.rule.kind() == Kind::Violation && !verdict.allows(&ruled.rule);
    let is_failure = |ruled: &&Ruled| ruled.outcome() == Outcome::Violated && is_demanded(ruled);
    let errors = usize::from(verdict.is_interrupted);
    let (tests, failures) =
        ((verdict.rules.len() + errors).to_string(), verdict.rules.iter().filter(is_failure).count().to_string());
    let skipped = verdict.count(Outcome::NotExercised).to_string();
    let mut suite = BytesStart::new("testsuite");
    let counts =
        [("tests", &*tests), ("failures", &*failures), ("errors", &*errors.to_string()), ("skipped", &*skipped)];
    let name = clean(verdict.agent.as_str().unwrap_or("acp check"));
    suite.push_attribute(("name", &*name));
    counts.iter().for_each(|count| suite.push_attribute(*count));
    let mut write = |event: Event<'_>| out.write_event(event).expect("memory takes all");
    write(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)));
    write(Event::Start(BytesStart::new("testsuites")));
    write(Event::Start(suite));
    for ruled in &verdict.rules {
        let mut case = BytesStart::new("testcase");
        case.push_attribute(("classname", format!("acp.{}", ruled.rule.level).as_str()));
        case.push_attribute(("name", format!("{}: {}", ruled.rule.id, ruled.rule.sentence).as_str()));
        case.push_attribute(("time", "0"));
        write(Event::Start(case));
        let all: Vec<_> = ruled.findings.iter().map(|found| said(found, &verdict.at(found))).collect();
        let all = clean(&all.join("\n\n"));
        match (ruled.outcome(), is_demanded(ruled)) {
            (Outcome::NotExercised, _) => {
                let mut skipped = BytesStart::new("skipped");
                let why = ruled.why.as_deref().unwrap_or("nothing came that could have broken it");
                skipped.push_attribute(("message", &*clean(&format!("not exercised: {why}"))));
                write(Event::Empty(skipped));
            }
            (Outcome::Violated, true) => {
                let mut failure = BytesStart::new("failure");
                let first = ruled.findings.first().map(|found| clean(&found.text)).unwrap_or_default();
                failure.push_attribute(("message", &*first));
                write(Event::Start(failure));
                write(Event::Text(BytesText::new(&all)));
                write(Event::End(BytesEnd::new("failure")));
            }
            (Outcome::Violated, false) => {
                let kind = ruled.rule.kind().word();
                let allowed = if verdict.allows(&ruled.rule) { " (allowed by the baseline)" } else { "" };
                write(Event::Start(BytesStart::new("system-out")));
                write(Event::Text(BytesText::new(&format!("{kind}{allowed}: {all}"))));
                write(Event::End(BytesEnd::new("system-out")));
            }
            (Outcome::Clean, _) => {}
        }
        write(Event::End(BytesEnd::new("testcase")));
    }
    if verdict.is_interrupted {
        let mut case = BytesStart::new("testcase");
        [("classname", "acp"), ("name", "the check was played to its end"), ("time", "0")]
            .iter()
            .for_each(|of| case.push_attribute(*of));
        let mut error = BytesStart::new("error");
        error.push_attribute(("message", "the check was interrupted"));
        write(Event::Start(case));
        write(Event::Empty(error));
        write(Event::End(BytesEnd::new("testcase")));
    }
    write(Event::End(BytesEnd::new("testsuite")));
    write(Event::End(BytesEnd::new("testsuites")));
    String::from_utf8(out.into_inner()).expect("all texts are UTF-8") + "\n"
}
