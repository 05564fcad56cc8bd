//! A stand-in for the core that a vendor has already. It knows nothing of the protocol. A conversation takes operations,
//! gives one stream of events, runs tools at the same time, and waits for approvals. A script takes the place of a model.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::{
    select,
    sync::{mpsc, oneshot, watch},
    task::JoinSet,
};

/// What the user of a conversation wants.
pub(crate) enum Op {
    /// Begins a task.
    Input(String),
    /// For the task that runs; it tells that it has taken it. Without a task, nobody tells.
    Steer(String, oneshot::Sender<()>),
    Interrupt,
    Configure(Settings),
    /// Shortens the history.
    Compact,
    /// Takes back the last exchange.
    Undo,
}

#[derive(Clone, Default)]
pub(crate) struct Settings {
    pub(crate) model: String,
    pub(crate) effort: String,
    pub(crate) asks: bool,
}

/// What a conversation tells. Tools have numbers.
pub(crate) enum Event {
    Reasoning(&'static str),
    Text(String),
    Begin(usize, String),
    /// The tool waits for the answer: whether it may run.
    Approve(usize, oneshot::Sender<bool>),
    End(usize, Result<String, String>),
    /// The tokens in the context.
    Tokens(u64),
    /// The end of an operation, and the conversation as it is now.
    Done(Rollout),
}

type Tell = mpsc::UnboundedSender<Event>;

pub(crate) type Events = mpsc::UnboundedReceiver<Event>;

/// The sender of a conversation's operations. The conversation ends with the last one.
#[derive(Clone)]
pub(crate) struct Conversation(mpsc::UnboundedSender<Op>);

impl Conversation {
    pub(crate) fn submit(&self, op: Op) {
        // A conversation that is over needs no operation.
        let _ = self.0.send(op);
    }

    /// Whether a task runs, and takes the text in.
    pub(crate) async fn steer(&self, input: String) -> bool {
        let (taken, answer) = oneshot::channel();
        self.submit(Op::Steer(input, taken));
        answer.await.is_ok()
    }
}

/// One input, and the answer to it.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Exchange {
    input: String,
    commands: Vec<String>,
    answer: String,
}

/// A conversation as the model sees it. The core can go on with it later.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct Rollout {
    exchanges: Vec<Exchange>,
}

impl Rollout {
    fn tokens(&self) -> usize {
        self.exchanges.iter().map(|exchange| exchange.answer.len()).sum()
    }
}

/// A model, and the efforts that it knows.
pub(crate) type Model = (&'static str, &'static [&'static str]);

/// The account, and the catalogue of models.
#[derive(Clone)]
pub(crate) struct Core {
    pub(crate) models: watch::Sender<Vec<Model>>,
    pub(crate) account: watch::Sender<Option<String>>,
}

impl Default for Core {
    fn default() -> Self {
        let models = watch::Sender::new(vec![("swift", &["low", "high"][..]), ("plain", &["low"])]);
        Self { models, account: watch::Sender::new(None) }
    }
}

impl Core {
    /// Goes on with a conversation. An empty one begins.
    pub(crate) fn open(&self, rollout: Rollout) -> (Conversation, Events) {
        let (ops, submitted) = mpsc::unbounded_channel();
        let (tell, events) = mpsc::unbounded_channel();
        tokio::spawn(serve(rollout, submitted, tell));
        (Conversation(ops), events)
    }
}

async fn serve(mut rollout: Rollout, mut ops: mpsc::UnboundedReceiver<Op>, tell: Tell) {
    let mut settings = Settings::default();
    while let Some(op) = ops.recv().await {
        match op {
            Op::Configure(new) => {
                settings = new;
                continue;
            }
            Op::Interrupt | Op::Steer(..) => continue,
            Op::Compact => rollout.exchanges.clear(),
            Op::Undo => drop(rollout.exchanges.pop()),
            Op::Input(input) => {
                let mut exchange = Exchange { input, ..Exchange::default() };
                let (more, steered) = mpsc::unbounded_channel();
                let before = rollout.tokens();
                let mut work = Box::pin(model(settings.clone(), before, steered, &tell, &mut exchange));
                loop {
                    let op = select! {
                        () = &mut work => break,
                        op = ops.recv() => op,
                    };
                    match op {
                        Some(Op::Steer(input, taken)) => drop((more.send(input), taken.send(()))),
                        Some(Op::Configure(new)) => settings = new,
                        Some(Op::Interrupt) | None => break,
                        Some(_) => {}
                    }
                }
                drop(work);
                rollout.exchanges.push(exchange);
            }
        }
        let _ = tell.send(Event::Done(rollout.clone()));
    }
}

/// Takes the place of a model: `run a, b` runs two tools at once, any other input is said back.
async fn model(
    settings: Settings,
    before: usize,
    mut steered: mpsc::UnboundedReceiver<String>,
    tell: &Tell,
    exchange: &mut Exchange,
) {
    let _ = tell.send(Event::Reasoning("The user wants something."));
    let mut input = Some(exchange.input.clone());
    while let Some(text) = input {
        let mut tools = JoinSet::new();
        for command in text.strip_prefix("run ").into_iter().flat_map(|list| list.split(", ")) {
            tools.spawn(run(exchange.commands.len(), command.to_owned(), settings.asks, tell.clone()));
            exchange.commands.push(command.to_owned());
        }
        tools.join_all().await;
        let said = format!("{} ({}) read: {text}\n", settings.model, settings.effort);
        exchange.answer.push_str(&said);
        let _ = tell.send(Event::Text(said));
        input = steered.try_recv().ok();
    }
    let _ = tell.send(Event::Tokens((before + exchange.answer.len()) as u64));
}

async fn run(call: usize, command: String, asks: bool, tell: Tell) {
    let takes = Duration::from_millis(if command == "slow" { 60_000 } else { 10 });
    let _ = tell.send(Event::Begin(call, command.clone()));
    if asks {
        let (answer, allowed) = oneshot::channel();
        let _ = tell.send(Event::Approve(call, answer));
        if !allowed.await.unwrap_or(false) {
            let _ = tell.send(Event::End(call, Err("rejected by the user".to_owned())));
            return;
        }
    }
    tokio::time::sleep(takes).await;
    let _ = tell.send(Event::End(call, Ok(format!("{command}: done"))));
}
