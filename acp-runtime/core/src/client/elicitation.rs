//! Requests to the user for data: in a form, or on a web page.
//!
//! See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, value::to_raw_value};

use super::{
    asking::{Client, shaped},
    line::Line,
};
use crate::{
    schema::Method,
    values::{
        CompleteElicitationNotification, CreateElicitationRequest, CreateElicitationResponse, ElicitationAction,
        ElicitationCapabilities, ElicitationContentValue, ElicitationFormMode, ElicitationId, ElicitationMode,
        ElicitationRequestScope, ElicitationSchema, ElicitationScope, ElicitationSessionScope, ElicitationUrlMode,
        methods,
    },
    wire::{Error, Result},
};

/// The user's reaction to `Client::ask` (feature `questions`), [`Client::elicit_form`] or [`Client::elicit_url`].
///
/// `Client::ask` checks the content. With [`Client::elicit_form`], [`Accepted`](Self::Accepted) does not prove that the
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
    /// The user agreed. For a form, this is the content that the user filled in, or the struct of `Client::ask`.
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
        can_elicit_forms(self.line())
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
    /// The client does not offer forms, or answers with an error, or a value of the answer is none that a form can have.
    /// Or the call was cancelled. A question whose value is `null` is left out of the content.
    pub async fn elicit_form(&self, message: impl Into<String>, form: ElicitationSchema) -> Result<Elicitation> {
        if !self.can_elicit_forms() {
            return Err(self.unoffered("elicitation/create", "elicitation.form"));
        }
        let mode = ElicitationFormMode::new(form, self.scope()?);
        let request = CreateElicitationRequest::new(message, ElicitationMode::Form(mode)).meta(self.meta());
        Ok(match self.elicit(&request).await? {
            Elicitation::Accepted(sent) => Elicitation::Accepted(typed(sent)?),
            Elicitation::Declined => Elicitation::Declined,
            Elicitation::Cancelled => Elicitation::Cancelled,
        })
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
            return Err(self.unoffered("elicitation/create", "elicitation.url"));
        }
        let errand = self.elicitations().begin(id.into())?;
        let mode = ElicitationUrlMode::new(errand.id.clone(), url.into(), self.scope()?);
        let request = CreateElicitationRequest::new(message, ElicitationMode::Url(mode)).meta(self.meta());
        #[cfg(feature = "v2")]
        let _question = self.question()?;
        let reaction = reaction(self.request::<methods::CreateElicitation>(&request).await?);
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
        self.send_notification(methods::CompleteElicitation::NAME, &notification).await
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

    /// Sends a form. The content of the answer is read value by value, so that a wrong one is an error about its question.
    pub(super) async fn elicit(
        &self,
        request: &(impl Serialize + Sync),
    ) -> Result<Elicitation<BTreeMap<String, Sent>>> {
        #[cfg(feature = "v2")]
        let _question = self.question()?;
        let mut answer: Value = match &self.everyone {
            Some(all) => {
                let params = to_raw_value(request)?;
                let for_each = Box::new(move |line: &Line| can_elicit_forms(line).then(|| Ok(params.clone())));
                self.ask_everyone::<methods::CreateElicitation, _>(all, for_each, |_| true).await?
            }
            None => self.request_as::<methods::CreateElicitation, _>(request).await?,
        };
        let content = answer.get_mut("content").and_then(Value::as_object_mut).map(std::mem::take).unwrap_or_default();
        let response = CreateElicitationResponse::deserialize(answer);
        Ok(match reaction(shaped(response)?) {
            Elicitation::Accepted(_) => {
                Elicitation::Accepted(content.into_iter().map(|(question, sent)| (question, sent.into())).collect())
            }
            Elicitation::Declined => Elicitation::Declined,
            Elicitation::Cancelled => Elicitation::Cancelled,
        })
    }
}

fn can_elicit_forms(line: &Line) -> bool {
    line.client().capabilities.elicitation.as_ref().is_some_and(|elicitation| elicitation.form.is_some())
}

/// A value in the content of a form, as a client has sent it.
#[derive(Debug)]
pub(super) enum Sent {
    Value(ElicitationContentValue),
    /// `null`. Clients in JavaScript send it for an input that was left empty.
    Null,
    /// Nothing that answers a question.
    Other,
}

impl From<Value> for Sent {
    fn from(sent: Value) -> Self {
        match sent {
            Value::Null => Self::Null,
            sent => serde_json::from_value(sent).map_or(Self::Other, Self::Value),
        }
    }
}

/// The content without the questions that were left empty.
fn typed(sent: BTreeMap<String, Sent>) -> Result<BTreeMap<String, ElicitationContentValue>> {
    let mut content = BTreeMap::new();
    for (question, sent) in sent {
        match sent {
            Sent::Value(value) => drop(content.insert(question, value)),
            Sent::Null => {}
            Sent::Other => {
                let told = "the client's answer to a form has a value that answers no question, at";
                return Err(Error::internal_error(format!("{told} `{question}`")));
            }
        }
    }
    Ok(content)
}

fn reaction(response: CreateElicitationResponse) -> Elicitation {
    match response.action {
        ElicitationAction::Accept(accepted) => Elicitation::Accepted(accepted.content.unwrap_or_default()),
        ElicitationAction::Decline => Elicitation::Declined,
        _ => Elicitation::Cancelled,
    }
}
