//! Forms of the agent, field by field, and pages that it wants to be opened.

use acp_client::values::{ElicitationAcceptAction, ElicitationAction, ElicitationMode};
use serde_json::{Map, Value, json};

use super::{
    ask::{Asked, User, chosen, list, note},
    paper::Style,
    question::AsksForm,
    show::Show,
};
use crate::exit::Failure;

impl User {
    /// Asks what the agent wants to know, and answers.
    pub(super) async fn form(&mut self, show: &mut Show, mut question: impl AsksForm) -> Result<Asked<()>, Failure> {
        let request = question.request().clone();
        show.aside((Style::Asking, "ask"), &request.message).map_err(|error| Failure::output(&error))?;
        self.keys.forget();
        let action = match &request.mode {
            ElicitationMode::Form(form) => self.fields(show, &json!(form.requested_schema), &mut question).await?,
            ElicitationMode::Url(page) => {
                show.paper.below(Style::Bold, &page.url).map_err(|error| Failure::output(&error))?;
                let text = "Enter if you open this page, `n` to decline: ";
                match self.line(show, text, question.withdrawn()).await? {
                    Asked::Answer(line) if line.is_empty() => {
                        Asked::Answer(ElicitationAction::Accept(ElicitationAcceptAction::new()))
                    }
                    Asked::Answer(_) => Asked::Answer(ElicitationAction::Decline),
                    Asked::Interrupted => Asked::Interrupted,
                    Asked::Withdrawn => Asked::Withdrawn,
                }
            }
            _ => {
                note(show, "`acp` does not know this kind of question: it was declined")?;
                Asked::Answer(ElicitationAction::Decline)
            }
        };
        match action {
            Asked::Answer(action) => {
                question.answer(action);
                Ok(Asked::Answer(()))
            }
            Asked::Interrupted => Ok(Asked::Interrupted),
            Asked::Withdrawn => {
                note(show, "the agent does not ask any more")?;
                Ok(Asked::Withdrawn)
            }
        }
    }

    async fn fields(
        &mut self,
        show: &mut Show,
        schema: &Value,
        question: &mut impl AsksForm,
    ) -> Result<Asked<ElicitationAction>, Failure> {
        let required: Vec<_> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let mut content = Map::new();
        for (name, field) in schema["properties"].as_object().into_iter().flatten() {
            let field = Field { name, schema: field, is_required: required.contains(&name.as_str()) };
            field.head(show)?;
            let value = loop {
                let line = match self.line(show, &field.question(), question.withdrawn()).await? {
                    Asked::Answer(line) => line,
                    Asked::Interrupted => return Ok(Asked::Interrupted),
                    Asked::Withdrawn => return Ok(Asked::Withdrawn),
                };
                match field.read(&line) {
                    Ok(value) => break value,
                    Err(wrong) => note(show, &wrong)?,
                }
            };
            if let Some(value) = value {
                content.insert(name.clone(), value);
            }
        }
        let send = match self.line(show, "Enter to send this, `n` to decline: ", question.withdrawn()).await? {
            Asked::Answer(line) => line.is_empty(),
            Asked::Interrupted => return Ok(Asked::Interrupted),
            Asked::Withdrawn => return Ok(Asked::Withdrawn),
        };
        if !send {
            return Ok(Asked::Answer(ElicitationAction::Decline));
        }
        let mut accept = ElicitationAcceptAction::new();
        accept.content = serde_json::from_value(Value::Object(content)).ok();
        Ok(Asked::Answer(ElicitationAction::Accept(accept)))
    }
}

/// A field of a form.
struct Field<'f> {
    name: &'f str,
    schema: &'f Value,
    is_required: bool,
}

