//! Where an agent's sessions are if nobody says otherwise.

use std::{
    env,
    ffi::OsString,
    path::{Component, Path, PathBuf},
};

use acp_store::StoreError;

/// The path for the agent `app` on this system.
pub(crate) fn default_path(app: &str) -> Result<PathBuf, StoreError> {
    found(app, &|name| env::var_os(name), env::home_dir())
}

fn found(app: &str, variable: &dyn Fn(&str) -> Option<OsString>, home: Option<PathBuf>) -> Result<PathBuf, StoreError> {
    let mut parts = Path::new(app).components();
    let is_name = matches!((parts.next(), parts.next()), (Some(Component::Normal(name)), None) if name == app);
    if !is_name {
        return Err(StoreError::invalid(format!("the name `{app}`"), "it is to be the name of a folder"));
    }
    // The specification says that relative paths are to be ignored.
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let given = |name| variable(name).map(PathBuf::from).and_then(absolute);
    let home = home.and_then(absolute);
    let folder = if cfg!(windows) {
        given("LOCALAPPDATA").or_else(|| Some(home?.join("AppData").join("Local")))
    } else if cfg!(target_os = "macos") {
        given("XDG_DATA_HOME").or_else(|| Some(home?.join("Library").join("Application Support")))
    } else {
        given("XDG_DATA_HOME").or_else(|| Some(home?.join(".local").join("share")))
    };
    let folder =
        folder.ok_or_else(|| StoreError::unavailable("this user has no home folder: give the store a path"))?;
    Ok(folder.join(app).join("sessions.db"))
}

#[cfg(all(test, unix, not(target_os = "macos")))]
mod tests {
    use super::*;

    fn path(app: &str, xdg: Option<&str>, home: Option<&str>) -> Option<PathBuf> {
        let variable = |name: &str| xdg.filter(|_| name == "XDG_DATA_HOME").map(OsString::from);
        found(app, &variable, home.map(PathBuf::from)).ok()
    }

    #[test]
    fn the_file_is_where_xdg_says() {
        let expected = |path: &str| Some(PathBuf::from(path));
        assert_eq!(path("a", Some("/data"), Some("/home/me")), expected("/data/a/sessions.db"));
        assert_eq!(path("a", None, Some("/home/me")), expected("/home/me/.local/share/a/sessions.db"));
        assert_eq!(path("a", Some("data"), Some("/home/me")), expected("/home/me/.local/share/a/sessions.db"));
        assert_eq!(path("a", Some(""), Some("/home/me")), expected("/home/me/.local/share/a/sessions.db"));
        assert_eq!(path("a", None, None), None);
    }

    #[test]
    fn an_agents_name_leads_out_of_no_folder() {
        for app in ["", ".", "..", "a/b", "/a", "a/", "./a"] {
            assert_eq!(path(app, Some("/data"), None), None, "`{app}`");
        }
    }
}
