//! Steps from one version of the tables to the next one, on a real server.

use tokio_postgres::NoTls;

use super::*;
use crate::{sql::Sql, start::Server};

const NEXT: &str = "ALTER TABLE sessions ADD COLUMN archived boolean NOT NULL DEFAULT false";

/// A connection, and the schema `name` with the tables of this version and a session.
async fn made(server: &Server, name: &str) -> Client {
    let mut client = connected(server).await;
    migrate(&mut client, name, STEPS).await.unwrap();
    let insert = "INSERT INTO sessions (id, cwd, additional_directories, created, updated, options, token, lease_until)
                  VALUES ('s', '/a', '[]', 1, 1, '{}', 1, 0)";
    client.batch_execute(&format!("SET search_path = {name}; {insert}")).await.unwrap();
    client
}

async fn connected(server: &Server) -> Client {
    let (client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

async fn number(client: &Client, query: &str) -> i64 {
    client.query_typed_one(query, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn tables_of_an_older_version_keep_their_sessions() {
    let Some(server) = Server::shared() else { return };
    let mut client = made(server, "older").await;
    let steps: Vec<&str> = STEPS.iter().copied().chain([NEXT]).collect();
    for _ in 0..2 {
        migrate(&mut client, "older", &steps).await.unwrap();
        assert_eq!(version(&client, "older").await.unwrap(), Some(steps.len()));
        assert_eq!(number(&client, "SELECT count(*) FROM sessions WHERE NOT archived").await, 1);
    }
}

#[tokio::test]
async fn a_session_of_the_first_version_comes_back_without_what_later_ones_added() {
    let Some(server) = Server::shared() else { return };
    let mut client = connected(server).await;
    migrate(&mut client, "first", &STEPS[..1]).await.unwrap();
    let insert = "INSERT INTO first.sessions (id, cwd, additional_directories, title, created, updated, options, token,
                                              lease_until)
                  VALUES ('s', '/a', '[\"/b\"]', 'A title', 1, 2, '{\"brave\":true}', 1, 0)";
    client.batch_execute(insert).await.unwrap();
    migrate(&mut client, "first", STEPS).await.unwrap();
    let kept = crate::read::kept(&client, &Sql::new("first", true), &"s".into()).await.unwrap();
    assert_eq!((kept.title.as_deref(), &kept.options["brave"]), (Some("A title"), &true.into()));
    assert!(kept.permissions.is_empty() && kept.unended.is_none() && kept.principal.is_none());
}

#[tokio::test]
async fn a_step_that_fails_leaves_the_version_before() {
    let Some(server) = Server::shared() else { return };
    let mut client = made(server, "failing").await;
    let failing = "DROP TABLE entries; ALTER TABLE nothing ADD COLUMN x int";
    let steps: Vec<&str> = STEPS.iter().copied().chain([failing]).collect();
    assert!(migrate(&mut client, "failing", &steps).await.is_err());
    assert_eq!(version(&client, "failing").await.unwrap(), Some(STEPS.len()));
    assert_eq!(number(&client, "SELECT count(*) FROM entries").await, 0);
    migrate(&mut client, "failing", STEPS).await.unwrap();
}

#[tokio::test]
async fn of_many_that_bring_tables_to_a_new_version_one_does_it() {
    let Some(server) = Server::shared() else { return };
    for round in 0..5 {
        let name = format!("at_once_{round}");
        let client = made(server, &name).await;
        // It is slow enough for all to meet.
        let next = format!("{NEXT}; SELECT pg_sleep(0.1)");
        let tasks: Vec<_> = (0..6)
            .map(|_| {
                let (next, name) = (next.clone(), name.clone());
                tokio::spawn(async move {
                    let mut client = connected(server).await;
                    let steps: Vec<&str> = STEPS.iter().copied().chain([&*next]).collect();
                    migrate(&mut client, &name, &steps).await
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert_eq!(version(&client, &name).await.unwrap(), Some(STEPS.len() + 1));
        assert_eq!(number(&client, "SELECT count(*) FROM sessions WHERE NOT archived").await, 1);
    }
}

#[tokio::test]
async fn a_migration_that_is_given_up_leaves_the_version_before() {
    let Some(server) = Server::shared() else { return };
    let mut client = made(server, "given_up").await;
    let slow = format!("{NEXT}; SELECT pg_sleep(60)");
    let steps: Vec<&str> = STEPS.iter().copied().chain([&*slow]).collect();
    let patience = std::time::Duration::from_millis(300);
    assert!(tokio::time::timeout(patience, migrate(&mut client, "given_up", &steps)).await.is_err());
    client.cancel_token().cancel_query(NoTls).await.unwrap();
    // The connection is not inside of the transaction any more.
    migrate(&mut client, "given_up", STEPS).await.unwrap();
    assert_eq!(number(&client, "SELECT count(*) FROM sessions").await, 1);
}