impl Field<'_> {
    /// Shows the field, and the values that it lists.
    fn head(&self, show: &mut Show) -> Result<(), Failure> {
        let title = self.schema["title"].as_str().unwrap_or(self.name);
        let mut head = title.to_owned();
        if let Some(description) = self.schema["description"].as_str() {
            head.push_str(&format!(": {description}"));
        }
        show.paper.below(Style::Bold, &head).map_err(|error| Failure::output(&error))?;
        let names: Vec<_> = self.choices().into_iter().map(|(_, name)| name).collect();
        list(show, &names)
    }

    /// The values that the field lists, with their names.
    fn choices(&self) -> Vec<(String, String)> {
        let of = if self.schema["type"] == "array" { &self.schema["items"] } else { self.schema };
        let named = of["oneOf"].as_array().or_else(|| of["anyOf"].as_array());
        let named = named.into_iter().flatten().filter_map(|choice| {
            let value = choice["const"].as_str()?;
            Some((value.to_owned(), choice["title"].as_str().unwrap_or(value).to_owned()))
        });
        let plain = of["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
        named.chain(plain.map(|value| (value.to_owned(), value.to_owned()))).collect()
    }

    fn question(&self) -> String {
        let kind = match self.schema["type"].as_str() {
            Some("boolean") => "y or n",
            Some("array") => "numbers, such as 1,3",
            _ if !self.choices().is_empty() => "number",
            Some("integer") => "whole number",
            Some("number") => "number",
            _ => "text",
        };
        match (&self.schema["default"], self.is_required) {
            (Value::Null, true) => format!("{kind}: "),
            (Value::Null, false) => format!("{kind}, or Enter for none: "),
            (Value::String(default), _) => format!("{kind}, or Enter for {default}: "),
            (Value::Bool(default), _) => format!("{kind}, or Enter for {}: ", if *default { "y" } else { "n" }),
            (default, _) => format!("{kind}, or Enter for {default}: "),
        }
    }

    /// The value that was typed; `None` for none.
    ///
    /// # Errors
    ///
    /// What is wrong with it, for the user.
    fn read(&self, line: &str) -> Result<Option<Value>, String> {
        if line.is_empty() {
            return match (&self.schema["default"], self.is_required) {
                (Value::Null, true) => Err("this field is needed".to_owned()),
                (Value::Null, false) => Ok(None),
                (default, _) => Ok(Some(default.clone())),
            };
        }
        let choices = self.choices();
        let choose = |typed: &str| {
            let place = chosen(typed, choices.len()).or_else(|| choices.iter().position(|(value, _)| value == typed));
            let value = place.and_then(|place| choices.get(place)).map(|(value, _)| value.clone());
            value.ok_or_else(|| format!("`{typed}` is none of the {} values above", choices.len()))
        };
        let value = match self.schema["type"].as_str() {
            Some("boolean") => match line.to_lowercase().as_str() {
                "y" | "yes" | "true" => json!(true),
                "n" | "no" | "false" => json!(false),
                _ => return Err("write y or n".to_owned()),
            },
            Some("integer") => json!(line.parse::<i64>().map_err(|_| format!("`{line}` is no whole number"))?),
            Some("number") => match line.parse::<f64>() {
                Ok(number) if number.is_finite() => json!(number),
                _ => return Err(format!("`{line}` is no number")),
            },
            Some("array") => {
                let typed = line.split(',').map(str::trim).filter(|typed| !typed.is_empty());
                json!(typed.map(choose).collect::<Result<Vec<_>, _>>()?)
            }
            _ if !choices.is_empty() => json!(choose(line)?),
            _ => json!(line),
        };
        self.bounds(&value)?;
        Ok(Some(value))
    }

    fn bounds(&self, value: &Value) -> Result<(), String> {
        let (size, least, most, what) = match value {
            Value::Number(number) => (number.as_f64(), "minimum", "maximum", "the number"),
            Value::String(text) => {
                (Some(text.chars().count() as f64), "minLength", "maxLength", "the count of characters")
            }
            Value::Array(values) => (Some(values.len() as f64), "minItems", "maxItems", "the count of values"),
            _ => return Ok(()),
        };
        let Some(size) = size else { return Ok(()) };
        match (self.schema[least].as_f64(), self.schema[most].as_f64()) {
            (Some(least), _) if size < least => Err(format!("{what} must be at least {least}")),
            (_, Some(most)) if size > most => Err(format!("{what} must be at most {most}")),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Field;

    fn read(schema: &Value, is_required: bool, line: &str) -> Result<Option<Value>, String> {
        Field { name: "field", schema, is_required }.read(line)
    }

    #[test]
    fn what_is_typed_becomes_a_value_of_the_fields_kind() {
        let colours =
            json!({"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]});
        let several = json!({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}, "minItems": 2});
        let port = json!({"type": "integer", "minimum": 1, "maximum": 65535, "default": 80});
        for (schema, line, expected) in [
            (&colours, "2", json!("g")),
            (&colours, "r", json!("r")),
            (&several, "3, a", json!(["c", "a"])),
            (&port, "", json!(80)),
            (&port, "8080", json!(8080)),
            (&json!({"type": "boolean"}), "Y", json!(true)),
            (&json!({"type": "number"}), "0.5", json!(0.5)),
            (&json!({"type": "string"}), "some words", json!("some words")),
        ] {
            assert_eq!(read(schema, true, line), Ok(Some(expected)), "{schema} {line:?}");
        }
        for (schema, line) in [
            (&colours, "3"),
            (&colours, ""),
            (&several, "1"),
            (&port, "0"),
            (&port, "1.5"),
            (&json!({"type": "boolean"}), "maybe"),
            (&json!({"type": "number"}), "NaN"),
            (&json!({"type": "string", "maxLength": 3}), "four"),
        ] {
            assert!(read(schema, true, line).is_err(), "{schema} {line:?}");
        }
        assert_eq!(read(&colours, false, ""), Ok(None));
    }
}
