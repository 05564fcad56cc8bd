//! A form: the questions of a struct, in the author's order, and the answers that a client has sent to them.

use std::collections::BTreeMap;

use super::{
    answer::{Answer, Limited, Written, option, several},
    check::{fits, possible},
};
use crate::{
    client::elicitation::Sent,
    config::ChoiceValue,
    values::{
        ElicitationContentValue as Content, ElicitationPropertySchema as Property, ElicitationSchema, EnumOption,
        MultiSelectItems, StringFormat,
    },
    wire::{Error, Result},
};

/// The questions of a struct.
#[derive(Debug)]
pub struct Form {
    pub(super) title: &'static str,
    pub(super) description: Option<&'static str>,
    pub(super) questions: Vec<Question>,
}

/// One question.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) id: &'static str,
    pub(super) property: Property,
    pub(super) default: Option<Content>,
    may_lack: bool,
}

/// A question of the type `T`, and the way to read its answer.
pub struct Asked<T> {
    property: Property,
    default: Option<Content>,
    read: fn(Content) -> Option<T>,
    lacking: fn() -> Option<T>,
    may_lack: bool,
}

/// A question whose answer is a `T`. If the type is no answer, this is one error for each type.
pub fn asked<T: Answer>() -> Asked<T> {
    Asked { property: T::property(), default: None, read: T::read, lacking: T::lacking, may_lack: T::MAY_LACK }
}

impl<T> Asked<T> {
    /// Sets the text that the client shows below the label.
    #[must_use]
    pub fn description(mut self, text: &str) -> Self {
        let description = match &mut self.property {
            Property::String(of) => &mut of.description,
            Property::Integer(of) => &mut of.description,
            Property::Number(of) => &mut of.description,
            Property::Boolean(of) => &mut of.description,
            Property::Array(of) => &mut of.description,
            _ => return self,
        };
        *description = Some(text.to_owned());
        self
    }

    /// Sets the value with which the form begins.
    #[must_use]
    pub fn default(mut self, given: T::Given<'_>) -> Self
    where
        T: Answer,
    {
        self.default = Some(T::written(given));
        self
    }

    /// Sets the least number, length or count.
    #[must_use]
    pub fn min(mut self, limit: T::Limit) -> Self
    where
        T: Limited,
    {
        T::at_least(&mut self.property, limit);
        self
    }

    /// Sets the greatest number, length or count.
    #[must_use]
    pub fn max(mut self, limit: T::Limit) -> Self
    where
        T: Limited,
    {
        T::at_most(&mut self.property, limit);
        self
    }

    /// Sets the format of a text: a word of the protocol.
    #[must_use]
    pub fn format(mut self, word: &str) -> Self
    where
        T: Written,
    {
        if let Property::String(text) = &mut self.property {
            text.format = StringFormat::try_from(word).ok();
        }
        self
    }

    /// Sets the pattern of a text.
    #[must_use]
    pub fn pattern(mut self, pattern: &str) -> Self
    where
        T: Written,
    {
        if let Property::String(text) = &mut self.property {
            text.pattern = Some(pattern.to_owned());
        }
        self
    }

    /// The answer to the question at this position.
    ///
    /// # Errors
    ///
    /// The answer breaks the form.
    pub fn read(self, answers: &mut Answers, position: usize) -> Result<T> {
        let value = match answers.take(position)? {
            Some(content) => (self.read)(content),
            None => (self.lacking)(),
        };
        value.ok_or_else(|| answers.broken(position))
    }
}

impl Form {
    /// A form without questions.
    pub const fn new(title: &'static str) -> Self {
        Self { title, description: None, questions: Vec::new() }
    }

    /// Sets the text that the client shows above the questions.
    #[must_use]
    pub const fn description(mut self, text: &'static str) -> Self {
        self.description = Some(text);
        self
    }

    /// Adds a question.
    #[must_use]
    pub fn ask<T>(mut self, id: &'static str, label: &str, asked: Asked<T>) -> Self {
        let Asked { mut property, default, may_lack, read: _, lacking: _ } = asked;
        set_title(&mut property, label);
        let mut question = Question { id, property, default: None, may_lack };
        question.begin_with(default);
        self.questions.push(question);
        self
    }

