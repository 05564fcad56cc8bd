//! Requests to the user for data: in a form, or on a web page.
//!
//! See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).

use std::collections::BTreeMap;

use super::asking::{Client, unoffered};
use crate::{
    schema::Method,
    values::{
        CompleteElicitationNotification, CreateElicitationRequest, CreateElicitationResponse, ElicitationAction,
        ElicitationCapabilities, ElicitationContentValue, ElicitationFormMode, ElicitationId, ElicitationMode,
        ElicitationRequestScope, ElicitationSchema, ElicitationScope, ElicitationSessionScope, ElicitationUrlMode,
        methods,
    },
    wire::Result,
};

/// The user's reaction to [`Client::ask`], [`Client::elicit_form`] or [`Client::elicit_url`].
///
/// [`Client::ask`] checks the content. With [`Client::elicit_form`], [`Accepted`](Self::Accepted) does not prove that the
/// content is valid, because clients differ. Check the content again.
///
/// ```
/// use acp_runtime::{client::Elicitation, prelude::*};
/// use acp_runtime::values::{ElicitationContentValue, ElicitationSchema, StringPropertySchema};
///
/// async fn branch(client: &Client) -> Result<Option<String>> {
///     let name = StringPropertySchema::new().title("Branch".to_owned());
///     let form = ElicitationSchema::new().properties([("branch".to_owned(), name.into())].into());
///     match client.elicit_form("Where shall I commit to?", form).await? {
///         Elicitation::Accepted(mut filled_in) => match filled_in.remove("branch") {
///             Some(ElicitationContentValue::String(name)) if !name.is_empty() => Ok(Some(name)),
///             _ => Ok(None),
///         },
///         _ => Ok(None),
///     }
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Elicitation<T = BTreeMap<String, ElicitationContentValue>> {
    /// The user agreed. For a form, this is the content that the user filled in, or the struct of [`Client::ask`].
    Accepted(T),
    /// The user refused.
    Declined,
    /// The user did neither. Or the client sent a reaction that this version of the protocol does not know.
    Cancelled,
}

impl<T> Elicitation<T> {
    /// The answer, if the user agreed.
    pub fn accepted(self) -> Option<T> {
        match self {
            Self::Accepted(answer) => Some(answer),
            Self::Declined | Self::Cancelled => None,
        }
    }
}

impl<T> From<T> for Elicitation<T> {
    fn from(answer: T) -> Self {
        Self::Accepted(answer)
    }
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

    /// Asks the user to fill in a form. Never ask for secrets in one, because the protocol forbids it. This also
    /// applies if the client offers no other way. A handler may have no session, such as `authenticate`. Then the
    /// elicitation carries the id of the client's request that this handler serves, instead of a session id.
    ///
    /// # Errors
    ///
    /// The client does not offer forms, or answers with an error. Or the call was cancelled.
    pub async fn elicit_form(&self, message: impl Into<String>, form: ElicitationSchema) -> Result<Elicitation> {
        if !self.can_elicit_forms() {
            return Err(unoffered("elicitation/create", "elicitation.form"));
        }
        let mode = ElicitationFormMode::new(form, self.scope()?);
        self.elicit(message.into(), ElicitationMode::Form(mode)).await
    }

    /// Asks the user to visit a web page, for data that must not pass through the client. `id` names the elicitation.
    /// Call [`elicitation_complete`](Self::elicitation_complete) when the user has completed it.
    ///
    /// You must guard the page: use an `https` page that holds no credentials in its address. The page itself must
    /// verify that the same user completes it.
    ///
    /// # Errors
    ///
    /// The client does not offer pages, or answers with an error. Or an open elicitation has the same id, or the call
    /// was cancelled.
    pub async fn elicit_url(
        &self,
        message: impl Into<String>,
        id: impl Into<ElicitationId>,
        url: impl Into<String>,
    ) -> Result<Elicitation> {
        if !self.can_elicit_urls() {
            return Err(unoffered("elicitation/create", "elicitation.url"));
        }
        let errand = self.elicitations().begin(id.into())?;
        let mode = ElicitationUrlMode::new(errand.id.clone(), url.into(), self.scope()?);
        let reaction = self.elicit(message.into(), ElicitationMode::Url(mode)).await?;
        if matches!(reaction, Elicitation::Accepted(_)) {
            errand.goes_on();
        }
        Ok(reaction)
    }

    /// Tells the client that the user has completed the page of [`elicit_url`](Self::elicit_url).
    ///
    /// # Errors
    ///
    /// No open elicitation of this client has that id, or the client is gone.
    pub async fn elicitation_complete(&self, id: impl Into<ElicitationId>) -> Result<()> {
        let id = id.into();
        self.elicitations().end(&id)?;
        let notification = CompleteElicitationNotification::new(id).meta(self.meta());
        self.notify(methods::CompleteElicitation::NAME, &notification).await
    }

    /// The session of the call. If there is none, the request of the call.
    pub(super) fn scope(&self) -> Result<ElicitationScope> {
        match (self.session(), self.asked_by()) {
            (Ok(session), _) => Ok(ElicitationSessionScope::new(session).into()),
            (Err(_), Some(request)) => Ok(ElicitationRequestScope::new(request.clone()).into()),
            (Err(error), None) => Err(error),
        }
    }

    fn elicitation(&self) -> Option<&ElicitationCapabilities> {
        self.capabilities().elicitation.as_ref()
    }

    async fn elicit(&self, message: String, mode: ElicitationMode) -> Result<Elicitation> {
        let request = CreateElicitationRequest::new(message, mode).meta(self.meta());
        Ok(reaction(self.request::<methods::CreateElicitation>(&request).await?))
    }
}

pub(super) fn reaction(response: CreateElicitationResponse) -> Elicitation {
    match response.action {
        ElicitationAction::Accept(accepted) => Elicitation::Accepted(accepted.content.unwrap_or_default()),
        ElicitationAction::Decline => Elicitation::Declined,
        _ => Elicitation::Cancelled,
    }
}
