//! `acp sessions`: the sessions that an agent keeps in a file, and those of the stores without an agent.

use std::{fs, path::Path};

use serde_json::{Value, json};

use crate::acp::{CODER, ECHO, Ran, acp};

/// The coder on a file.
fn sessions(store: &Path, arguments: &[&str]) -> Ran {
    let agent = ["--", CODER, "--store", store.to_str().unwrap()];
    acp(["sessions"].iter().chain(arguments).chain(&agent))
}

#[test]
fn sessions_are_listed_shown_exported_and_deleted() {
    let folder = tempfile::tempdir().unwrap();
    let folder_path = folder.path().canonicalize().unwrap();
    let (store, work) = (folder_path.join("sessions.db"), folder_path.join("work"));
    fs::create_dir(&work).unwrap();
    assert_eq!(sessions(&store, &["list"]).stdout, "");
    for prompt in ["one", "edit two"] {
        let arguments =
            ["exec", prompt, "--permissions", "all", "--cwd", work.to_str().unwrap(), "--", CODER, "--store"];
        assert_eq!(acp(arguments.into_iter().chain([store.to_str().unwrap()])).exit, 0);
    }
    let ran = sessions(&store, &["list", "--format", "json"]);
    let list: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(list["schema"], 1);
    let ids: Vec<_> =
        list["sessions"].as_array().unwrap().iter().map(|session| session["sessionId"].as_str().unwrap()).collect();
    let [second, first] = *ids else { panic!("{list:#}") };
    let ran = sessions(&store, &["list"]);
    assert!(ran.stdout.starts_with(second) && ran.stdout.contains(work.to_str().unwrap()), "{ran:?}");
    assert_eq!(ran.stdout.lines().count(), 2);
    assert_eq!(sessions(&store, &["list", "--cwd", folder_path.to_str().unwrap()]).stdout, "");

    for protocol in ["1", "2"] {
        let ran = sessions(&store, &["show", second, "--protocol", protocol]);
        assert_eq!((ran.exit, &*ran.stderr), (0, ""), "{ran:?}");
        assert!(
            ran.stdout.starts_with("> edit two\n(thinks) The user wants something.\nYou said: edit two\n"),
            "{ran:?}"
        );
        let call = format!("[tool] Edit {} (completed)\n", work.join("NOTES.md").display());
        assert!(ran.stdout.ends_with(&format!("{call}The note is in the file.\n")), "{ran:?}");
    }

    // Each was opened in its own folder, which an agent may keep.
    let ran = sessions(&store, &["list", "--cwd", work.to_str().unwrap()]);
    assert_eq!(ran.stdout.lines().count(), 2, "{ran:?}");

    let ran = sessions(&store, &["export", first]);
    let frames = ran.frames();
    assert_eq!(
        (&frames[0]["type"], &frames[0]["schema"], &frames[0]["sessionId"]),
        (&json!("session"), &json!(1), &json!(first))
    );
    let said = frames.iter().find(|frame| frame["update"]["sessionUpdate"] == "user_message_chunk").unwrap();
    assert_eq!((&said["type"], &said["update"]["content"]["text"]), (&json!("update"), &json!("one")));

    assert_eq!(sessions(&store, &["delete", first, second]).exit, 0);
    assert_eq!(sessions(&store, &["list"]).stdout, "");
    sessions(&store, &["show", first]).failed(1, &["session/load", first]);
}

#[test]
fn an_agent_that_keeps_nothing_says_so() {
    let of_echo =
        |arguments: &[&str]| acp(["sessions"].iter().chain(arguments).chain(&["--protocol", "1", "--", ECHO]));
    of_echo(&["list"]).failed(1, &["did not advertise `sessionCapabilities.list`"]);
    of_echo(&["show", "s1"]).failed(1, &["did not advertise `loadSession`"]);
    of_echo(&["delete", "s1"]).failed(1, &["did not advertise `sessionCapabilities.delete`"]);
    acp(["sessions", "delete", "--", ECHO]).failed(2, &["<ID>"]);
}

/// The head of an export, and the texts of its user.
fn exported(ran: &Ran) -> (Value, Vec<Value>) {
    let frames = ran.frames();
    let is_users = |frame: &&Value| frame["update"]["sessionUpdate"] == "user_message_chunk";
    let texts = frames.iter().filter(is_users).map(|frame| frame["update"]["content"]["text"].clone()).collect();
    (frames[0].clone(), texts)
}

