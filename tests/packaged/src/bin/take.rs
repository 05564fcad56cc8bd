//! A client: starts the agent, takes a note, and takes another in a second connection to the same session.

use std::process::Command;

use acp_client::{Endpoint, Result, Session};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(agent), Some(file)) = (args.next(), args.next()) else { panic!("usage: take AGENT FILE") };
    let start = async || {
        let mut command = Command::new(&agent);
        command.arg(&file);
        Endpoint::command(command).connect().await
    };
    let folder = std::env::temp_dir();

    let connection = start().await?;
    let session = connection.new_session(&folder).await?;
    let id = session.id().clone();
    say(&session, "milk").await?;
    connection.close().await?;

    let connection = start().await?;
    say(&connection.resume_session(id, &folder).await?, "bread").await?;
    connection.close().await?;
    Ok(())
}

async fn say(session: &Session, note: &str) -> Result<()> {
    let mut turn = session.prompt(note).await?;
    while let Some(text) = turn.text().await? {
        print!("{text}");
    }
    println!();
    Ok(())
}
