//! Files by the agent itself.

use std::{
    fs,
    os::unix::fs::{PermissionsExt as _, symlink},
    process::Command,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use serde_json::{Value, json};

use super::{alone, done, work};

#[tokio::test]
async fn a_file_is_read_whole_or_by_its_lines() {
    let (folder, mut peer, id) = alone().await;
    fs::write(folder.path().join("notes"), "one\r\ntwo\nthree").unwrap();
    assert_eq!(done(&mut peer, &id, "read", json!({ "path": "notes" })).await, "one\r\ntwo\nthree");
    assert_eq!(done(&mut peer, &id, "read", json!({ "path": folder.path().join("notes") })).await.len(), 14);
    for (line, limit, text) in
        [(1, 1, "one\r\n"), (2, 1, "two\n"), (2, 9, "two\nthree"), (3, 1, "three"), (4, 1, ""), (1, 0, "")]
    {
        let part = json!({ "path": "notes", "line": line, "limit": limit });
        assert_eq!(done(&mut peer, &id, "lines", part).await, text, "{line} {limit}");
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_with_the_reason() {
    let (folder, mut peer, id) = alone().await;
    let root = folder.path();
    fs::create_dir(root.join("folder")).unwrap();
    fs::write(root.join("bytes"), b"ab\xff").unwrap();
    fs::write(root.join("long"), vec![b'x'; 16 * 1024 * 1024 + 1]).unwrap();
    assert!(Command::new("mkfifo").arg(root.join("pipe")).status().unwrap().success());
    for (path, code, why) in [
        ("missing", -32002, ""),
        ("bytes/below", -32002, ""),
        ("folder", -32603, "is no file: it is a folder, a device or a pipe"),
        ("pipe", -32603, "is no file: it is a folder, a device or a pipe"),
        ("bytes", -32603, "is no text in UTF-8: byte 3 of this part is not"),
        ("long", -32603, "has more than 16777216 bytes there: read fewer lines of it"),
    ] {
        for what in ["read", "lines"] {
            let error = work(&mut peer, &id, what, &json!({ "path": path })).await.unwrap_err();
            assert_eq!(error.code, code, "{path} {error:?}");
            assert!(error.message.contains(why), "{path} {error:?}");
        }
    }
    let error = work(&mut peer, &id, "lines", &json!({ "path": "bytes", "line": 0 })).await.unwrap_err();
    assert!(error.message.contains("counts lines from 1"), "{error:?}");
}

#[tokio::test]
async fn a_write_makes_the_file_and_its_folders() {
    let (folder, mut peer, id) = alone().await;
    for content in ["old", "new"] {
        done(&mut peer, &id, "write", json!({ "path": "a/b/notes", "content": content })).await;
        assert_eq!(fs::read_to_string(folder.path().join("a/b/notes")).unwrap(), content);
    }
    let left: Vec<_> = fs::read_dir(folder.path().join("a/b")).unwrap().collect();
    assert_eq!(left.len(), 1, "no draft is left: {left:?}");
}

#[tokio::test]
async fn a_write_keeps_permissions_and_links() {
    let (folder, mut peer, id) = alone().await;
    let root = folder.path();
    fs::write(root.join("script"), "old").unwrap();
    fs::set_permissions(root.join("script"), fs::Permissions::from_mode(0o755)).unwrap();
    symlink("script", root.join("link")).unwrap();
    symlink("nowhere", root.join("dangling")).unwrap();
    for link in ["link", "dangling"] {
        done(&mut peer, &id, "write", json!({ "path": link, "content": "new" })).await;
        assert!(root.join(link).is_symlink(), "{link}");
    }
    assert_eq!(fs::read_to_string(root.join("script")).unwrap(), "new");
    assert_eq!(fs::metadata(root.join("script")).unwrap().permissions().mode() & 0o777, 0o755);
    assert_eq!(fs::read_to_string(root.join("nowhere")).unwrap(), "new");
}

/// A thread looks at the folder while a file is written, until it has seen drafts before their end.
#[tokio::test]
async fn the_draft_of_a_private_file_is_private() {
    let (folder, mut peer, id) = alone().await;
    let root = folder.path().to_owned();
    fs::write(root.join("key"), "old").unwrap();
    fs::set_permissions(root.join("key"), fs::Permissions::from_mode(0o640)).unwrap();
    let (seen, stop) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let watching = std::thread::spawn({
        let (root, seen, stop) = (root.clone(), seen.clone(), stop.clone());
        move || {
            let mut modes = Vec::new();
            while !stop.load(Ordering::Relaxed) {
                for entry in fs::read_dir(&root).unwrap().map(Result::unwrap) {
                    // A draft may be gone since.
                    let Ok(found) = entry.metadata() else { continue };
                    if entry.file_name().to_string_lossy().ends_with(".draft") && found.len() > 0 {
                        let mode = found.permissions().mode() & 0o7777;
                        modes.push(mode);
                        // On a busy disk, most of the time of a draft is its end, when it has the rights of the file.
                        seen.fetch_add(usize::from(mode != 0o640), Ordering::Relaxed);
                    }
                }
            }
            modes
        }
    });
    let content = "x".repeat(2 * 1024 * 1024);
    while seen.load(Ordering::Relaxed) < 3 {
        done(&mut peer, &id, "write", json!({ "path": "key", "content": content })).await;
    }
    stop.store(true, Ordering::Relaxed);
    let modes = watching.join().unwrap();
    // At its very end, a draft has the rights of the file.
    let private = modes.iter().filter(|mode| **mode == 0o600).count();
    assert!(private > 0 && modes.iter().all(|mode| [0o600, 0o640].contains(mode)), "{modes:?}");
    // A new file has the rights that any program would give it.
    fs::write(root.join("by the test"), "").unwrap();
    done(&mut peer, &id, "write", json!({ "path": "new", "content": "" })).await;
    let mode = |name: &str| fs::metadata(root.join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("key"), mode("new")), (0o640, mode("by the test")));
}

#[tokio::test]
async fn what_cannot_be_written_is_refused_and_stays() {
    let (folder, mut peer, id) = alone().await;
    fs::create_dir(folder.path().join("folder")).unwrap();
    fs::write(folder.path().join("file"), "old").unwrap();
    for path in ["folder", "file/below"] {
        let error = work(&mut peer, &id, "write", &json!({ "path": path, "content": "new" })).await.unwrap_err();
        assert_eq!(error.code, -32603, "{path}");
        assert!(error.message.contains(path), "{error:?}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "old");
    assert_eq!(peer.unread(), [], "the client is asked for nothing");
}

/// What a client offers, it does alone.
#[tokio::test]
async fn each_capability_counts_for_itself() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("notes"), "on disk").unwrap();
    let (mut peer, id) = super::workshop(folder.path(), json!({ "fs": { "readTextFile": true } })).await;
    done(&mut peer, &id, "write", json!({ "path": "notes", "content": "by the agent" })).await;
    assert_eq!(fs::read_to_string(folder.path().join("notes")).unwrap(), "by the agent");
    let turn = peer.prompt(&id, r#"read {"path":"notes"}"#).await;
    let asked = peer.asked("fs/read_text_file").await;
    peer.reply(&asked, json!({ "content": "unsaved" })).await;
    peer.stop_reason(turn).await;
    assert_eq!(peer.updates()[0]["content"]["text"], Value::from("unsaved"));
}
