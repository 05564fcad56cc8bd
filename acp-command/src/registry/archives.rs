//! Versions in the addresses of archives and in the names of packages, and archives that a registry refuses.

/// Endings of installers: a client unpacks an archive and starts a program in it, and installs nothing.
const INSTALLERS: &[&str] = &[".dmg", ".pkg", ".deb", ".rpm", ".msi", ".appimage"];

/// The ending of an installer, if the address has one.
pub(super) fn installer(address: &str) -> Option<&'static str> {
    let path = address.split(['?', '#']).next().unwrap_or_default().to_lowercase();
    INSTALLERS.iter().copied().find(|ending| path.ends_with(ending))
}

/// The version in an address: in the folder of a release, or in the name of an archive of npm.
pub(super) fn version_in_address(address: &str) -> Option<String> {
    let parts: Vec<_> = address.split('/').collect();
    // The version is a folder, so something follows it.
    let release = parts.windows(3).find_map(|parts| {
        let version = parts[1].strip_prefix('v').unwrap_or(parts[1]);
        let is_version = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        (matches!(parts[0], "download" | "releases") && is_version).then(|| three_numbers(version))
    });
    release.or_else(|| {
        parts.windows(2).filter(|parts| parts[0] == "-").find_map(|parts| {
            let (_, version) = parts[1][..parts[1].rfind(".tgz")?].rsplit_once('-')?;
            let numbers: Vec<_> = version.split('.').collect();
            let are_numbers = numbers.iter().all(|number| is_number(number));
            (numbers.len() == 3 && are_numbers).then(|| version.to_owned())
        })
    })
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// `1.2` is `1.2.0`.
fn three_numbers(version: &str) -> String {
    let numbers = version.split('.').chain(["0", "0"]).take(3);
    numbers.collect::<Vec<_>>().join(".")
}

/// The name and the version of a package of npm: `name@1.0.0`, or `@scope/name@1.0.0`.
pub(super) fn of_npm(package: &str) -> (&str, Option<&str>) {
    let scope = usize::from(package.starts_with('@'));
    match package[scope..].find('@') {
        Some(at) => (&package[..scope + at], Some(&package[scope + at + 1..]).filter(|version| !version.is_empty())),
        None => (package, None),
    }
}

/// The name and the version of a package of PyPI: `name==1.0.0`, `name>=1.0.0`, or `name@1.0.0`.
pub(super) fn of_pypi(package: &str) -> (&str, Option<&str>) {
    let is_sign = |sign: char| matches!(sign, '<' | '>' | '=' | '!' | '@');
    let name = package.split(is_sign).next().unwrap_or_default();
    let is_of_version = |sign: char| sign.is_ascii_digit() || sign == '.';
    let version = package.match_indices(['=', '@']).find_map(|(at, _)| {
        let rest = &package[at + 1..];
        let end = rest.find(|sign| !is_of_version(sign)).unwrap_or(rest.len());
        (end > 0).then(|| &rest[..end])
    });
    (name, version)
}

/// Whether a version is `x.y.z`; something may follow it behind another dot.
pub(super) fn is_semantic(version: &str) -> bool {
    let numbers: Vec<_> = version.split('.').take(3).collect();
    numbers.len() == 3 && numbers.iter().all(|number| is_number(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_read_from_addresses_and_packages() {
        for (address, version) in [
            ("https://example.com/o/r/releases/download/v1.2.3/a.zip", Some("1.2.3")),
            ("https://example.com/releases/1.2/a.zip", Some("1.2.0")),
            ("https://example.com/download/1.2.3", None),
            ("https://example.com/@s/a/-/a-1.2.3.tgz", Some("1.2.3")),
            ("https://example.com/a/-/a-1.2.tgz", None),
            ("https://example.com/a-1.2.3.zip", None),
        ] {
            assert_eq!(version_in_address(address).as_deref(), version, "{address}");
        }
        assert_eq!(of_npm("@a/b@1.0.0"), ("@a/b", Some("1.0.0")));
        assert_eq!(of_npm("b@1.0.0"), ("b", Some("1.0.0")));
        assert_eq!((of_npm("@a/b"), of_npm("b")), (("@a/b", None), ("b", None)));
        for package in ["b==1.0.0", "b>=1.0.0", "b@1.0.0"] {
            assert_eq!(of_pypi(package), ("b", Some("1.0.0")), "{package}");
        }
        assert_eq!(of_pypi("b"), ("b", None));
        assert_eq!(installer("https://example.com/a.DMG?x=1"), Some(".dmg"));
        assert_eq!(installer("https://example.com/a.tar.gz"), None);
        assert!(is_semantic("1.0.0") && is_semantic("1.0.0.1") && !is_semantic("1.0") && !is_semantic("1.0.0-rc1"));
    }
}
