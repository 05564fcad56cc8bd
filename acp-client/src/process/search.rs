//! Finds the program for a name on Windows: `npx` may be `npx.cmd` in one of the folders of `PATH`.
//!
//! The function `exists` tests each place. There are no system calls in this file, so its tests run on any system.

use std::{
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// The first place that exists: the name itself if it has an extension, otherwise the name with each of `extensions`
/// (`.EXE;.CMD`), in each of the folders in order. A name with a folder is searched only there.
pub(super) fn program(
    name: &OsStr,
    folders: &[PathBuf],
    extensions: &str,
    exists: impl Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let path = Path::new(name);
    let has_folder = name.as_encoded_bytes().iter().any(|byte| matches!(byte, b'/' | b'\\' | b':'));
    let extensions: Vec<&str> = extensions.split(';').filter(|extension| extension.starts_with('.')).collect();
    let is_program = path.extension().is_some_and(|own| {
        let own = own.to_string_lossy();
        extensions.iter().any(|extension| extension[1..].eq_ignore_ascii_case(&own))
    });
    let mut names: Vec<OsString> = Vec::new();
    if is_program {
        names.push(name.to_owned());
    }
    names.extend(extensions.iter().map(|extension| {
        let mut name = name.to_owned();
        name.push(extension.to_ascii_lowercase());
        name
    }));
    let here = [PathBuf::new()];
    let folders = if has_folder { &here[..] } else { folders };
    let mut places = folders.iter().flat_map(|folder| names.iter().map(move |name| folder.join(name)));
    places.find(|place| exists(place))
}

/// Whether a shell runs the program. `std` quotes the program's arguments for that shell.
pub(super) fn is_script(program: &Path) -> bool {
    program.extension().is_some_and(|own| own.eq_ignore_ascii_case("cmd") || own.eq_ignore_ascii_case("bat"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXTENSIONS: &str = ".COM;.EXE;.BAT;.CMD";

    fn find(name: &str, there: &[&str]) -> Option<String> {
        let folders = ["first", "second"].map(PathBuf::from);
        let exists = |path: &Path| there.iter().any(|there| *there == path.to_string_lossy().replace('\\', "/"));
        program(OsStr::new(name), &folders, EXTENSIONS, exists).map(|found| found.to_string_lossy().replace('\\', "/"))
    }

    #[test]
    fn a_name_stands_for_a_script_in_a_folder_of_the_path() {
        assert_eq!(find("npx", &["second/npx.cmd"]).as_deref(), Some("second/npx.cmd"));
        // An installation of Node puts a shell script of this name beside the program. Windows cannot run the script.
        assert_eq!(find("npx", &["first/npx", "first/npx.cmd"]).as_deref(), Some("first/npx.cmd"));
        assert_eq!(find("npx.cmd", &["second/npx.cmd"]).as_deref(), Some("second/npx.cmd"));
        assert_eq!(find("npx", &["third/npx.cmd"]), None);
        assert!(is_script(Path::new("first/npx.CMD")) && !is_script(Path::new("first/npx.exe")));
    }

    #[test]
    fn folders_come_before_extensions_and_extensions_in_their_order() {
        assert_eq!(find("tool", &["second/tool.exe", "first/tool.cmd"]).as_deref(), Some("first/tool.cmd"));
        assert_eq!(find("tool", &["first/tool.cmd", "first/tool.exe"]).as_deref(), Some("first/tool.exe"));
    }

    #[test]
    fn a_dot_in_a_name_is_no_extension_unless_programs_have_it() {
        assert_eq!(find("agent-1.2", &["first/agent-1.2.cmd"]).as_deref(), Some("first/agent-1.2.cmd"));
        assert_eq!(find("agent.EXE", &["first/agent.EXE"]).as_deref(), Some("first/agent.EXE"));
        assert_eq!(find("agent.py", &["first/agent.py"]), None);
    }

    #[test]
    fn a_name_with_a_folder_is_looked_for_there_only() {
        assert_eq!(find("bin/tool", &["first/bin/tool.cmd", "bin/tool.cmd"]).as_deref(), Some("bin/tool.cmd"));
        assert_eq!(find("bin/tool", &["first/tool.cmd"]), None);
    }
}
