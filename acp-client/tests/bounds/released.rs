//! Sessions whose last handle was dropped.

use std::{
    path::PathBuf,
    sync::{Arc, Mutex},
};

use acp_client::{
    Call, ConnectOptions, Handlers,
    values::{ClientCapabilities, SessionId},
};

use super::{connect, new_session, soon};

/// A client that notes which sessions are open.
#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

impl Handlers for Notes {
    fn capabilities() -> ClientCapabilities {
        ClientCapabilities::new()
    }

    fn call(call: Call<'_, Self>) {
        call.unhandled();
    }

    fn session_opened(&self, id: &SessionId, _folders: Vec<PathBuf>) {
        self.0.lock().unwrap().push(id.to_string());
    }

    fn session_closed(&self, id: &SessionId) {
        self.0.lock().unwrap().retain(|open| *open != id.to_string());
    }
}

/// What the client keeps for a session, such as terminals, must end with the connection at the latest.
#[tokio::test(start_paused = true)]
async fn the_end_of_the_connection_closes_sessions_that_were_let_go_of() {
    let client = Notes::default();
    let (connection, mut agent) = connect(client.clone(), ConnectOptions::new()).await;
    drop(new_session(&connection, &mut agent, "one").await);
    let _two = new_session(&connection, &mut agent, "two").await;
    assert_eq!(*client.0.lock().unwrap(), ["one", "two"], "the agent may still work in both");
    drop(agent);
    soon(connection.close()).await.unwrap();
    assert_eq!(*client.0.lock().unwrap(), [""; 0]);
}
