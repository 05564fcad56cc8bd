//! Methods of the client that are called by their markers: those of a vendor's schema.
//!
//! See [Extensibility](https://agentclientprotocol.com/protocol/v1/extensibility).

use std::pin::Pin;

#[cfg(feature = "v2")]
use serde::Serialize;
#[cfg(feature = "v2")]
use serde_json::value::{RawValue, to_raw_value};

use super::asking::{Client, shaped};
use crate::{
    schema::{ClientMethod, Method, NotificationMethod, RequestMethod},
    values::methods,
    wire::{Error, Result, own},
};

/// A call under way. The future is boxed because the compiler repeats the error of a wrong marker for the future of an
/// `async fn`, which names the marker's bounds.
type Calling<'c, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'c>>;

impl Client {
    /// Calls a method of the client by its marker `M`. The params and the answer have the types of the schema.
    ///
    /// `acp-codegen` generates the marker from a vendor's overlay, in which `x-side` is `client`. A marker of the agent, or of
    /// a notification, does not compile. The protocol's own methods have functions of their own, such as
    /// [`read_text_file`](Self::read_text_file), which also fill in the session. A method without a schema is called by
    /// [`ext_request`](Self::ext_request).
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// # mod schema {
    /// #     pub use acp_runtime::schema::v1::{CreateTerminalRequest as OpenEditorRequest, TerminalId};
    /// #     pub mod methods { pub use acp_runtime::schema::v1::methods::CreateTerminal as OpenEditor; }
    /// # }
    /// use schema::{OpenEditorRequest, methods};
    ///
    /// async fn show(client: &Client) -> Result<()> {
    ///     let answer = client.call::<methods::OpenEditor>(&OpenEditorRequest::new("s1", "/src/lib.rs")).await?;
    /// #   let _: schema::TerminalId = answer.terminal_id;
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The client answers with an error (`-32601` if it does not know the method), or its answer has another shape. Or
    /// this call is cancelled, or the client did not advertise the capability of a method of the protocol.
    pub fn call<'c, M: RequestMethod + ClientMethod>(&'c self, params: &'c M::Params) -> Calling<'c, M::Response>
    where
        M::Params: Sync,
    {
        Box::pin(async move {
            self.check_offered(M::NAME)?;
            #[cfg(feature = "v2")]
            if let Some(params) = self.translated(M::NAME, params)? {
                return shaped(own::read(self.send(M::NAME, &params).await?.get()));
            }
            shaped(own::read(self.send(M::NAME, params).await?.get()))
        })
    }

    /// Sends a notification to the client by its marker `M`, as [`call`](Self::call) sends a request.
    ///
    /// ```
    /// use acp_runtime::prelude::*;
    /// # mod schema {
    /// #     pub use acp_runtime::schema::v1::CompleteElicitationNotification as ProgressNotification;
    /// #     pub mod methods { pub use acp_runtime::schema::v1::methods::CompleteElicitation as Progress; }
    /// # }
    /// use schema::{ProgressNotification, methods};
    ///
    /// async fn half_done(client: &Client) -> Result<()> {
    ///     client.notify::<methods::Progress>(&ProgressNotification::new("half")).await
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// The client is gone, or the method is `session/update`: updates are sent by the session that they belong to.
    pub fn notify<'c, M: NotificationMethod + ClientMethod>(&'c self, params: &'c M::Params) -> Calling<'c, ()>
    where
        M::Params: Sync,
    {
        Box::pin(async move {
            self.check_offered(M::NAME)?;
            self.send_notification(M::NAME, params).await
        })
    }

    /// Checks that the client has advertised the capability of a method. Methods of vendors have none.
    fn check_offered(&self, method: &'static str) -> Result<()> {
        let capabilities = self.capabilities();
        let (is_offered, capability) = match method {
            methods::ReadTextFile::NAME => (self.can_read_files(), "fs.readTextFile"),
            methods::WriteTextFile::NAME => (self.can_write_files(), "fs.writeTextFile"),
            methods::CreateTerminal::NAME => (capabilities.terminal, "terminal"),
            #[cfg(feature = "v2")]
            _ if !self.dialect().has_client_method(method) => (false, ""),
            methods::CreateElicitation::NAME => (capabilities.elicitation.is_some(), "elicitation"),
            methods::SessionUpdate::NAME => {
                return Err(Error::internal_error(
                    "an update belongs to a session, which keeps it and sends it in order: call `session.update(..)`",
                ));
            }
            _ => (true, ""),
        };
        if is_offered { Ok(()) } else { Err(self.unoffered(method, capability)) }
    }

    /// The params in the version of this client. `None` if they are those of version 1.
    #[cfg(feature = "v2")]
    fn translated(&self, method: &str, params: &impl Serialize) -> Result<Option<Box<RawValue>>> {
        if method != methods::RequestPermission::NAME {
            return Ok(None);
        }
        self.dialect().permission(&own::read(to_raw_value(params)?.get())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        client::line::Line,
        rpc::{CancellationToken, Limits, Outbox, Peer},
        values::{ReadTextFileRequest, SessionId, SessionNotification, SessionUpdate},
    };

    #[tokio::test]
    async fn a_method_of_the_protocol_is_called_only_if_the_client_offers_it() {
        let limits = Limits::new();
        let line = Line::new(Peer::new(Outbox::new(&limits, tokio::io::sink()), &limits));
        let client = Client::new(line, Some(SessionId::from("s")), CancellationToken::new());
        let read = client.call::<methods::ReadTextFile>(&ReadTextFileRequest::new("s", "/a")).await;
        assert_eq!(
            read.expect_err("the client reads no files").message(),
            "the client does not offer `fs/read_text_file`: it did not advertise the capability `fs.readTextFile`"
        );
        let update = SessionNotification::new(
            "s",
            SessionUpdate::AgentMessageChunk(crate::values::ContentBlock::from("a").into()),
        );
        let told = client.notify::<methods::SessionUpdate>(&update).await;
        assert!(told.expect_err("the session sends it").message().contains("`session.update(..)`"));
    }
}