    /// Replaces the values from which the user selects the answer to a question.
    pub(super) fn offer(&mut self, id: &str, values: &[ChoiceValue]) -> Result<()> {
        let Some(question) = self.questions.iter_mut().find(|question| question.id == id) else {
            let known = self.questions.iter().map(|question| format!("`{}`", question.id)).collect::<Vec<_>>();
            return Err(Error::internal_error(format!(
                "values are offered for the question `{id}`, and the form `{}` asks for {}",
                self.title,
                known.join(", ")
            )));
        };
        let options: Vec<EnumOption> = values.iter().map(|value| option(&value.shown())).collect();
        let ids: Vec<String> = options.iter().map(|option| option.value.clone()).collect();
        match &mut question.property {
            Property::String(text) => text.one_of = Some(options),
            Property::Array(list) => {
                if let Property::Array(offered) = several(options) {
                    list.items = offered.items;
                }
            }
            _ => {
                let told = format!("the question `{id}` has no values: only a `String` and a `Vec` have them");
                return Err(Error::internal_error(told));
            }
        }
        // The form must not begin with a value that it does not offer.
        let default = match question.default.take() {
            Some(Content::String(id)) => ids.contains(&id).then_some(Content::String(id)),
            Some(Content::StringArray(mut several)) => {
                several.retain(|id| ids.contains(id));
                Some(Content::StringArray(several))
            }
            other => other,
        };
        question.begin_with(default);
        Ok(())
    }

    /// Refuses a question that no answer can fit.
    pub(super) fn check(&self) -> Result<()> {
        let empty = self.questions.iter().find(|question| match &question.property {
            Property::String(text) => text.one_of.as_ref().is_some_and(Vec::is_empty),
            Property::Array(list) => matches!(&list.items, MultiSelectItems::Titled(items) if items.options.is_empty()),
            _ => false,
        });
        empty.map_or(Ok(()), |question| {
            let told = "has nothing to select from; list its values with `Ask::offer`";
            Err(Error::internal_error(format!("the question `{}` of the form `{}` {told}", question.id, self.title)))
        })
    }

    /// The ids of the questions that need an answer.
    pub(super) fn required(&self) -> Vec<&'static str> {
        self.questions.iter().filter(|question| question.is_required()).map(|question| question.id).collect()
    }

    pub(super) fn into_schema(self) -> ElicitationSchema {
        let required: Vec<String> = self.required().into_iter().map(str::to_owned).collect();
        let questions = self.questions.into_iter().map(|question| (question.id.to_owned(), question.property));
        let schema = ElicitationSchema::new().title(self.title).properties(questions.collect());
        schema.description(self.description.map(str::to_owned)).required((!required.is_empty()).then_some(required))
    }
}

impl Question {
    fn is_required(&self) -> bool {
        !self.may_lack && self.default.is_none()
    }

    fn begin_with(&mut self, default: Option<Content>) {
        match (&mut self.property, default.clone()) {
            (Property::String(of), Some(Content::String(default))) => of.default = Some(default),
            (Property::Integer(of), Some(Content::Integer(default))) => of.default = Some(default),
            (Property::Number(of), Some(Content::Number(default))) => of.default = Some(default),
            (Property::Boolean(of), Some(Content::Boolean(default))) => of.default = Some(default),
            (Property::Array(of), Some(Content::StringArray(default))) => of.default = Some(default),
            (Property::String(of), _) => of.default = None,
            _ => {}
        }
        self.default = default;
    }
}

fn set_title(property: &mut Property, text: &str) {
    let title = match property {
        Property::String(of) => &mut of.title,
        Property::Integer(of) => &mut of.title,
        Property::Number(of) => &mut of.title,
        Property::Boolean(of) => &mut of.title,
        Property::Array(of) => &mut of.title,
        _ => return,
    };
    *title = Some(text.to_owned());
}

/// The content of a form that the user has accepted.
#[derive(Debug)]
pub struct Answers {
    form: Form,
    content: BTreeMap<String, Sent>,
}

impl Answers {
    pub(super) const fn new(form: Form, content: BTreeMap<String, Sent>) -> Self {
        Self { form, content }
    }

    /// The answer to the question at this position, if it fits the form, or else the question's default. An `Option`
    /// has no answer if the client sent none or `null`, even if the question has a default: the user has removed it.
    fn take(&mut self, position: usize) -> Result<Option<Content>> {
        let Some(question) = self.form.questions.get_mut(position) else { return Ok(None) };
        let fitting = match self.content.remove(question.id) {
            Some(Sent::Value(content)) => fits(&question.property, content),
            Some(Sent::Null) if question.may_lack => return Ok(None),
            None if !question.is_required() => return Ok(question.default.take().filter(|_| !question.may_lack)),
            Some(Sent::Null) | None => return Err(broken(&self.form, position, "lacks the answer to")),
            Some(Sent::Other) => None,
        };
        fitting.map(Some).ok_or_else(|| self.broken(position))
    }

    fn broken(&self, position: usize) -> Error {
        broken(&self.form, position, "has a wrong answer to")
    }
}

/// The error about an answer. It does not repeat the answer, because a user has written it.
fn broken(form: &Form, position: usize, what: &str) -> Error {
    let (id, possible) = form
        .questions
        .get(position)
        .map_or_else(|| ("", String::new()), |question| (question.id, possible(&question.property)));
    let title = form.title;
    Error::internal_error(format!(
        "the client's answer to the form `{title}` {what} the question `{id}`, which must be {possible}"
    ))
}
