//! The test kills the client, the agent or the agent's child at random. In each case, no process is left.
//!
//! The test makes 30 kills. `ACP_KILLS=500 cargo test -p acp-misbehave kills` makes more, and `ACP_SEED` repeats a run.

use std::{env, time::Duration};

use rustix::process::{Signal, kill_process};

use crate::processes::Marked;

/// The client tells the remaining processes of a killed agent to end, and gives them its grace period.
const BOUND: Duration = Duration::from_secs(8);

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

#[tokio::test]
async fn no_process_is_left_whoever_is_killed() {
    let kills = number("ACP_KILLS").unwrap_or(30);
    let seed = number("ACP_SEED").unwrap_or(0x5eed);
    let mut random = Random(seed.max(1));
    let mut killed = [0; 3];
    for kill in 0..kills {
        let marked = Marked::new();
        let agent: &[&str] = match random.below(3) {
            0 => &["child"],
            1 => &["child-with-stdout"],
            _ => &["child", "child-with-stdout"],
        };
        // A killed client cannot end any process. Its agent ends when its input ends, but nothing ends the agent's
        // child. So the agent has no child here.
        let side = random.below(3) as usize;
        let agent = if side == 0 { &[] } else { agent };
        let mut client = marked.client("work", agent);
        if random.below(4) > 0 {
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
            killed[side] += 1;
            let _ = kill_process(victim, Signal::KILL);
        }
        // If the child or no process was killed, the client and its agent continue. So the test ends them with a
        // signal.
        if side != 1 || victim.is_none() {
            let _ = kill_process(rustix::process::Pid::from_child(&client.child), Signal::TERM);
        }
        client.ended(BOUND).await;
        marked.nobody_within(BOUND).await;
    }
    let [clients, agents, children] = killed;
    println!("seed {seed}: killed {clients} clients, {agents} agents, {children} children of agents; nothing is left");
    assert!(kills < 30 || killed.iter().all(|killed| *killed > 0), "{killed:?}");
}
