//! Questions to the user as a struct: the struct becomes a form, and the content of the form becomes the struct.
//! [`answer`] has the types of questions, [`form`] the form, [`check`] the comparison of an answer with its form, and
//! [`ask`] the request.
//!
//! See [Elicitation](https://agentclientprotocol.com/protocol/v1/elicitation).

use std::collections::BTreeMap;

pub(crate) mod answer;
pub(crate) mod ask;
mod check;
pub(crate) mod form;
mod format;

use self::form::{Answers, Form};
use super::elicitation::Sent;
use crate::{
    values::{ElicitationContentValue, ElicitationSchema},
    wire::Result,
};

/// Questions to the user: a struct with one field for each question. `#[derive(Questions)]` implements this trait.
/// Only with the feature `questions`.
///
/// A turn asks the questions with [`Turn::ask`](crate::session::Turn::ask), any other handler with
/// [`Client::ask`](super::Client::ask). The client shows a form, and the agent gets the struct.
///
/// ```
/// use acp_runtime::{client::Elicitation, prelude::*};
///
/// /// Say where to deploy.
/// #[derive(Questions)]
/// struct Deploy {
///     /// A branch or a tag.
///     #[question(default = "main", max = 80)]
///     branch: String,
///     stage: Stage,
///     #[question(min = 1, max = 9)]
///     replicas: u8,
///     /// What to run before.
///     #[question(title = "Checks", default = [Check::Tests])]
///     before: Vec<Check>,
///     #[question(format = "email")]
///     report_to: Option<String>,
/// }
///
/// #[derive(SelectValue)]
/// enum Stage {
///     Test,
///     /// What customers see.
///     Live,
/// }
///
/// #[derive(SelectValue, Clone, Copy)]
/// enum Check {
///     Tests,
///     Lints,
/// }
///
/// async fn deploy<C>(turn: &Turn<C>) -> Result<String> {
///     Ok(match turn.ask::<Deploy>("Where to?").await? {
///         Elicitation::Accepted(deploy) => format!("{} to {}", deploy.branch, deploy.stage.name()),
///         Elicitation::Declined => "Then I do not deploy.".to_owned(),
///         _ => "Nothing is deployed yet.".to_owned(),
///     })
/// }
/// ```
///
/// # Types
///
/// | type | question | `min`, `max` | `default` |
/// |---|---|---|---|
/// | `String` | a text | its length in characters | a `&str` |
/// | `bool` | a switch | | a `bool` |
/// | `u8` to `u64`, `i8` to `i64`, `usize`, `isize` | a whole number; the form names the limits of the type | the least and the greatest number | a number |
/// | `f32`, `f64` | a number | the least and the greatest number | a number |
/// | an enum with [`SelectValue`](trait@crate::SelectValue) | one of its values | | a variant |
/// | `Vec` of such an enum | some of its values, each once | how many | a list: `[Check::Tests]` |
/// | `Vec<String>` | some of the values that [`Ask::offer`](super::Ask::offer) lists | how many | a list of `&str` |
/// | `Option` of one of these | the same, and the user may leave it out | as the type in it | as the type in it |
///
/// A question without `default` needs an answer, unless it is an `Option`. If a client leaves out a question with a
/// `default`, the default is the answer, or `None` for an `Option`. Some clients send `null` for an input that was left empty:
/// of an `Option` it is `None`, and of another question a wrong answer.
///
/// A label is the field's name in Title Case, and a doc comment is shown below the label. The form itself shows the
/// name and the doc comment of the struct. Never ask for secrets: the protocol forbids it.
///
/// # Reference
///
/// Keys of `#[question(..)]` on a field:
///
/// | key | type | left out | effect |
/// |---|---|---|---|
/// | `default = expr` | the field's type; for a `String` a text, for a `Vec` a list such as `[Check::Tests]` | none: the question needs an answer | the value with which the form begins, and the answer if the client sends none |
/// | `min = 1` | a number, or a constant | none; of a whole number, the least of its type | the least number, the least length of a text in characters, or how many values of a list are selected at least |
/// | `max = 10` | a number, or a constant | none; of a whole number, the greatest of its type | the greatest number, the greatest length of a text, or how many values of a list are selected at most |
/// | `format = ".."` | `"email"`, `"uri"`, `"date"` or `"date-time"` | any text | the format of a text |
/// | `pattern = ".."` | a regular expression of JavaScript | none | clients compare a text with it; the runtime does not |
/// | `title = ".."` | string | the field's name in Title Case | the label |
/// | `id = ".."` | string | the field's name | the name on the wire |
///
/// Keys of `#[question(..)]` on the struct:
///
/// | key | type | left out | effect |
/// |---|---|---|---|
/// | `title = ".."` | string | the struct's name in Title Case | the title of the form |
/// | `crate = path` | path | `::acp_runtime` | the path of this crate |
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no struct of questions",
    label = "lacks `#[derive(Questions)]`",
    note = "help: put `#[derive(Questions)]` on `struct {Self}`"
)]
pub trait Questions: Sized + Send + 'static {
    #[doc(hidden)]
    fn declared() -> Form;

    #[doc(hidden)]
    fn read(answers: &mut Answers) -> Result<Self>;

    /// The form, as a client gets it, but with its questions in alphabetical order.
    fn form() -> ElicitationSchema {
        Self::declared().into_schema()
    }

    /// The answers in the content of a form. Use it after [`Client::elicit_form`](super::Client::elicit_form).
    ///
    /// # Errors
    ///
    /// The content breaks the form. The error names the question and the possible answers, and does not repeat the
    /// content.
    fn from_content(content: BTreeMap<String, ElicitationContentValue>) -> Result<Self> {
        let sent = content.into_iter().map(|(question, value)| (question, Sent::Value(value))).collect();
        Self::read(&mut Answers::new(Self::declared(), sent))
    }
}
