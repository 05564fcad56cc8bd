//! What holds in every crate: no arrow runs up, and no files lead to each other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    path::{Path, PathBuf},
};

use super::house::{Arrow, House};

/// Things that lead to each other and stay so, with the reason.
pub(crate) type Exception = (&'static [&'static str], &'static str);

/// Asserts that no room knows one above it. Rooms are the top-level files and folders. `floors` are the rooms from the
/// lowest to the highest; those of one floor do not know each other.
pub(crate) fn no_room_knows_one_above_it(house: &House, floors: &[&[&str]]) {
    let floor = |room: &str| {
        floors
            .iter()
            .position(|floor| floor.contains(&room))
            .unwrap_or_else(|| panic!("`{room}` is no room of this test"))
    };
    let mut upwards = String::new();
    for (from, to) in house.arrows() {
        let (here, there) = (room(&from, Path::new("")), room(&to, Path::new("")));
        if here == there || [&here, &there].into_iter().any(|room| room == "lib") {
            continue;
        }
        if floor(&there) >= floor(&here) {
            writeln!(upwards, "{} knows {}", from.display(), to.display()).expect("a string takes all");
        }
    }
    assert!(upwards.is_empty(), "these know a room above or beside them:\n{upwards}");
}

/// Asserts that in each folder the files and folders have an order in which each knows only those below it: then no arrow
/// runs up. An exception names the files and folders that lead to each other, each from the crate's folder on.
pub(crate) fn no_arrow_runs_up(house: &House, exceptions: &[Exception]) {
    let arrows = plain(house);
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for source in house.sources() {
        folders.extend(source.path.ancestors().skip(1).map(Path::to_owned));
    }
    let mut circles = BTreeSet::new();
    for folder in folders {
        let inside = arrows.iter().filter(|(from, to)| from.starts_with(&folder) && to.starts_with(&folder));
        let rooms = inside.map(|(from, to)| (room(from, &folder), room(to, &folder)));
        let between =
            rooms.filter(|(from, to)| from != to && ![from, to].iter().any(|room| *room == "mod" || *room == "lib"));
        for circle in circles_of(between) {
            circles.insert(circle.iter().map(|room| folder.join(room).display().to_string()).collect::<Vec<_>>());
        }
    }
    are_these("files and folders of a folder that lead to each other", circles, exceptions);
}

/// Asserts that no files lead to each other, wherever they are. A file may know the one of the folder in which it stands.
pub(crate) fn no_files_lead_to_each_other(house: &House, exceptions: &[Exception]) {
    let arrows = plain(house).into_iter().map(|(from, to)| (from.display().to_string(), to.display().to_string()));
    are_these("files that lead to each other", circles_of(arrows).into_iter().collect(), exceptions);
}

fn are_these(what: &str, found: BTreeSet<Vec<String>>, exceptions: &[Exception]) {
    let known: BTreeSet<Vec<String>> =
        exceptions.iter().map(|(names, _)| names.iter().map(|name| (*name).to_owned()).collect()).collect();
    let new: Vec<_> = found.difference(&known).collect();
    let gone: Vec<_> = known.difference(&found).collect();
    assert!(
        new.is_empty() && gone.is_empty(),
        "{what}: let one of them not know the other; what these are not any more is to be taken from the list.\nnew: {new:#?}\ngone: {gone:#?}"
    );
}

/// The arrows, without those to the file of a folder from within it.
fn plain(house: &House) -> Vec<Arrow> {
    let is_own_folder = |(from, to): &Arrow| {
        let folder =
            if to.ends_with("mod.rs") { to.parent().expect("a folder").to_owned() } else { to.with_extension("") };
        from.starts_with(folder)
    };
    house.arrows().into_iter().filter(|arrow| !is_own_folder(arrow)).collect()
}

/// The file or folder in which a file stands, seen from a folder.
fn room(path: &Path, folder: &Path) -> String {
    let inside = path.strip_prefix(folder).expect("in the folder");
    let first = inside.iter().next().expect("a name");
    Path::new(first).with_extension("").display().to_string()
}

/// The groups in which each leads to each, sorted.
fn circles_of(arrows: impl Iterator<Item = (String, String)>) -> Vec<Vec<String>> {
    let mut next: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (from, to) in arrows {
        next.entry(to.clone()).or_default();
        next.entry(from).or_default().insert(to);
    }
    let reached = |from: &String| {
        let mut reached = BTreeSet::new();
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            open.extend(next[at].iter().filter(|to| reached.insert((*to).clone())));
        }
        reached
    };
    let reached: BTreeMap<&String, BTreeSet<String>> = next.keys().map(|from| (from, reached(from))).collect();
    let mut circles = BTreeSet::new();
    for (from, to) in &reached {
        if to.contains(*from) {
            circles.insert(to.iter().filter(|to| reached[to].contains(*from)).cloned().collect::<Vec<_>>());
        }
    }
    circles.into_iter().filter(|circle| circle.len() > 1).collect()
}

#[test]
fn circles_and_arrows_that_run_up_are_seen() {
    let house = super::house::of_texts(&[
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a/mod.rs", "pub struct A; use super::b::B;"),
        ("a/low.rs", "use super::A; pub struct Low;"),
        ("b.rs", "pub struct B; use crate::a::low::Low;"),
        ("c.rs", "use crate::{a::A, b::B};"),
    ]);
    let caught = |check: &dyn Fn()| {
        let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(check)).expect_err("it is seen");
        *caught.downcast::<String>().expect("a text")
    };
    let up = caught(&|| no_room_knows_one_above_it(&house, &[&["a"], &["b"], &["c"]]));
    assert!(up.ends_with("a/mod.rs knows b.rs\n"), "{up}");
    let up = caught(&|| no_room_knows_one_above_it(&house, &[&["b"], &["c"], &["a"]]));
    assert!(up.contains("b.rs knows a/low.rs\nc.rs knows a/mod.rs"), "{up}");
    no_arrow_runs_up(&house, &[(&["a", "b"], "of this test")]);
    assert!(caught(&|| no_arrow_runs_up(&house, &[])).contains("\"b\""));
    assert!(caught(&|| no_arrow_runs_up(&house, &[(&["a", "b"], ""), (&["c", "d"], "")])).contains("gone: [\n"));
    // `a/low.rs` may know `a/mod.rs`, so the circle of rooms is none of files.
    no_files_lead_to_each_other(&house, &[]);
    let circle = super::house::of_texts(&[
        ("lib.rs", ""),
        ("a.rs", "use crate::b::c;"),
        ("b/mod.rs", ""),
        ("b/c.rs", "use crate::a;"),
    ]);
    no_files_lead_to_each_other(&circle, &[(&["a.rs", "b/c.rs"], "of this test")]);
}
