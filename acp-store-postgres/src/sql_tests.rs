//! The ways by which PostgreSQL finds the rows of a page.

use std::time::Duration;

use tokio_postgres::{Client, NoTls, types::ToSql, types::Type};

use super::*;
use crate::{
    connections::settings,
    schema::{STEPS, migrate},
    start::Server,
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
        INSERT INTO sessions (id, cwd, additional_directories, created, updated, options, token, lease_until)
        SELECT 's' || n, '/a' || n % 50, '[]', n, n, '{}', n, 0 FROM generate_series(1, 100000) AS n;
        INSERT INTO entries SELECT 1 + n / 3000, n, NULL, repeat('x', 300) FROM generate_series(1, 33000) AS n";
    client.batch_execute(fill).await.unwrap();
    let sql = Sql::new("plans", false);
    for statistics in ["SELECT 'there are none'", "ANALYZE sessions, entries"] {
        client.batch_execute(statistics).await.unwrap();
        for (is_of_cwd, is_behind, index) in [
            (false, false, "sessions_by_update"),
            (false, true, "sessions_by_update"),
            (true, false, "sessions_of_cwd"),
            (true, true, "sessions_of_cwd"),
        ] {
            let (cwd, updated, id) =
                (is_of_cwd.then_some("/a3"), is_behind.then_some(80_000_i64), is_behind.then_some("s1"));
            let values: [(&(dyn ToSql + Sync), Type); 4] =
                [(&51_i64, Type::INT8), (&cwd, Type::TEXT), (&updated, Type::INT8), (&id, Type::TEXT)];
            let plan = plan(&client, sql.list(is_of_cwd, is_behind), &values).await;
            assert!(plan.contains(&format!("Index Scan Backward using {index}")), "{statistics}: {plan}");
            assert!(!plan.contains("Sort"), "{statistics}: {plan}");
        }
        let values: [(&(dyn ToSql + Sync), Type); 4] =
            [(&"s5", Type::TEXT), (&7000_i64, Type::INT8), (&7256_i64, Type::INT8), (&(1_i64 << 20), Type::INT8)];
        let plan = plan(&client, &sql.replay, &values).await;
        let both = "Index Cond: ((session = sessions.number) AND (seq > '7000'::bigint) AND (seq <= '7256'::bigint))";
        assert!(plan.contains(both) && !plan.contains("Seq Scan"), "{statistics}: {plan}");
    }
}
