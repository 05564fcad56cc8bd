//! Asking the user for data: in a form, or on a page of the web.
//!
//! See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).

use std::collections::BTreeMap;

use super::client::{Client, unoffered};
use crate::{
    schema::{
        Method,
        v1::{
            CompleteElicitationNotification, CreateElicitationRequest, ElicitationAction, ElicitationCapabilities,
            ElicitationContentValue, ElicitationFormMode, ElicitationId, ElicitationMode, ElicitationSchema,
            ElicitationSessionScope, ElicitationUrlMode, methods,
        },
    },
    wire::Result,
};

/// The user's reaction. Never assume [`Accepted`](Self::Accepted), and check its content again: clients differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Elicitation {
    /// The user agreed; with a form, this is what was filled in.
    Accepted(BTreeMap<String, ElicitationContentValue>),
    /// The user said no.
    Declined,
    /// The user did neither, or the client answered something that this version of the protocol does not know.
    Cancelled,
}

impl Client {
    /// Whether the client shows forms.
    pub fn can_elicit_forms(&self) -> bool {
        self.elicitation().is_some_and(|elicitation| elicitation.form.is_some())
    }

    /// Whether the client opens pages for the user.
    pub fn can_elicit_urls(&self) -> bool {
        self.elicitation().is_some_and(|elicitation| elicitation.url.is_some())
    }

    /// Asks the user to fill in a form. Never ask for secrets in one: the protocol forbids it.
    ///
    /// # Errors
    ///
    /// The client does not offer forms, its error, or the call was cancelled.
    pub async fn elicit_form(&self, message: impl Into<String>, form: ElicitationSchema) -> Result<Elicitation> {
        if !self.can_elicit_forms() {
            return Err(unoffered("elicitation/create", "elicitation.form"));
        }
        let mode = ElicitationFormMode::new(form, ElicitationSessionScope::new(self.session()?));
        self.elicit(message.into(), ElicitationMode::Form(mode)).await
    }

    /// Asks the user to visit a page, for what must not pass through the client. `id` names the errand;
    /// [`elicitation_complete`](Self::elicitation_complete) tells the client that it is done.
    ///
    /// # Errors
    ///
    /// The client does not offer it, its error, or the call was cancelled.
    pub async fn elicit_url(
        &self,
        message: impl Into<String>,
        id: impl Into<ElicitationId>,
        url: impl Into<String>,
    ) -> Result<Elicitation> {
        if !self.can_elicit_urls() {
            return Err(unoffered("elicitation/create", "elicitation.url"));
        }
        let mode = ElicitationUrlMode::new(id, url.into(), ElicitationSessionScope::new(self.session()?));
        self.elicit(message.into(), ElicitationMode::Url(mode)).await
    }

    /// Tells the client that the errand of [`elicit_url`](Self::elicit_url) is done.
    ///
    /// # Errors
    ///
    /// The client is gone.
    pub async fn elicitation_complete(&self, id: impl Into<ElicitationId>) -> Result<()> {
        self.notify(methods::CompleteElicitation::NAME, &CompleteElicitationNotification::new(id)).await
    }

    fn elicitation(&self) -> Option<&ElicitationCapabilities> {
        self.capabilities().elicitation.as_ref()
    }

    async fn elicit(&self, message: String, mode: ElicitationMode) -> Result<Elicitation> {
        let request = CreateElicitationRequest::new(message, mode);
        let response = self.request::<methods::CreateElicitation>(&request).await?;
        Ok(match response.action {
            ElicitationAction::Accept(accepted) => Elicitation::Accepted(accepted.content.unwrap_or_default()),
            ElicitationAction::Decline => Elicitation::Declined,
            _ => Elicitation::Cancelled,
        })
    }
}