#[test]
fn the_file_of_a_store_is_read_without_an_agent_as_with_one() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("sessions.db");
    let work = folder.path().canonicalize().unwrap();
    let of_file =
        |arguments: &[&str]| acp(["sessions"].iter().chain(arguments).chain(&["--sqlite", store.to_str().unwrap()]));
    of_file(&["list"]).failed(2, &["there is no file", "sessions.db"]);
    for prompt in ["one", "edit two"] {
        let arguments =
            ["exec", prompt, "--permissions", "all", "--cwd", work.to_str().unwrap(), "--", CODER, "--store"];
        assert_eq!(acp(arguments.into_iter().chain([store.to_str().unwrap()])).exit, 0);
    }
    let (listed, by_agent) = (of_file(&["list"]), sessions(&store, &["list"]));
    assert_eq!((listed.exit, &listed.stdout), (0, &by_agent.stdout), "{listed:?}");
    let ids: Vec<_> = listed.stdout.lines().map(|line| line.split(' ').next().unwrap()).collect();
    let [second, first] = *ids else { panic!("{listed:?}") };
    assert_eq!(of_file(&["show", second]).stdout, sessions(&store, &["show", second]).stdout);
    let (head, texts) = exported(&of_file(&["export", first]));
    assert_eq!((&head["sessionId"], &head["schema"], &head["cwd"]), (&json!(first), &json!(1), &json!(work)));
    assert_eq!((&texts, texts.len()), (&exported(&sessions(&store, &["export", first])).1, 1));
    assert_eq!(of_file(&["list", "--cwd", "/"]).stdout, "");
    assert_eq!(of_file(&["list", "--principal", "ann"]).stdout, "");

    of_file(&["delete", first, "nobody"]).failed(1, &["no session `nobody` is kept here"]);
    assert_eq!(of_file(&["list"]).stdout.lines().count(), 1);
    of_file(&["show", first]).failed(1, &["no session", first]);
    fs::write(folder.path().join("other"), "no database, but long enough to be looked at as one").unwrap();
    acp(["sessions", "list", "--sqlite", folder.path().join("other").to_str().unwrap()])
        .failed(4, &["is left as it is"]);
    acp(["sessions", "list", "--sqlite", "x", "--", CODER]).failed(2, &["cannot be used with"]);
}

#[cfg(unix)]
mod of_postgres {
    use std::{fs, time::Duration};

    use acp_store::{Change, Claim, Entry, Kept, Owner, SessionStore as _, values::*};
    use acp_store_postgres::PostgresStore;
    use serde_json::json;

    use super::exported;
    use crate::{
        acp::{Ran, acp},
        start::Server,
    };

    /// Keeps a session of a principal, with as many prompts as this.
    async fn keep(store: &PostgresStore, id: &str, principal: Option<&str>, prompts: u64) {
        let mut kept = Kept::new("/project");
        kept.principal = principal.map(str::to_owned);
        kept.title = Some(format!("Talk {id}"));
        let lease = store.create(&id.into(), &kept, &Claim::new(&Owner::new(), Duration::from_secs(60))).await.unwrap();
        let said = (1..=prompts).map(|seq| {
            let text = ContentChunk::new(format!("prompt {seq}").into());
            Entry::new(seq, SessionUpdate::UserMessageChunk(text))
        });
        store.commit(&lease, Change::said(&said.collect::<Vec<_>>())).await.unwrap();
        store.release(&lease).await.unwrap();
    }

    #[tokio::test]
    async fn the_tables_of_a_store_are_read_without_an_agent() {
        let Some(server) = Server::shared() else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("url");
        fs::write(&file, server.url() + "\n").unwrap();
        let (url, in_file) = (server.url(), format!("@{}", file.display()));
        let of = |schema: &str, url: &str, arguments: &[&str]| -> Ran {
            acp(["sessions"].iter().chain(arguments).chain(&["--schema", schema, "--postgres", url]))
        };
        // Looking makes no tables.
        for _ in 0..2 {
            of("talks", &url, &["list"]).failed(4, &["help: this program reads the tables"]);
            of("talks", &url, &["delete", "x"]).failed(4, &["help: this program reads the tables"]);
        }
        let store = PostgresStore::options().schema("talks").open(&url).await.unwrap();
        // More than a page.
        keep(&store, "long", None, 450).await;
        keep(&store, "of-ann", Some("ann"), 1).await;
        let listed = of("talks", &in_file, &["list"]);
        assert!(
            listed.exit == 0 && listed.stdout.starts_with("long  ") && listed.stdout.ends_with("/project  Talk long\n"),
            "{listed:?}"
        );
        assert!(of("talks", &url, &["list", "--principal", "ann"]).stdout.starts_with("of-ann  "));
        assert_eq!(of("talks", &url, &["show", "of-ann"]).stdout, "> prompt 1\n");
        let (head, texts) = exported(&of("talks", &url, &["export", "long"]));
        assert_eq!((&head["title"], &head["principal"]), (&json!("Talk long"), &json!(null)));
        assert_eq!(texts, (1..=450).map(|seq| json!(format!("prompt {seq}"))).collect::<Vec<_>>());
        assert_eq!(of("talks", &url, &["delete", "long"]).exit, 0);
        assert_eq!(of("talks", &url, &["list"]).stdout, "");
        of("talks", "postgres://host:port/x", &["list"]).failed(2, &["URL of the database"]);
        of("talks", "host=/nowhere user=acp", &["list"]).failed(4, &["does not answer"]);
        of("talks", "@/nowhere/url", &["list"]).failed(2, &["/nowhere/url, cannot be read"]);
    }
}
