//! Schemas: several in one database, those of others, newer ones, and what somebody else has changed.

use super::*;

fn corrupt<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(error @ StoreError::Corrupt { .. }) => error.to_string(),
        other => panic!("expected the error `Corrupt`, got {other:?}"),
    }
}

/// All tables of a schema, with the transactions that made them and their rows.
async fn state(server: &Server, schema: &str) -> Vec<String> {
    let tables =
        "SELECT relname || ' ' || pg_class.xmin || ' ' || relfilenode || query_to_xml('SELECT xmin, * FROM ' ||
                  quote_ident(nspname) || '.' || quote_ident(relname), true, false, '')::text
                  FROM pg_class JOIN pg_namespace ON relnamespace = pg_namespace.oid
                  WHERE nspname = $1 AND relkind = 'r' ORDER BY relname";
    let rows = connected(server).await.query_typed(tables, &[(&schema, Type::TEXT)]).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

#[tokio::test]
async fn one_database_holds_several_stores() {
    let Some(server) = Server::shared() else { return };
    let odd = "Ein \"Schema\"; it's --\\ $1 é";
    let long = "n".repeat(63);
    for schema in [odd, "A", "a", "select", &long] {
        let store = open(server, schema).await;
        let lease = said(&store, "s", 3).await;
        assert_eq!(store.list(&ListFilter::default(), None, 10).await.unwrap().sessions.len(), 1, "`{schema}`");
        assert_eq!(lease.token(), 1, "`{schema}` has tokens of its own");
        assert!(store.place().contains(schema));
        open(server, schema).await.read(&id("s")).await.unwrap();
    }
    for wrong in ["", &"n".repeat(64), "nul\0"] {
        let refused = PostgresStore::options().schema(wrong).open(&server.url()).await;
        assert!(matches!(refused, Err(StoreError::Invalid { .. })), "{refused:?}");
    }
}

#[tokio::test]
async fn a_schema_of_another_program_is_refused_and_left_as_it_is() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let tables = format!(
        "CREATE SCHEMA {schema}; CREATE TABLE {schema}.sessions (notes text); INSERT INTO {schema}.sessions VALUES ('mine')"
    );
    connected(server).await.batch_execute(&tables).await.unwrap();
    let before = state(server, &schema).await;
    let error = corrupt(PostgresStore::options().schema(&schema).open(&server.url()).await);
    assert!(error.contains("tables of another program") && error.contains(&format!("`{schema}`")), "{error}");
    assert_eq!(state(server, &schema).await, before);
}

#[tokio::test]
async fn tables_of_a_newer_version_are_refused_and_left_as_they_are() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    said(&open(server, &schema).await, "s", 3).await;
    connected(server).await.batch_execute(&format!("UPDATE {schema}.acp_store SET version = 99")).await.unwrap();
    let before = state(server, &schema).await;
    assert_eq!(before.len(), 3);
    let error = corrupt(PostgresStore::options().schema(&schema).open(&server.url()).await);
    assert!(error.contains("version 99") && error.contains("start a newer one"), "{error}");
    assert_eq!(state(server, &schema).await, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_open_a_new_schema_at_once() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let mut tasks = Vec::new();
    for number in 0..8 {
        let schema = schema.clone();
        tasks.push(tokio::spawn(async move {
            said(&open(server, &schema).await, &format!("s{number}"), 1).await;
        }));
    }
    for task in tasks {
        task.await.unwrap();
    }
    let page = open(server, &schema).await.list(&ListFilter::default(), None, 100).await.unwrap();
    assert_eq!(page.sessions.len(), 8, "all of them are in one store");
}

#[tokio::test]
async fn a_user_without_rights_on_the_database_needs_only_the_schema() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let admin = connected(server).await;
    admin.batch_execute(&format!("CREATE USER plain_{schema}")).await.unwrap();
    let url = format!("{} user=plain_{schema}", server.url());
    let refused = PostgresStore::options().schema(&schema).open(&url).await;
    assert!(
        matches!(&refused, Err(StoreError::Unavailable { reason }) if reason.contains("permission denied")),
        "{refused:?}"
    );
    admin.batch_execute(&format!("CREATE SCHEMA {schema} AUTHORIZATION plain_{schema}")).await.unwrap();
    let store = PostgresStore::options().schema(&schema).open(&url).await.unwrap();
    said(&store, "s", 1).await;
}

