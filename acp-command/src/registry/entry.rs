//! The form of an entry, as [the registry](https://github.com/agentclientprotocol/registry/blob/main/FORMAT.md) has it, and its versions.

use serde_json::{Map, Value};

use super::{
    archives::{installer, is_semantic, of_npm, of_pypi, version_in_address},
    problems::Problems,
};

const PLATFORMS: &[&str] =
    &["darwin-aarch64", "darwin-x86_64", "linux-aarch64", "linux-x86_64", "windows-aarch64", "windows-x86_64"];
const SYSTEMS: &[&str] = &["darwin", "linux", "windows"];

/// Checks an entry in the folder of this name.
pub(super) fn check(entry: &Value, folder: &str, problems: &mut Problems) {
    let Value::Object(entry) = entry else { return problems.error("an entry is a JSON object") };
    for name in ["id", "name", "version", "description"] {
        text(entry, name, "", true, problems);
    }
    for name in ["repository", "license", "icon", "website", "license_url"] {
        text(entry, name, "", false, problems);
    }
    texts(entry, "authors", "", problems);
    let id = entry.get("id").and_then(Value::as_str).unwrap_or(folder);
    let is_id = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    if !id.starts_with(|sign: char| sign.is_ascii_lowercase()) || !id.chars().all(is_id) {
        problems.error(format!(
            "`id` is `{id}`: it begins with a lowercase letter, and has only these letters, digits and hyphens"
        ));
    } else if id != folder {
        problems.error(format!("`id` is `{id}`, and its folder is `{folder}`: they are the same"));
    }
    let version = entry.get("version").and_then(Value::as_str);
    if let Some(version) = version.filter(|version| !is_semantic(version)) {
        problems.error(format!("`version` is `{version}`: three numbers are needed, such as 1.0.0"));
    }
    match entry.get("distribution") {
        None => problems.error("`distribution` is missing"),
        Some(Value::Object(distribution)) if !distribution.is_empty() => {
            distributions(distribution, version.unwrap_or_default(), problems);
        }
        Some(_) => problems.error("`distribution` is an object with at least one of `binary`, `npx` and `uvx`"),
    }
}

fn distributions(distribution: &Map<String, Value>, version: &str, problems: &mut Problems) {
    for (kind, value) in distribution {
        let Value::Object(value) = value else {
            problems.error(format!("`distribution.{kind}` is an object"));
            continue;
        };
        match kind.as_str() {
            "binary" => binaries(value, version, problems),
            "npx" | "uvx" => package(kind, value, version, problems),
            _ => problems.error(format!("`distribution.{kind}` is unknown: there are `binary`, `npx` and `uvx`")),
        }
    }
}

fn binaries(binaries: &Map<String, Value>, version: &str, problems: &mut Problems) {
    if binaries.is_empty() {
        problems.error("`distribution.binary` has no platform");
    }
    for (platform, target) in binaries {
        let place = format!("distribution.binary.{platform}.");
        if !PLATFORMS.contains(&platform.as_str()) {
            problems.error(format!("the platform `{platform}` is unknown: there are {}", PLATFORMS.join(", ")));
        }
        let Value::Object(target) = target else {
            problems.error(format!("`distribution.binary.{platform}` is an object with `archive` and `cmd`"));
            continue;
        };
        members(target, &["archive", "cmd", "args", "env", "sha256"], &place, problems);
        text(target, "cmd", &place, true, problems);
        launch(target, &place, problems);
        if let Some(sum) = target.get("sha256")
            && !sum.as_str().is_some_and(|sum| sum.len() == 64 && sum.bytes().all(|byte| byte.is_ascii_hexdigit()))
        {
            problems.error(format!("`{place}sha256` is {sum}: 64 hexadecimal digits are needed"));
        }
        let Some(archive) = text(target, "archive", &place, true, problems) else { continue };
        if let Some(ending) = installer(archive) {
            problems.error(format!("`{place}archive` is an installer, `{ending}`: name an archive or a program"));
        }
        if archive.contains("/latest/") {
            problems.error(format!("`{place}archive` names the latest release: name the one of version {version}"));
        } else if let Some(other) = version_in_address(archive).filter(|other| other != version) {
            problems.error(format!("`{place}archive` has the version {other}, and the entry {version}"));
        }
    }
    let has = |system: &&&str| binaries.keys().any(|platform| platform.split('-').next() == Some(**system));
    let lacking: Vec<_> = SYSTEMS.iter().filter(|system| !has(system)).copied().collect();
    if !lacking.is_empty() {
        problems.warning(format!("`distribution.binary` has no build for {}", lacking.join(", ")));
    }
}

fn package(kind: &str, of: &Map<String, Value>, version: &str, problems: &mut Problems) {
    let place = format!("distribution.{kind}.");
    members(of, &["package", "cmd", "args", "env"], &place, problems);
    launch(of, &place, problems);
    text(of, "cmd", &place, false, problems);
    let Some(package) = text(of, "package", &place, true, problems) else { return };
    if package.to_lowercase().contains("@latest") {
        return problems.error(format!("`{place}package` is `{package}`: name the version {version}"));
    }
    let (_, other) = if kind == "npx" { of_npm(package) } else { of_pypi(package) };
    if let Some(other) = other.filter(|other| *other != version) {
        problems.error(format!("`{place}package` has the version {other}, and the entry {version}"));
    }
}

fn launch(of: &Map<String, Value>, place: &str, problems: &mut Problems) {
    texts(of, "args", place, problems);
    if let Some(env) = of.get("env")
        && !env.as_object().is_some_and(|env| env.values().all(Value::is_string))
    {
        problems.error(format!("`{place}env` is an object whose values are texts"));
    }
}

fn members(of: &Map<String, Value>, known: &[&str], place: &str, problems: &mut Problems) {
    for name in of.keys().filter(|name| !known.contains(&name.as_str())) {
        problems.error(format!("`{place}{name}` is unknown: there are {}", known.join(", ")));
    }
}

/// The text of a member. An empty text is a mistake where one is required.
fn text<'a>(
    of: &'a Map<String, Value>,
    name: &str,
    place: &str,
    is_required: bool,
    problems: &mut Problems,
) -> Option<&'a str> {
    match of.get(name) {
        Some(Value::String(text)) if !text.is_empty() || !is_required => return Some(text),
        Some(Value::String(_)) => problems.error(format!("`{place}{name}` is empty")),
        Some(_) => problems.error(format!("`{place}{name}` is a text")),
        None if is_required => problems.error(format!("`{place}{name}` is missing")),
        None => {}
    }
    None
}

fn texts(of: &Map<String, Value>, name: &str, place: &str, problems: &mut Problems) {
    if let Some(list) = of.get(name)
        && !list.as_array().is_some_and(|list| list.iter().all(Value::is_string))
    {
        problems.error(format!("`{place}{name}` is a list of texts"));
    }
}
