//! `acp registry`: entries that the public registry takes, and entries that it refuses. The verdicts are those of its own scripts.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpListener,
    path::Path,
    thread,
};

use serde_json::{Value, json};

use crate::acp::{CONFORMANCE, ECHO, acp};

const ICON: &str =
    r#"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><path fill="currentColor" d="M0 0"/></svg>"#;

/// An entry, with some members in the place of its own; those that are null are left out.
fn entry(id: &str, change: Value) -> Value {
    let package = json!({"npx": {"package": "tool@1.2.3"}});
    let mut entry =
        json!({"id": id, "name": "Tool", "version": "1.2.3", "description": "A tool", "distribution": package});
    for (name, value) in change.as_object().unwrap() {
        entry[name] = value.clone();
    }
    entry.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    entry
}

fn npx(package: Value) -> Value {
    json!({"distribution": {"npx": package}})
}

fn uvx(package: &str) -> Value {
    json!({"distribution": {"uvx": {"package": package}}})
}

/// Builds for all systems, which differ from good ones by these members.
fn binary(change: Value) -> Value {
    let mut target = json!({"archive": "https://example.com/releases/download/v1.2.3/tool.zip", "cmd": "./tool"});
    for (name, value) in change.as_object().unwrap() {
        target[name] = value.clone();
    }
    target.as_object_mut().unwrap().retain(|_, value| !value.is_null());
    json!({"distribution": {"binary": {"darwin-aarch64": target, "linux-x86_64": target, "windows-x86_64": target}}})
}

fn keep(registry: &Path, id: &str, entry: &Value) {
    let folder = registry.join(id);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("agent.json"), entry.to_string()).unwrap();
    fs::write(folder.join("icon.svg"), ICON).unwrap();
}

/// The verdict on each entry of a registry: whether it is good, and what is said of it.
fn checked(registry: &Path, more: &[&str]) -> Vec<(String, bool, String)> {
    let ran = acp(["registry", "check", "--format", "json", registry.to_str().unwrap()].iter().chain(more));
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    assert_eq!(report["schema"], 1);
    let entries = report["entries"].as_array().unwrap();
    assert_eq!(ran.exit, i32::from(entries.iter().any(|entry| entry["good"] == false)), "{ran:?}");
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    entries.iter().map(|entry| (text(&entry["id"]), entry["good"] == true, entry["problems"].to_string())).collect()
}

#[test]
fn entries_get_the_verdicts_of_the_public_registry() {
    let good = [
        json!({}),
        json!({"extra": 1, "authors": ["A"], "license": "MIT", "website": "https://example.com"}),
        json!({"version": "1.2.3.4", "distribution": {"npx": {"package": "@scope/tool"}}}),
        npx(json!({"package": "@scope/tool@1.2.3", "cmd": "tool-acp", "args": ["--acp"], "env": {"A": "1"}})),
        uvx("tool==1.2.3"),
        uvx("tool>=1.2.3"),
        binary(json!({"sha256": "0".repeat(64), "args": ["acp"]})),
        binary(json!({"archive": "https://example.com/tool/-/tool-1.2.3.tgz"})),
        json!({"distribution": {"binary": {"linux-x86_64": {"archive": "https://example.com/tool.zip", "cmd": "tool"}}}}),
    ];
    let refused = [
        (json!({"name": null}), "`name` is missing"),
        (json!({"description": ""}), "`description` is empty"),
        (json!({"license": 1}), "`license` is a text"),
        (json!({"authors": "A"}), "`authors` is a list"),
        (json!({"id": "other"}), "its folder is"),
        (json!({"id": "Upper"}), "lowercase"),
        (json!({"id": "a_b"}), "lowercase"),
        (json!({"version": "1.2", "distribution": {"npx": {"package": "tool"}}}), "three numbers"),
        (json!({"version": "1.2.3-rc1", "distribution": {"npx": {"package": "tool"}}}), "three numbers"),
        (json!({"distribution": {}}), "at least one of"),
        (json!({"distribution": {"docker": {}}}), "`distribution.docker` is unknown"),
        (npx(json!({})), "`distribution.npx.package` is missing"),
        (npx(json!({"package": "tool@1.2.3", "port": 1})), "`distribution.npx.port` is unknown"),
        (npx(json!({"package": "tool@1.2.3", "env": {"A": 1}})), "whose values are texts"),
        (npx(json!({"package": "tool@latest"})), "name the version 1.2.3"),
        (npx(json!({"package": "@scope/tool@1.2.4"})), "has the version 1.2.4"),
        (uvx("tool@LATEST"), "name the version 1.2.3"),
        (uvx("tool==1.2.4"), "has the version 1.2.4"),
        (binary(json!({"cmd": null})), "cmd` is missing"),
        (binary(json!({"archive": null})), "archive` is missing"),
        (binary(json!({"sha256": "1"})), "64 hexadecimal digits"),
        (binary(json!({"archive": "https://example.com/releases/latest/download/tool.zip"})), "the latest release"),
        (binary(json!({"archive": "https://example.com/releases/download/v1.2.4/tool.zip"})), "has the version 1.2.4"),
        (binary(json!({"archive": "https://example.com/tool.dmg"})), "is an installer, `.dmg`"),
        (
            json!({"distribution": {"binary": {"plan9-x86_64": {"archive": "https://example.com/a", "cmd": "a"}}}}),
            "`plan9-x86_64` is unknown",
        ),
    ];
    let folder = tempfile::tempdir().unwrap();
    let name = |verdict: &str, number: usize| format!("{verdict}-{number:02}");
    for (number, change) in good.into_iter().enumerate() {
        let id = name("good", number);
        keep(folder.path(), &id, &entry(&id, change));
    }
    for (number, (change, _)) in refused.iter().enumerate() {
        let id = name("refused", number);
        keep(folder.path(), &id, &entry(&id, change.clone()));
    }
    let verdicts = checked(folder.path(), &["--offline"]);
    assert_eq!(verdicts.len(), 9 + refused.len());
    for (id, is_good, problems) in verdicts {
        assert_eq!(is_good, id.starts_with("good"), "{id}: {problems}");
        if let Some(number) = id.strip_prefix("refused-") {
            let (_, says) = &refused[number.parse::<usize>().unwrap()];
            assert!(problems.contains(says), "{id}: no {says:?} in {problems}");
        }
    }
}

