//! Three processes of an agent behind haproxy, with their sessions in PostgreSQL: one is killed, each is started again, and the clients go on. The
//! configuration is the one that `acp_http::deployment` shows.

mod agent;
mod clients;
mod haproxy;
mod process;
mod units;

use std::env;

use self::{clients::Clients, haproxy::Balancer, process::Process};
use super::lasting::start::Server;

/// So many turns run in all; `ACP_TURNS` says otherwise.
fn turns() -> usize {
    env::var("ACP_TURNS").map_or(40, |turns| turns.parse().expect("`ACP_TURNS` is a number"))
}

/// Three processes, and the balancer before them. `None` if this machine lacks a program; where `CI` is set, it must have them.
async fn three(server: &Server, schema: &str) -> Option<(Vec<Process>, Balancer)> {
    let program = haproxy::program()?;
    let mut processes = Vec::new();
    for _ in 0..3 {
        processes.push(Process::start(server, schema, 0).await);
    }
    let ports: Vec<u16> = processes.iter().map(Process::port).collect();
    let balancer = Balancer::start(&program, &ports).await;
    Some((processes, balancer))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_turn_that_was_told_is_lost_with_a_killed_process_and_its_sessions_go_on_at_another_one() {
    let Some(server) = Server::shared() else { return };
    let Some((mut processes, balancer)) = three(server, "killed").await else { return };
    let clients = Clients::connect(&balancer, turns()).await;
    let driving = clients.drive();
    clients.half().await;
    assert!(clients.stay_at_their_process(), "a client had its turns at several processes: {clients:?}");
    // In the middle of a turn.
    let victim = clients.one_that_works().await;
    let place = processes.iter().position(|process| process.number() == victim).expect("it is one of the three");
    processes.remove(place).kill();
    let gone_on = clients.all_go_on_without(victim).await;
    clients.may_end();
    driving.await;
    let failed = clients.failures();
    assert!(!failed.is_empty(), "a turn was interrupted: {clients:?}");
    for error in &failed {
        assert!(error.contains("the connection was lost") && error.contains("a load shows"), "{error}");
    }
    let told = clients.check(&balancer).await;
    println!(
        "kill: {told}; {} requests failed with the process; its sessions had their next turn at another one after {gone_on:?}",
        failed.len()
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_hear_no_error_while_each_process_is_started_again() {
    let Some(server) = Server::shared() else { return };
    let Some((processes, balancer)) = three(server, "rolled").await else { return };
    let clients = Clients::connect(&balancer, turns()).await;
    let driving = clients.drive();
    let before: Vec<u32> = processes.iter().map(Process::number).collect();
    let mut after = Vec::new();
    for process in processes {
        clients.some_turns().await;
        let port = process.port();
        // Its turns end, its sessions are handed over, and it ends.
        process.terminate().await;
        after.push(Process::start(server, "rolled", port).await);
        balancer.has_all_up().await;
    }
    clients.some_turns().await;
    clients.may_end();
    driving.await;
    assert_eq!(clients.failures(), <[String; 0]>::default());
    assert!(
        before.iter().all(|number| !clients.work_at(*number)),
        "each session has left the first processes: {clients:?}"
    );
    let told = clients.check(&balancer).await;
    println!("three restarts: {told}");
}

/// A process that ends has a turn still, and its client may speak to it.
#[tokio::test]
async fn a_process_that_ends_keeps_the_clients_that_it_has_and_gets_no_others() {
    let Some(server) = Server::shared() else { return };
    let Some((mut processes, balancer)) = three(server, "drained").await else { return };
    let first = clients::connect(&balancer.url("http")).await;
    let session = first.new_session("/").await.expect("a session");
    let mut turn = session.prompt("wait").await.expect("a turn");
    let said = clients::soon("a text", turn.text()).await.expect("it runs").expect("it speaks");
    let number = clients::number_of(&said);
    let place = processes.iter().position(|process| process.number() == number).expect("it is one of the three");
    let ending = processes.remove(place);
    ending.tell_to_end();
    balancer.has_one_that_ends().await;
    for _ in 0..6 {
        let other = clients::connect(&balancer.url("http")).await;
        let session = other.new_session("/").await.expect("a session");
        let answer = clients::answer(&session, "hello").await.expect("a turn");
        assert_ne!(clients::number_of(&answer), number, "it gets no other client");
    }
    // The cancel finds the process of the turn, which ends in its own time.
    turn.cancel();
    let end = clients::soon("the end of the turn", turn.finish()).await.expect("it was told to the client");
    assert_eq!(end.stop_reason.map(|reason| reason.to_string()).as_deref(), Some("cancelled"));
    ending.terminate().await;
    let answer = clients::answer(&session, "hello").await.expect("the session goes on");
    assert_ne!(clients::number_of(&answer), number);
}
