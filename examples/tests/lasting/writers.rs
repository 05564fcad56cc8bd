//! Two living processes, and one session.

use std::time::Duration;

use acp_client::Error;
use acp_runtime::store::{Claim, Owner, SessionStore};
use acp_store_sqlite::SqliteStore;

use super::coder::{Coder, answer, load, shown};

fn refusal<T>(result: Result<T, Error>) -> String {
    let error = result.err().expect("it is refused");
    error.refusal().unwrap_or_else(|| panic!("{error}")).message().to_owned()
}

#[tokio::test]
async fn a_session_that_began_in_one_process_goes_on_in_another() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sessions.db");
    goes_on_in_another(async || Coder::start(&file).await).await;
}

/// Begins a session in a coder that `start` starts, and continues it in another one.
pub(crate) async fn goes_on_in_another(start: impl AsyncFn() -> Coder) {
    let (first, second) = (start().await, start().await);
    let session = first.connection.new_session("/").await.expect("a session");
    let id = session.id().to_string();
    assert_eq!(answer(&session, "one").await.expect("a turn"), "You said: one\n");
    session.set_option("brave", true).await.expect("an option");
    // The first process has it, and nothing happens in it: it is handed over.
    let (moved, history) = load(&second.connection, &id).await.expect("it is handed over");
    assert!(refusal(answer(&session, "more").await).contains("session"), "it is not there any more");
    let session = moved;
    let said: Vec<_> = history.iter().filter_map(|update| update.text()).collect();
    assert_eq!((&*said, &*shown(&session, "brave")), (&["You said: one\n"][..], "true"));
    assert_eq!(answer(&session, "two").await.expect("a turn"), "You said: two\n");
    session.close().await.expect("it closes");

    let (_, history) = load(&first.connection, &id).await.expect("nobody has it");
    let said: Vec<_> = history.iter().filter_map(|update| update.text()).collect();
    assert_eq!(said, ["You said: one\n", "You said: two\n"]);
}

#[tokio::test]
async fn of_two_writers_the_one_that_lost_the_session_is_told_so_and_can_load_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("sessions.db");
    let (first, second) = (Coder::start(&file).await, Coder::start(&file).await);
    let session = first.connection.new_session("/").await.expect("a session");
    let id = session.id().clone();
    answer(&session, "one").await.expect("a turn");
    // The lease of an idle session ends after a while. Nobody waits for this here.
    let store = SqliteStore::open(&file).await.expect("the store");
    let claim = Claim::new(&Owner::new(), Duration::from_secs(1)).forced();
    let lease = store.claim(&id, &claim).await.expect("it is forced");
    store.release(&lease).await.expect("it is given back");
    let (other, _) = load(&second.connection, id.as_ref()).await.expect("nobody has it");
    answer(&other, "two").await.expect("a turn");

    let lost = "the session was opened in another process: open it again to continue here";
    assert_eq!(refusal(answer(&session, "three").await), lost);
    assert_eq!(refusal(session.set_option("brave", true).await), lost);
    assert_eq!(answer(&other, "three").await.expect("the other one has it"), "You said: three\n");
    other.close().await.expect("it closes");
    let (session, history) = load(&first.connection, id.as_ref()).await.expect("it opens again");
    let said: Vec<_> = history.iter().filter_map(|update| update.text()).collect();
    assert_eq!(said, ["You said: one\n", "You said: two\n", "You said: three\n"]);
    assert_eq!(answer(&session, "four").await.expect("a turn"), "You said: four\n");
}