#[test]
fn files_that_cannot_be_read_and_wrong_icons_refuse_one_entry_and_not_the_others() {
    let folder = tempfile::tempdir().unwrap();
    for id in ["good", "icon", "json", "two", "none"] {
        keep(folder.path(), id, &entry(id, json!({})));
    }
    fs::write(folder.path().join("icon/icon.svg"), ICON.replace("16", "24")).unwrap();
    fs::write(folder.path().join("json/agent.json"), "{").unwrap();
    fs::write(folder.path().join("two/extension.json"), "{}").unwrap();
    fs::remove_file(folder.path().join("none/icon.svg")).unwrap();
    fs::create_dir(folder.path().join("_draft")).unwrap();
    fs::write(folder.path().join("_draft/agent.json"), "{").unwrap();
    let verdicts: Vec<_> = checked(folder.path(), &["--offline"]).into_iter().map(|(id, good, _)| (id, good)).collect();
    let expected = [("good", true), ("icon", false), ("json", false), ("none", true), ("two", false)];
    assert_eq!(verdicts, expected.map(|(id, good)| (id.to_owned(), good)));
    let ran = acp(["registry", "check", "--offline", folder.path().join("icon").to_str().unwrap()]);
    assert_eq!(ran.exit, 1, "{ran:?}");
    assert!(
        ran.stdout.starts_with("icon/icon.svg: error: it is 24 x 24") && ran.stdout.ends_with("1 refused\n"),
        "{ran:?}"
    );
    acp(["registry", "check", "/nowhere"]).failed(2, &["/nowhere", "cannot be read"]);
    let empty = tempfile::tempdir().unwrap();
    acp(["registry", "check", empty.path().to_str().unwrap()]).failed(2, &["has no entry"]);
}

#[test]
fn addresses_that_do_not_exist_refuse_an_entry() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let server = listener.local_addr().unwrap();
    // It knows `there`, to HEAD only what is not `shy`, and it ends with the process of the tests.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut line = String::new();
            BufReader::new(&stream).read_line(&mut line).unwrap();
            let status = match (line.contains("/shy"), line.starts_with("HEAD"), line.contains("/there")) {
                (true, true, _) => "405 Method Not Allowed",
                (true, false, _) | (_, _, true) => "200 OK",
                _ => "404 Not Found",
            };
            stream
                .write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n").as_bytes())
                .unwrap();
        }
    });
    let folder = tempfile::tempdir().unwrap();
    for id in ["there", "shy", "gone"] {
        keep(folder.path(), id, &entry(id, binary(json!({"archive": format!("http://{server}/{id}.zip")}))));
    }
    let verdicts = checked(folder.path(), &[]);
    let good: Vec<_> = verdicts.iter().map(|(id, good, _)| (id.as_str(), *good)).collect();
    assert_eq!(good, [("gone", false), ("shy", true), ("there", true)], "{verdicts:?}");
    assert!(verdicts[0].2.contains("does not exist") && verdicts[0].2.contains("404"), "{verdicts:?}");
    assert!(checked(folder.path(), &["--offline"]).iter().all(|(_, good, _)| *good));
}