#[tokio::test]
async fn a_database_that_cannot_hold_every_text_is_refused() {
    let Some(server) = Server::shared() else { return };
    let make = "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0";
    if connected(server).await.batch_execute(make).await.is_err() {
        // PostgreSQL 14 has one provider.
        let make = "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0";
        connected(server).await.batch_execute(make).await.unwrap();
    }
    let error = corrupt(PostgresStore::open(&format!("{} dbname=latin", server.url())).await);
    assert!(error.contains("encoding LATIN1") && error.contains("ENCODING 'UTF8'"), "{error}");
}

#[tokio::test]
async fn a_url_that_makes_no_sense_is_told_without_its_password() {
    for url in ["postgres://me:secret@db:port/x", "host=a passwort=secret"] {
        match PostgresStore::open(url).await {
            Err(error @ StoreError::Invalid { .. }) => assert!(!error.to_string().contains("secret"), "{error}"),
            other => panic!("expected the error `Invalid`, got {other:?}"),
        }
    }
}

#[tokio::test]
async fn a_url_that_asks_for_tls_is_told_how_to_get_it() {
    for (keys, words) in [
        ("sslmode=require", "it asks for TLS"),
        ("channel_binding=require", "it asks for TLS"),
        ("sslmode=verify-full", "invalid value for option `sslmode`"),
        ("sslmode=require&sslrootcert=/ca.crt", "unknown option `sslrootcert`"),
    ] {
        match PostgresStore::open(&format!("postgres://me:secret@127.0.0.1:1/agents?{keys}")).await {
            Err(error @ StoreError::Invalid { .. }) => {
                let told = error.to_string();
                assert!(told.contains(words) && told.contains("use `PostgresOptions::open_with`"), "{told}");
            }
            other => panic!("expected the error `Invalid`, got {other:?}"),
        }
    }
}

#[tokio::test]
async fn tables_that_were_removed_are_told_and_not_made_again() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let store = open(server, &schema).await;
    let lease = said(&store, "s", 1).await;
    let admin = connected(server).await;
    admin.batch_execute(&format!("ALTER SCHEMA {schema} RENAME TO {schema}_away")).await.unwrap();
    for _ in 0..2 {
        let error = corrupt(store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "lost?")])).await);
        assert!(error.contains("does not exist"), "{error}");
    }
    admin.batch_execute(&format!("ALTER SCHEMA {schema}_away RENAME TO {schema}")).await.unwrap();
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "it is back")])).await.unwrap();
}

#[tokio::test]
async fn a_damaged_column_damages_its_session_alone() {
    let Some(server) = Server::shared() else { return };
    let schema = schema();
    let store = open(server, &schema).await;
    let admin = connected(server).await;
    admin.batch_execute(&format!("SET search_path = {schema}")).await.unwrap();
    said(&store, "s", 8).await;
    said(&store, "t", 1).await;
    for (change, column) in [
        ("UPDATE sessions SET options = '{' WHERE id = 's'", "options"),
        ("UPDATE sessions SET options = '{}', state = 'x', state_version = 1 WHERE id = 's'", "state"),
        ("UPDATE sessions SET state = '1', state_version = -1 WHERE id = 's'", "state_version"),
        ("UPDATE sessions SET state = NULL, permissions = '[]' WHERE id = 's'", "permissions"),
        (
            "UPDATE sessions SET permissions = '{}', additional_directories = '[7]' WHERE id = 's'",
            "additional_directories",
        ),
    ] {
        admin.batch_execute(change).await.unwrap();
        let error = corrupt(store.read(&id("s")).await);
        assert!(error.contains(&format!("`{column}`")), "{error}");
    }
    admin.batch_execute("UPDATE entries SET said = 'x' WHERE session = 1 AND seq = 7").await.unwrap();
    assert_eq!(store.replay(&id("s"), 0, 6).await.unwrap().len(), 6);
    let error = corrupt(store.replay(&id("s"), 6, 1).await);
    assert!(error.contains("`said`") && error.contains("entry 7"), "{error}");
    admin.batch_execute("UPDATE sessions SET last_seq = -1 WHERE id = 's'").await.unwrap();
    assert!(corrupt(store.claim(&id("s"), &claim().forced()).await).contains("`last_seq`"));
    admin.batch_execute("UPDATE sessions SET owner = '?' WHERE id = 's'").await.unwrap();
    assert!(corrupt(store.claim(&id("s"), &claim()).await).contains("`owner`"));

    let lease = store.claim(&id("t"), &claim().forced()).await.unwrap();
    store.commit(&lease, Change::all(&kept(2)).and_said(&[message(2, "the other goes on")])).await.unwrap();
    assert!(store.delete(&id("s")).await.unwrap(), "it can be deleted");
}
