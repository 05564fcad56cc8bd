//! Each line of input is `["Definition", instance]`. The program decodes the instance into the generated type, and
//! prints the value that the type writes.

use std::io::{self, BufRead as _};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;
use generated_modules::generated::*;

fn main() {
    for line in io::stdin().lock().lines() {
        let line = line.expect("stdin is open");
        let (name, json): (String, Box<RawValue>) = serde_json::from_str(&line).expect("a name and an instance");
        println!("{}", serde_json::to_string(&one(&name, json.get())).expect("it is JSON"));
    }
}

fn one(name: &str, text: &str) -> std::result::Result<Value, String> {
    match name {
        /* arms */
        other => panic!("no definition is called `{other}`"),
    }
}

/// Reads the instance from text and from a `Value`, because the two inputs take different paths through the readers.
fn through<T: Serialize + DeserializeOwned>(text: &str) -> std::result::Result<Value, String> {
    let read: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let back = serde_json::to_value(read).map_err(|error| error.to_string())?;
    let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let read: T = serde_json::from_value(value).map_err(|error| format!("from a value: {error}"))?;
    let same = serde_json::to_value(read).map_err(|error| error.to_string())? == back;
    if same { Ok(back) } else { Err("text and value give different ones".to_owned()) }
}
