//! The test files of a crate are modules of one program, which cargo does not find by itself. So a file that nobody names
//! would never run.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The folders of the workspace's packages, with their manifests.
fn packages() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let workspace = fs::read_to_string(root.join("Cargo.toml")).unwrap();
    let members = workspace.lines().find_map(|line| line.strip_prefix("members = [")).unwrap();
    let folders = members.split('"').skip(1).step_by(2).map(|member| root.join(member));
    folders.map(|folder| (folder.clone(), fs::read_to_string(folder.join("Cargo.toml")).unwrap())).collect()
}

/// A target of a manifest: its kind, and its lines.
fn targets(manifest: &str) -> impl Iterator<Item = (&str, &str)> {
    let sections = manifest.split("\n[").filter_map(|section| section.split_once("]\n"));
    sections.map(|(kind, lines)| (kind.trim_matches(['[', ']']), lines))
}

/// The value of a key with a text.
fn text<'t>(lines: &'t str, key: &str) -> Option<&'t str> {
    lines.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.split('"').next())
}

#[test]
fn every_test_file_is_part_of_a_program() {
    let (mut seen, mut lost) = (0, Vec::new());
    for (folder, manifest) in packages().into_iter().filter(|(_, manifest)| manifest.contains("\nautotests = false\n"))
    {
        let of_tests = targets(&manifest).filter(|(kind, _)| *kind == "test");
        let programs: Vec<PathBuf> = of_tests.map(|(_, lines)| folder.join(text(lines, "path").unwrap())).collect();
        let main = fs::read_to_string(folder.join("tests/main.rs")).unwrap();
        for entry in fs::read_dir(folder.join("tests")).unwrap() {
            let path = entry.unwrap().path();
            let roots = [path.clone(), path.join("main.rs")];
            let is_module = path.extension().is_some_and(|end| end == "rs") || path.join("mod.rs").exists();
            if roots.iter().any(|root| programs.contains(root)) || !is_module && !roots[1].exists() {
                continue;
            }
            seen += 1;
            let line = format!("mod {};", path.file_stem().unwrap().display());
            if !main.lines().any(|own| own.strip_prefix("pub ").unwrap_or(own) == line) {
                lost.push(format!("{}: no `{line}` in `tests/main.rs`", path.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(seen > 50, "{seen} are too few: are the folders read at all?");
}

/// `test = false` spares a program of tests.
#[test]
fn targets_without_a_program_of_tests_have_no_tests() {
    let (mut seen, mut lost) = (0, Vec::new());
    for (folder, manifest) in packages() {
        for (kind, lines) in
            targets(&manifest).filter(|(_, lines)| lines.lines().any(|line| line.starts_with("test = false")))
        {
            let path = match (kind, text(lines, "path"), text(lines, "name")) {
                ("lib", ..) => folder.join("src"),
                (_, Some(path), _) => folder.join(path),
                (_, None, Some(name)) => folder.join("src/bin").join(name),
                _ => panic!("{}: a target without a name", folder.display()),
            };
            let mut files = if path.is_dir() { vec![] } else { vec![path.with_extension("rs")] };
            let mut folders = if path.is_dir() { vec![path] } else { vec![] };
            while let Some(folder) = folders.pop() {
                for entry in fs::read_dir(folder).unwrap() {
                    let path = entry.unwrap().path();
                    if path.is_dir() { folders.push(path) } else { files.push(path) }
                }
            }
            for file in files.iter().filter(|file| file.extension().is_some_and(|end| end == "rs")) {
                seen += 1;
                let source = fs::read_to_string(file).unwrap();
                if source
                    .lines()
                    .any(|line| line.trim().starts_with("#[test]") || line.trim().starts_with("#[tokio::test"))
                {
                    lost.push(format!("{}: its tests never run", file.display()));
                }
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
    assert!(seen > 20, "{seen} are too few: are the manifests read at all?");
}
