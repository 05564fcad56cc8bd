//! A turn: what the core tells until it is done, as the client shows it.

use std::collections::BTreeMap;

use acp_runtime::{FromCall, prelude::*, values::UsageUpdate};
use tokio::{select, sync::oneshot, task::JoinSet};

use crate::{
    agent::{Adapter, Session},
    core::{Conversation, Event, Op},
    options::Config,
};

#[acp_agent(part = turn)]
impl Adapter {
    async fn prompt(&self, request: PromptRequest, ask: Ask<'_>) -> Result<StopReason> {
        let input = match request.command() {
            Some(("standup", _)) => "Say what happened yesterday".to_owned(),
            _ => request.text(),
        };
        ask.show(Op::Input(input)).await
    }

    /// If the task takes the text in, its turn answers this prompt, too.
    async fn steer(&self, request: PromptRequest, Shared(core): Shared<Conversation>) -> Steered {
        if core.steer(request.text()).await { Steered::Joined } else { Steered::Queued }
    }

    async fn cancel(&self, Shared(core): Shared<Conversation>) {
        core.submit(Op::Interrupt);
    }
}

/// What a prompt and the commands take from their calls.
#[derive(FromCall)]
pub(crate) struct Ask<'c> {
    core: Shared<Conversation>,
    session: &'c mut Session,
    turn: Turn<Config>,
}

impl Ask<'_> {
    /// Shows the events of an operation up to its end. If they cannot be shown, the operation is interrupted, and its other
    /// events are skipped: they are not the next turn's.
    pub(crate) async fn show(self, op: Op) -> Result<StopReason> {
        let Self { core: Shared(core), session, turn } = self;
        let mut tools = Tools { turn: &turn, running: BTreeMap::new(), asking: JoinSet::new() };
        let mut shown = Ok(());
        core.submit(op);
        loop {
            let now = select! {
                event = session.events.recv() => match event {
                    None => return shown.map(|()| StopReason::EndTurn),
                    Some(Event::Done(rollout)) => {
                        session.rollout = rollout;
                        return shown.map(|()| StopReason::EndTurn);
                    }
                    Some(_) if shown.is_err() => continue,
                    Some(event) => tools.show(event).await,
                },
                Some(Ok((number, call, answer, allowed))) = tools.asking.join_next() => {
                    tools.running.insert(number, call);
                    // An interrupted core does not wait for the answer.
                    let _ = answer.send(allowed);
                    Ok(())
                }
            };
            if now.is_err() {
                core.submit(Op::Interrupt);
                shown = now;
            }
        }
    }
}

/// The tools of a turn, by the core's numbers. Several run at once.
struct Tools<'t> {
    turn: &'t Turn<Config>,
    running: BTreeMap<usize, ToolCallHandle>,
    /// Those that wait for the user, and then for nothing else.
    asking: JoinSet<(usize, ToolCallHandle, oneshot::Sender<bool>, bool)>,
}

impl Tools<'_> {
    async fn show(&mut self, event: Event) -> Result<()> {
        match event {
            Event::Reasoning(text) => self.turn.thought(text).await?,
            Event::Text(text) => self.turn.message(text).await?,
            Event::Tokens(used) => self.turn.usage(UsageUpdate::new(used, 100_000)).await?,
            Event::Begin(call, command) => {
                let shown = self.turn.tool_call(command).kind(ToolKind::Execute).start().await?;
                self.running.insert(call, shown);
            }
            Event::Approve(number, answer) => {
                if let Some(call) = self.running.remove(&number) {
                    self.asking.spawn(async move {
                        let allowed = call.ask_permission().await.is_ok_and(|permission| permission.is_allowed());
                        (number, call, answer, allowed)
                    });
                }
            }
            Event::End(call, output) => match (self.running.remove(&call), output) {
                (Some(call), Ok(text)) => call.complete(text).await?,
                (Some(call), Err(why)) => call.fail(why).await?,
                (None, _) => {}
            },
            Event::Done(_) => {}
        }
        Ok(())
    }
}
