//! The memory of a client has a bound for any messages of its agent.

use serde_json::Value;

use crate::processes::Marked;

fn weigh(does: &str) -> (u64, Value) {
    let marked = Marked::new();
    let told: Value = serde_json::from_str(&marked.client(does, &[]).line()).unwrap();
    (told["peak"].as_str().unwrap().parse::<u64>().unwrap() / 1024, told)
}

#[test]
fn a_slow_consumer_holds_the_agent_back() {
    let (mib, told) = weigh("read slowly");
    assert!(mib < 24, "{told}");
    assert!(told["taken"].as_u64().unwrap() > 100, "{told}");
}

#[test]
fn an_answer_awaited_behind_a_flood_costs_no_more_than_the_hard_bound() {
    let (mib, told) = weigh("await");
    assert!(mib < 96, "{told}");
    // The client waited for an answer that never came. Meanwhile the flood exceeded the bound, so the client read on
    // and dropped it.
    assert!(told["error"].as_str().unwrap().contains("more than 33554432 bytes"), "{told}");
    assert_eq!(told["answered"], true, "{told}");
}

#[test]
fn sessions_that_nobody_knows_cost_little() {
    let (mib, told) = weigh("hear of strangers");
    assert!(mib < 64, "{told}");
    assert_eq!(told["reason"], true, "{told}");
}
