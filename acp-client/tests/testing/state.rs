//! An agent with a core beside its turns: handlers share it, and it takes the model and the effort as one operation.

use std::sync::{Arc, Mutex};

use acp_client::testing;
use acp_runtime::prelude::*;
use serde_json::json;
use tokio::sync::Notify;

#[derive(ConfigOptions, Clone)]
struct Config {
    #[config_option(category = "model", default = Choice::new(["small"]))]
    model: Choice,
    #[config_option(values("low", "high"), default = "low")]
    effort: String,
}

#[derive(Clone, Default)]
struct Core {
    configured: Arc<Mutex<Vec<String>>>,
    interrupted: Arc<Notify>,
}

#[acp_agent(config = Config, shared = Core)]
struct Coder {
    /// Set when the provider has told its models.
    catalogue: Arc<Notify>,
}

#[acp_agent]
impl Coder {
    async fn session_opened(&self, session: SessionHandle<Config>) -> Result<()> {
        self.catalogue.notified().await;
        session.update_config(|config| config.model.offer(["small", "large"])).await
    }

    async fn prompt(&self, Shared(core): Shared<Core>, turn: Turn<Config>) -> Result<StopReason> {
        core.interrupted.notified().await;
        let configured = core.configured.lock().map_or_else(|_| Vec::new(), |told| told.clone());
        turn.message(configured.join(", ")).await?;
        Ok(StopReason::EndTurn)
    }

    #[on_change]
    async fn configure(&self, Shared(core): Shared<Core>, changes: Changes<Config>) -> Result<()> {
        let after = changes.after();
        if after.model.id() == "small" && after.effort == "high" {
            return Err(Error::invalid_params("the small model takes no effort"));
        }
        let mut told = core.configured.lock().map_err(|_| Error::internal_error("the core has panicked"))?;
        told.push(format!("{} {}", after.model.id(), after.effort));
        Ok(())
    }

    #[ext("_acp-tests.dev/interrupt")]
    async fn interrupt(&self, Shared(core): Shared<Core>) {
        core.interrupted.notify_one();
    }
}

#[tokio::test]
async fn an_agent_with_a_shared_core_keeps_the_rules() {
    let catalogue = Arc::new(Notify::new());
    let agent = testing::connect(Coder { catalogue: catalogue.clone() }).await;
    let session = agent.session().await;
    let refused = session.set_option("effort", "high").await.unwrap_err().to_string();
    assert!(refused.contains("the small model takes no effort"), "{refused}");
    let mut turn = session.prompt("Work").await.unwrap();
    catalogue.notify_one();
    // The client refuses a value that it does not know of, so it waits for the models.
    while session.set_option("model", "large").await.is_err() {
        tokio::task::yield_now().await;
    }
    session.set_option("effort", "high").await.unwrap();
    let named = json!({ "sessionId": session.id() });
    agent.ext_request::<()>("_acp-tests.dev/interrupt", &named).await.unwrap();
    assert_eq!(turn.text().await.unwrap().as_deref(), Some("large low, large high"));
    agent.finish().await;
}
