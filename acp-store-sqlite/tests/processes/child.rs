//! The parts of child processes.

use super::*;

/// Prints one whole line, so that the parent gets it though this process is killed right after it.
macro_rules! tell {
    ($($words:tt)*) => {
        println!("\nchild: {} .", format_args!($($words)*))
    };
}

#[tokio::test]
#[ignore = "it is a part of the other tests, and runs in their child processes"]
async fn child() {
    let Ok(part) = env::var("ACP_STORE_PART") else { return };
    let file = env::var("ACP_STORE_FILE").unwrap();
    let durability = if env::var("ACP_STORE_DURABLE").unwrap() == "1" { Durability::Durable } else { Durability::Fast };
    let store = open(Path::new(&file), durability).await;
    match part.as_str() {
        "turns" => turns(&store).await,
        "takeovers" => takeovers(&store).await,
        "commits" => commits(&store).await,
        other => panic!("no part `{other}`"),
    }
}

/// Claims the session, and makes turns and changes of options until it is killed. Each is told when it is kept.
async fn turns(store: &SqliteStore) {
    let begin = std::time::Instant::now();
    let lease = store.claim(&session(), &polite()).await.expect("the session opens at once");
    let mut kept = store.read(&session()).await.unwrap();
    tell!("opened {}", begin.elapsed().as_micros());
    let (mut random, mut next) = (random(), lease.last_seq() + 1);
    let mut turn: u64 = kept.title.as_deref().map_or(0, |title| title.parse().unwrap());
    let mut set: u64 = match kept.options.get("set") {
        Some(acp_runtime::store::OptionValue::Id(id)) => id.parse().unwrap(),
        _ => 0,
    };
    loop {
        if random(3) == 0 {
            set += 1;
            kept.options.insert("set".into(), set.to_string().as_str().into());
            store.commit(&lease, &kept, &[]).await.unwrap();
            tell!("set {set}");
        } else {
            turn += 1;
            let parts = random(6) + 1;
            let size = random(3000) as usize;
            let said: Vec<Entry> = (1..=parts)
                .map(|part| message(next + part - 1, format!("{turn} {part} {parts} {}", "x".repeat(size))))
                .collect();
            kept.title = Some(turn.to_string());
            store.commit(&lease, &kept, &said).await.unwrap();
            next += parts;
            tell!("turn {turn} {}", next - 1);
        }
    }
}

/// Takes the session so many times, and writes until it is taken away.
async fn takeovers(store: &SqliteStore) {
    let (mut random, owner, pid) = (random(), Owner::new(), std::process::id());
    for round in 0..env::var("ACP_STORE_TIMES").unwrap().parse::<u64>().unwrap() {
        let lease = loop {
            let mut claim = Claim::new(&owner, Duration::from_millis(random(20)));
            if random(3) == 0 {
                claim = claim.forced();
            }
            match store.claim(&session(), &claim).await {
                Ok(lease) => break lease,
                Err(StoreError::Held { .. }) => tokio::time::sleep(Duration::from_micros(random(2000))).await,
                Err(error) => panic!("{error}"),
            }
        };
        for (next, part) in (lease.last_seq() + 1..).zip(0..=random(4)) {
            let text = format!("{pid}:{round}:{part}");
            let mut kept = Kept::new("/");
            kept.title = Some(text.clone());
            match store.commit(&lease, &kept, &[message(next, &text)]).await {
                Ok(()) => tell!("kept {next} {text}"),
                Err(StoreError::LeaseLost { .. }) => {
                    tell!("lost");
                    break;
                }
                Err(error) => panic!("{error}"),
            }
            tokio::time::sleep(Duration::from_micros(random(1500))).await;
        }
        if random(2) == 0 {
            store.release(&lease).await.unwrap();
        }
    }
    tell!("done");
}

/// Ten commits, each told when it is kept.
async fn commits(store: &SqliteStore) {
    let lease = store.create(&session(), &Kept::new("/"), &polite()).await.unwrap();
    tell!("created");
    for seq in 1..=10 {
        store.commit(&lease, &Kept::new("/"), &[message(seq, "said")]).await.unwrap();
        tell!("kept {seq}");
    }
}