#[test]
fn a_new_entry_is_good_and_replaces_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let init = |id: &str, more: &[&str]| {
        let arguments = ["registry", "init", id, "--folder", folder.path().to_str().unwrap()];
        acp(arguments.iter().chain(more))
    };
    assert_eq!(init("one", &["--npx", "@scope/one", "--agent-version", "2.0.0"]).exit, 0);
    assert_eq!(init("two", &["--uvx", "two"]).exit, 0);
    let verdicts = checked(folder.path(), &["--offline"]);
    assert!(
        verdicts.len() == 2 && verdicts.iter().all(|(_, good, problems)| *good && problems == "[]"),
        "{verdicts:?}"
    );
    init("one", &["--npx", "one"]).failed(2, &["agent.json", "cannot be written"]);
    init("One", &["--npx", "one"]).failed(2, &["would be refused", "lowercase"]);
    init("three", &[]).failed(2, &["--npx <PACKAGE>|--uvx <PACKAGE>"]);
    init("three", &["--npx", "three", "--uvx", "three"]).failed(2, &["cannot be used with"]);
    // One is no entries.
    fs::remove_dir_all(folder.path().join("two")).unwrap();
    let ran = acp(["registry", "check", "--offline", folder.path().to_str().unwrap()]);
    assert!(ran.stdout.ends_with("1 entry: 1 good, 0 refused\n"), "{ran:?}");
}

/// `npx` and `uvx` stand in for the package managers: a package is the name of an agent of these tests.
#[cfg(unix)]
#[test]
fn agents_are_started_and_must_offer_a_login() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (bin, registry) = (folder.path().join("bin"), folder.path().join("registry"));
    fs::create_dir_all(&bin).unwrap();
    let script = format!(
        "#!/bin/sh\n[ -z \"$ACP_TEST_SECRET\" ] && [ \"$HOME\" = \"$PWD\" ] || exit 3\nfor last; do :; done\ncase $last in\n\
         login) exec {CONFORMANCE} ;;\nnone) exec {ECHO} ;;\nnoise) echo starting; exec {CONFORMANCE} ;;\n\
         dead) echo no such key >&2; exit 1 ;;\nmute) exec sleep 600 ;;\nesac\n"
    );
    for name in ["npx", "uvx"] {
        fs::write(bin.join(name), &script).unwrap();
        fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
    }
    for (id, package) in ["login", "none", "noise", "dead", "mute"].iter().map(|id| (id, npx(json!({"package": id})))) {
        keep(&registry, id, &entry(id, package));
    }
    keep(&registry, "snake", &entry("snake", uvx("login")));
    keep(&registry, "archive", &entry("archive", binary(json!({}))));
    let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let mut command = crate::acp::command(["registry", "check", "--format", "json", "--skip", "addresses"]);
    command.args(["--start-timeout", "10"]).arg(&registry).env("PATH", path).env("ACP_TEST_SECRET", "s3cret");
    let ran = crate::acp::ended(command.spawn().unwrap());
    let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{ran:?}"));
    let told = |id: &str| -> (bool, String) {
        let entry = report["entries"].as_array().unwrap().iter().find(|entry| entry["id"] == id).unwrap();
        (entry["good"] == true, entry["problems"].to_string())
    };
    assert_eq!(
        (ran.exit, told("login"), told("snake")),
        (1, (true, "[]".to_owned()), (true, "[]".to_owned())),
        "{ran:?}"
    );
    assert!(told("archive").0 && told("archive").1.contains("is not unpacked here"), "{ran:?}");
    for (id, text) in [
        ("none", "no login in `authMethods` of the type `agent` or `terminal`: there is none"),
        ("noise", "not the answer to `initialize`: starting"),
        ("dead", "it ended before it had answered `initialize`\\n  no such key"),
        ("mute", "has not answered `initialize` within 10 s"),
    ] {
        let (is_good, problems) = told(id);
        assert!(!is_good && problems.contains(text), "{id}: {problems}");
    }
}
