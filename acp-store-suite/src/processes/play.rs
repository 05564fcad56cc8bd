//! The parts of child processes.

use std::time::Instant;

use super::*;
use acp_store::KeptOption;

/// Prints one whole line, so that the parent gets it though this process is killed right after it.
macro_rules! tell {
    ($($words:tt)*) => {
        report(&format!("\nchild: {} .", format_args!($($words)*)))
    };
}

/// Plays the part of this process on the store. If it has none, it returns at once: somebody runs the ignored tests.
///
/// # Panics
///
/// The store breaks a promise.
pub async fn play(open: impl AsyncFnOnce() -> Arc<dyn SessionStore>) {
    let Ok(part) = env::var(PART) else { return };
    let store = open().await;
    match part.as_str() {
        "turns" => turns(&store).await,
        "takeovers" => takeovers(&store).await,
        "commits" => commits(&store).await,
        other => panic!("no part `{other}`"),
    }
}

/// Claims the session, and makes turns and changes of options until it is killed. Each is told when it is kept.
async fn turns(store: &Store) {
    let begin = Instant::now();
    let lease = store.claim(&id("s"), &claim(LONG)).await.expect("the session opens at once");
    let mut kept = store.read(&id("s")).await.expect("it is there");
    tell!("opened {}", begin.elapsed().as_micros());
    let (mut random, mut next) = (random(), lease.last_seq() + 1);
    let mut turn = kept.title.as_deref().map_or(0, number);
    let mut set = match kept.options.get("set") {
        Some(KeptOption::Id(id)) => number(id),
        _ => 0,
    };
    loop {
        if random.below(3) == 0 {
            set += 1;
            kept.options.insert("set".into(), set.to_string().as_str().into());
            store.commit(&lease, Change::all(&kept)).await.expect("the lease is good");
            tell!("set {set}");
        } else {
            turn += 1;
            let parts = random.below(6) + 1;
            let size = random.below(3000) as usize;
            let said: Vec<Entry> = (1..=parts)
                .map(|part| message(next + part - 1, format!("{turn} {part} {parts} {}", "x".repeat(size))))
                .collect();
            kept.title = Some(turn.to_string());
            store.commit(&lease, Change::all(&kept).and_said(&said)).await.expect("the lease is good");
            next += parts;
            tell!("turn {turn} {}", next - 1);
        }
    }
}

/// Takes the session so many times, and writes until it is taken away.
async fn takeovers(store: &Store) {
    let (mut random, owner, pid) = (random(), Owner::new(), std::process::id());
    for round in 0..number(&env::var("ACP_STORE_TIMES").expect("the parent has set it")) {
        let lease = taken(store, &owner, &mut random).await;
        for (next, part) in (lease.last_seq() + 1..).zip(0..=random.below(4)) {
            let text = format!("{pid}:{round}:{part}");
            let mut kept = kept(1);
            kept.title = Some(text.clone());
            match store.commit(&lease, Change::all(&kept).and_said(&[message(next, &text)])).await {
                Ok(()) => tell!("kept {next} {text}"),
                Err(StoreError::LeaseLost { .. }) => {
                    tell!("lost");
                    break;
                }
                Err(error) => panic!("expected the error `LeaseLost`, got {error:?}"),
            }
            tokio::time::sleep(Duration::from_micros(random.below(1500))).await;
        }
        if random.below(2) == 0 {
            store.release(&lease).await.expect("a lost lease releases nothing");
        }
    }
    tell!("done");
}

/// Ten commits, each told when it is kept.
async fn commits(store: &Store) {
    let lease = opened(store, "s").await;
    tell!("created");
    for seq in 1..=10 {
        store.commit(&lease, Change::all(&kept(2)).and_said(&[message(seq, "said")])).await.expect("the lease is good");
        tell!("kept {seq}");
    }
}
