//! The request for the answers to a struct of questions.

use std::{collections::BTreeMap, pin::Pin};

use serde::{Serialize, Serializer, ser::SerializeMap};

use super::{
    Questions,
    form::{Answers, Form, Question},
};
use crate::{
    client::{
        asking::Client,
        elicitation::{Elicitation, Sent},
    },
    config::ChoiceValue,
    values::{ElicitationScope, Meta, RequestId, SessionId, ToolCallId},
    wire::Result,
};

/// Questions that are not asked yet: [`Client::ask`] and [`Turn::ask`](crate::session::Turn::ask) make one, and `.await`
/// asks them.
/// Only with the feature `questions`.
///
/// ```
/// use acp_runtime::prelude::*;
///
/// #[derive(Questions)]
/// struct Commit {
///     branch: String,
///     #[question(default = false)]
///     push: bool,
/// }
///
/// async fn commit<C>(turn: &Turn<C>, branches: Vec<String>) -> Result<Option<Commit>> {
///     let asked = turn
///         .ask::<Commit>("Where shall I commit to?")
///         .offer("branch", branches)
///         .or_else(|| Commit { branch: "main".to_owned(), push: false });
///     Ok(asked.await?.accepted())
/// }
/// ```
///
/// # Errors
///
/// The client shows no forms, and there is no [`or_else`](Self::or_else). Or the client answers with an error, its
/// answer breaks the form, or the call is cancelled.
#[derive(Debug)]
#[must_use = "nobody is asked before `.await`"]
pub struct Ask<'c, Q> {
    client: &'c Client,
    message: String,
    /// The form, or the first error in building it.
    form: Result<Form>,
    tool_call: Option<ToolCallId>,
    instead: Option<Elicitation<Q>>,
    read: fn(&mut Answers) -> Result<Q>,
}

impl Client {
    /// Asks the user the questions of a struct: `client.ask::<Deploy>("Where to?").await?`. [`Questions`] shows how to
    /// declare them, and [`Ask`] what can be added.
    ///
    /// The questions belong to the session of the call. A handler may have no session, such as `authenticate`. Then
    /// they belong to the client's request that this handler serves.
    ///
    /// See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).
    pub fn ask<Q: Questions>(&self, message: impl Into<String>) -> Ask<'_, Q> {
        let form = Ok(Q::declared());
        Ask { client: self, message: message.into(), form, tool_call: None, instead: None, read: Q::read }
    }
}

// No bound here, or a struct without the derive would be a second error.
impl<Q> Ask<'_, Q> {
    /// The answer for a client that shows no forms: the struct, or an [`Elicitation`]. `instead` is called at once, and
    /// only for such a client. Without it, the agent gets an error that names the missing capability.
    ///
    /// To ask such a user in another way, for example with the options of a permission, look at
    /// [`Client::can_elicit_forms`] first.
    pub fn or_else<A: Into<Elicitation<Q>>>(mut self, instead: impl FnOnce() -> A) -> Self {
        if !self.client.can_elicit_forms() {
            self.instead = Some(instead().into());
        }
        self
    }

    /// Sets the values from which the user selects the answer to the question `id`. It is for a `String` or a
    /// `Vec<String>` whose values are known only now. The values are strings, pairs of id and label, or
    /// [`ChoiceValue`]s. If the question's default is none of them, there is no default.
    ///
    /// Without values, or for an unknown question, `.await` returns an error.
    pub fn offer<I>(mut self, id: &str, values: I) -> Self
    where
        I: IntoIterator,
        I::Item: Into<ChoiceValue>,
    {
        if let Ok(form) = &mut self.form {
            let values: Vec<_> = values.into_iter().map(Into::into).collect();
            if let Err(error) = form.offer(id, &values) {
                self.form = Err(error);
            }
        }
        self
    }

    /// Says that the questions belong to a tool call of the session.
    pub fn tool_call(mut self, id: impl Into<ToolCallId>) -> Self {
        self.tool_call = Some(id.into());
        self
    }
}

impl<'c, Q: Send + 'c> IntoFuture for Ask<'c, Q> {
    type Output = Result<Elicitation<Q>>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'c>>;

    fn into_future(self) -> Self::IntoFuture {
        let Self { client, message, form, tool_call, instead, read } = self;
        Box::pin(async move {
            client.cancellation().check()?;
            if let Some(instead) = instead {
                return Ok(instead);
            }
            let form = form?;
            Ok(match client.ask_form(&message, &form, tool_call).await? {
                Elicitation::Accepted(content) => Elicitation::Accepted(read(&mut Answers::new(form, content))?),
                Elicitation::Declined => Elicitation::Declined,
                Elicitation::Cancelled => Elicitation::Cancelled,
            })
        })
    }
}

impl Client {
    async fn ask_form(
        &self,
        message: &str,
        form: &Form,
        tool_call: Option<ToolCallId>,
    ) -> Result<Elicitation<BTreeMap<String, Sent>>> {
        if !self.can_elicit_forms() {
            return Err(self.unoffered("elicitation/create", "elicitation.form"));
        }
        form.check()?;
        let (mut session, mut request) = (None, None);
        match self.scope()? {
            ElicitationScope::Session(scope) => session = Some(scope.session_id),
            ElicitationScope::Request(scope) => request = Some(scope.request_id),
            _ => {}
        }
        let meta = self.meta();
        let request = FormRequest {
            mode: "form",
            message,
            requested_schema: Shown(form),
            tool_call_id: tool_call.filter(|_| session.is_some()),
            session_id: session,
            request_id: request,
            meta,
        };
        self.elicit(&request).await
    }
}

/// The request, with the questions in the author's order. The properties of [`ElicitationSchema`] have no order.
///
/// [`ElicitationSchema`]: crate::values::ElicitationSchema
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FormRequest<'a> {
    mode: &'static str,
    message: &'a str,
    requested_schema: Shown<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<ToolCallId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_id: Option<RequestId>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Meta>,
}

/// A form as the schema that a client gets.
struct Shown<'a>(&'a Form);

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let Form { title, description, questions } = self.0;
        let mut schema = serializer.serialize_map(None)?;
        schema.serialize_entry("type", "object")?;
        schema.serialize_entry("title", title)?;
        if let Some(description) = description {
            schema.serialize_entry("description", description)?;
        }
        schema.serialize_entry("properties", &Properties(questions))?;
        let required = self.0.required();
        if !required.is_empty() {
            schema.serialize_entry("required", &required)?;
        }
        schema.end()
    }
}

struct Properties<'a>(&'a [Question]);

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|question| (question.id, &question.property)))
    }
}
