use std::path::Path;

use acp_client::{Connection, Session, values::SessionId};

async fn folder_first(connection: &Connection, id: SessionId) -> acp_client::Result<Session> {
    connection.resume_session("/project", id).await
}

async fn both_typed(connection: &Connection, id: &SessionId, cwd: &Path) -> acp_client::Result<Session> {
    connection.load_session(cwd, id.clone()).await?.finish().await
}

fn main() {}
