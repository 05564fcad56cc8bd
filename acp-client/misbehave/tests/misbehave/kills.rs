//! The test kills the client, the agent or the agent's child at random. In each case, no process of the agent's group is
//! left. The agents have children, also when their client is killed. One exception is counted: a client that is killed in
//! the few milliseconds in which it starts its agent may leave the agent's child.
//!
//! The test makes 30 kills. `ACP_KILLS=500 cargo test -p acp-misbehave kills` makes more, and `ACP_SEED` repeats a run.

use std::{env, time::Duration};

use rustix::process::{Signal, kill_process};

use crate::processes::Marked;

/// The client, or its watchdog, tells the remaining processes to end, and gives them its grace period twice.
const BOUND: Duration = Duration::from_secs(12);

/// Commands are told to end at once.
const SOON_ENOUGH: Duration = Duration::from_secs(5);

/// A random generator (xorshift64*). It needs no crate, and a seed repeats a run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % end
    }
}

fn number(variable: &str) -> Option<u64> {
    env::var(variable).ok()?.parse().ok()
}

/// The number of killed clients, agents and children of agents, and of clients that have left a child of their agent.
#[derive(Default)]
struct Killed {
    by_side: [usize; 3],
    left: usize,
}

async fn kill_some(kills: usize, seed: u64) -> Killed {
    let mut random = Random(seed.max(1));
    let mut killed = Killed::default();
    for kill in 0..kills {
        let marked = Marked::new();
        let agent: &[&str] = match random.below(3) {
            0 => &["child"],
            1 => &["child-with-stdout"],
            _ => &["child", "child-with-stdout"],
        };
        let side = random.below(3) as usize;
        let mut client = marked.client("work", agent);
        let is_ready = random.below(4) > 0;
        if is_ready {
            assert_eq!(client.line(), "ready", "kill {kill} of seed {seed}");
        }
        tokio::time::sleep(Duration::from_micros(random.below(30_000))).await;
        let word = |own: &str| {
            let agents = |words: &str| words.contains("misbehaving-agent");
            marked.alive().into_iter().find_map(|(id, words)| {
                let is_child = words.contains("child-of-agent");
                let is_it = agents(&words) && (own == "child") == is_child;
                is_it.then_some(id)
            })
        };
        let victim = match side {
            0 => Some(rustix::process::Pid::from_child(&client.child)),
            1 => word("agent"),
            _ => word("child"),
        };
        if let Some(victim) = victim {
            killed.by_side[side] += 1;
            let _ = kill_process(victim, Signal::KILL);
        }
        // If the child or no process was killed, the client and its agent continue. So the test ends them with a
        // signal.
        if side != 1 || victim.is_none() {
            let _ = kill_process(rustix::process::Pid::from_child(&client.child), Signal::TERM);
        }
        client.ended(BOUND).await;
        // The watchdog does not know an agent that is being started in the moment of the kill. If there was no agent to kill
        // yet, the client was ended in this moment, too.
        let is_starting = !is_ready && (side != 1 || victim.is_none());
        if !is_starting {
            marked.nobody_within(BOUND).await;
        } else if !marked.is_empty_within(BOUND).await {
            killed.left += 1;
        }
    }
    killed
}

#[tokio::test]
async fn no_process_is_left_whoever_is_killed() {
    let kills = number("ACP_KILLS").unwrap_or(30) as usize;
    let seed = number("ACP_SEED").unwrap_or(0x5eed);
    // Most of the time goes by in waits for the end of processes, so three rows of kills go on side by side.
    let share = kills.div_ceil(3);
    let rows = tokio::join!(kill_some(share, seed), kill_some(share, seed + 1), kill_some(share, seed + 2));
    let rows = [rows.0, rows.1, rows.2];
    let [clients, agents, children] = [0, 1, 2].map(|side| rows.iter().map(|row| row.by_side[side]).sum::<usize>());
    let left: usize = rows.iter().map(|row| row.left).sum();
    println!("seed {seed}: killed {clients} clients, {agents} agents, {children} children of agents");
    println!(
        "{left} clients that ended while they started their agent have left a child of the agent; all others nothing"
    );
    assert!(left <= 3 + kills / 25, "{left} of {kills}");
    assert!(kills < 30 || [clients, agents, children].iter().all(|killed| *killed > 0), "a side was never killed");
}

#[tokio::test]
async fn nothing_is_left_of_a_client_that_is_killed_or_exits() {
    // An agent that ignores the end of its input, and its child.
    let marked = Marked::new();
    let mut client = marked.client("wait", &["ignore-eof", "ignore-signals", "stubborn-child"]);
    assert_eq!(client.line(), "ready");
    client.signal(Signal::KILL);
    client.ended(BOUND).await;
    assert!(marked.alive().len() > 1, "the agent has time");
    marked.nobody_within(BOUND).await;
    // Commands of terminals, which have no input. An exit runs no destructors.
    let mut client = marked.client("command", &[]);
    assert_eq!(client.line(), "ready");
    client.signal(Signal::KILL);
    client.ended(BOUND).await;
    marked.nobody_within(SOON_ENOUGH).await;
    let mut client = marked.client("command and exit", &[]);
    assert!(client.ended(BOUND).await.success());
    marked.nobody_within(SOON_ENOUGH).await;
}

#[tokio::test]
async fn a_signal_that_is_passed_on_reaches_commands_too() {
    let marked = Marked::new();
    let mut client = marked.client("command and forward", &["ignore-eof"]);
    assert_eq!(client.line(), "ready");
    assert_eq!(client.line(), "ready");
    client.signal(Signal::INT);
    client.ended(BOUND).await;
    marked.nobody_within(SOON_ENOUGH).await;
}
