//! The ways by which PostgreSQL finds the rows of a page, and the statements that wait for its disk.

use std::time::Duration;

use tokio_postgres::{Client, NoTls, types::ToSql, types::Type};

use acp_store::{Change, Claim, Kept, Owner};

use super::*;
use crate::{
    connections::settings,
    rows::{ChangeRow, KeptRow},
    schema::{STEPS, migrate},
    start::Server,
    write::{self, Said},
};

/// The steps of a plan, each with its name alone, and the names of the indexes.
async fn plan(client: &Client, statement: &str, values: &[(&(dyn ToSql + Sync), Type)]) -> String {
    let rows = client.query_typed(&format!("EXPLAIN (COSTS OFF) {statement}"), values).await.unwrap();
    rows.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_page_reads_no_other_rows() {
    let Some(server) = Server::shared() else { return };
    let (mut client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute(&settings(Duration::from_secs(60))).await.unwrap();
    migrate(&mut client, "plans", STEPS).await.unwrap();
    // The server does not collect statistics by itself meanwhile.
    let fill = "SET search_path = plans;
        ALTER TABLE sessions SET (autovacuum_enabled = off);
        ALTER TABLE entries SET (autovacuum_enabled = off);
        INSERT INTO sessions (id, cwd, additional_directories, created, updated, options, token, lease_until, principal)
        SELECT 's' || n, '/a' || n % 50, '[]', n, n, '{}', n, 0, CASE n % 4 WHEN 0 THEN 'ann' WHEN 1 THEN 'bob' END FROM generate_series(1, 100000) AS n;
        INSERT INTO entries SELECT 1 + n / 3000, n, NULL, repeat('x', 300) FROM generate_series(1, 33000) AS n";
    client.batch_execute(fill).await.unwrap();
    let sql = Sql::new("plans", false);
    for statistics in ["SELECT 'there are none'", "ANALYZE sessions, entries"] {
        client.batch_execute(statistics).await.unwrap();
        for (is_of_cwd, is_behind, index) in [
            (false, false, "sessions_of_principal"),
            (false, true, "sessions_of_principal"),
            (true, false, "sessions_of_principal_and_cwd"),
            (true, true, "sessions_of_principal_and_cwd"),
        ] {
            let (cwd, updated, id) =
                (is_of_cwd.then_some("/a3"), is_behind.then_some(80_000_i64), is_behind.then_some("s1"));
            for principal in [None, Some("ann")] {
                let values: [(&(dyn ToSql + Sync), Type); 5] = [
                    (&51_i64, Type::INT8),
                    (&cwd, Type::TEXT),
                    (&updated, Type::INT8),
                    (&id, Type::TEXT),
                    (&principal, Type::TEXT),
                ];
                let plan = plan(&client, sql.list(is_of_cwd, is_behind), &values).await;
                assert!(plan.contains(&format!("Index Scan Backward using {index} on")), "{statistics}: {plan}");
                assert!(!plan.contains("Sort"), "{statistics}: {plan}");
            }
        }
        let values: [(&(dyn ToSql + Sync), Type); 4] =
            [(&"s5", Type::TEXT), (&7000_i64, Type::INT8), (&256_i64, Type::INT8), (&(1_i64 << 20), Type::INT8)];
        let plan = plan(&client, &sql.replay, &values).await;
        let first = "Index Cond: ((session = sessions.number) AND (seq > '7000'::bigint))";
        let page = "Index Cond: ((session = sessions.number) AND (seq >= entries.seq) AND (seq < (entries.seq + '256'::bigint)))";
        let is_bounded = plan.contains(first) && plan.contains(page);
        assert!(is_bounded && !plan.contains("Seq Scan"), "{statistics}: {plan}");
    }
}

/// Each statement has the mode that its transaction has at its end.
const WATCH: &str = "
    CREATE TABLE seen (n bigint GENERATED ALWAYS AS IDENTITY, what text, mode text);
    CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO modes.seen (what, mode) VALUES (TG_OP, current_setting('synchronous_commit'));
        RETURN NULL;
    END $$;
    CREATE CONSTRAINT TRIGGER see AFTER INSERT OR UPDATE OR DELETE ON sessions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION see();
    SET synchronous_commit = off";

#[tokio::test]
async fn a_connection_that_does_not_wait_for_the_disk_loses_no_token_and_no_durable_commit() {
    let Some(server) = Server::shared() else { return };
    let (mut client, connection) = tokio_postgres::connect(&server.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    migrate(&mut client, "modes", STEPS).await.unwrap();
    client.batch_execute(&format!("SET search_path = modes; {WATCH}")).await.unwrap();
    let (claim, kept) = (Claim::new(&Owner::new(), Duration::from_secs(60)), KeptRow::of(&Kept::new("/")).unwrap());
    for (is_fast, of_commit) in [(false, "on"), (true, "off")] {
        let (sql, id) = (Sql::new("modes", is_fast), "s".into());
        write::create(&client, &sql, &id, &kept, &claim).await.unwrap();
        let lease = write::claim(&client, &sql, &id, &claim).await.unwrap();
        write::commit(&client, &sql, &lease, &ChangeRow::of(&Change::default()).unwrap(), &Said::default())
            .await
            .unwrap();
        write::delete(&client, &sql, &id).await.unwrap();
        let seen = client.query_typed("DELETE FROM seen RETURNING what || ' ' || mode, n", &[]).await.unwrap();
        let mut seen: Vec<(i64, String)> = seen.iter().map(|row| (row.get(1), row.get(0))).collect();
        seen.sort();
        let seen: Vec<String> = seen.into_iter().map(|(_, said)| said).collect();
        assert_eq!(seen, ["INSERT on", "UPDATE on", &format!("UPDATE {of_commit}"), "DELETE on"], "fast: {is_fast}");
    }
}
