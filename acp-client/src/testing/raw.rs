//! Calls of methods by their name, also by a name that the protocol reserves.

use serde::{Serialize, de::DeserializeOwned};

use super::TestConnection;
use crate::Result;

impl TestConnection {
    /// Calls a method of any name: a method of an older schema, a draft, or `$/ping`. The name needs no underscore, and
    /// no marker.
    ///
    /// If the protocol does not have the method, the rules `method-name` and `method-unknown` do not bind this call:
    /// neither the test nor the agent breaks a rule by it. A method of the protocol is judged as in other calls.
    ///
    /// ```
    /// use acp_client::testing;
    /// use acp_runtime::prelude::*;
    /// use serde_json::{Value, json};
    ///
    /// # #[derive(ConfigOptions, Clone)]
    /// # struct Config { #[config_option(values("fast", "smart"), default = "fast")] model: String }
    /// # #[acp_agent(config = Config)]
    /// # struct Coder;
    /// #[acp_agent]
    /// impl Coder {
    /// #   async fn prompt(&self, turn: Turn<Config>) -> Result<StopReason> {
    /// #       turn.message(turn.config().model.clone()).await?;
    /// #       Ok(StopReason::EndTurn)
    /// #   }
    ///     #[method("session/set_model")]
    ///     async fn set_model(&self, params: Value, session: SessionHandle<Config>) -> Result<()> {
    ///         session.set(Config::MODEL, params["modelId"].as_str().unwrap_or_default().to_owned()).await
    ///     }
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> acp_client::Result<()> {
    /// let agent = testing::connect(Coder).await;
    /// let session = agent.session().await;
    /// let params = json!({ "sessionId": session.id(), "modelId": "smart" });
    /// let _: Value = agent.raw_request("session/set_model", &params).await?;
    /// assert_eq!(session.turn("Hello").await.text(), "smart");
    /// agent.finish().await;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// The agent refused, is gone, or did not answer in time. Or its answer has another shape than `R`.
    pub async fn raw_request<R: DeserializeOwned>(&self, method: &str, params: &(impl Serialize + Sync)) -> Result<R> {
        self.raw.add(method);
        self.any_request(method, params).await
    }

    /// Sends a notification of any name. The rules apply as to [`raw_request`](Self::raw_request). If the agent is gone,
    /// the notification is lost.
    ///
    /// ```no_run
    /// # fn test(agent: acp_client::testing::TestConnection) {
    /// agent.raw_notification("$/ping", &serde_json::json!({ "count": 1 }));
    /// # }
    /// ```
    pub fn raw_notification(&self, method: &str, params: &impl Serialize) {
        self.raw.add(method);
        self.any_notification(method, params);
    }
}
