//! The usual mistakes of clients and agents: a field is missing, null, of another type or unknown; an item has another
//! type; a tag is unknown; a number is out of range; an array is in the place of an object.

use serde_json::{Map, Value, json};

use super::instances::Random;

/// Changes a value in place.
type Mutation = fn(&mut Value, &mut Random);

/// Puts a mistake into one part of `instance`. `number` selects the kind of mutation.
pub(super) fn bend(instance: &Value, number: usize, random: &mut Random) -> (&'static str, Value) {
    const KINDS: &[(&str, Mutation)] = &[
        ("missing", missing),
        ("null", null),
        ("wrong type", wrong_type),
        ("unknown field", unknown_field),
        ("bad item", bad_item),
        ("unknown word", unknown_word),
        ("out of range", out_of_range),
        ("array for object", array_for_object),
    ];
    let (origin, mutation) = KINDS[number % KINDS.len()];
    let mut bent = instance.clone();
    // The first round changes the outermost value, where all definitions differ. Later rounds change inner values.
    let depth = (number / KINDS.len()) % 4;
    mutation(descend(&mut bent, depth, random), random);
    (origin, bent)
}

fn descend<'a>(value: &'a mut Value, depth: usize, random: &mut Random) -> &'a mut Value {
    let inner = match value {
        Value::Object(object) => object.values().filter(|inner| is_container(inner)).count(),
        Value::Array(list) => list.iter().filter(|inner| is_container(inner)).count(),
        _ => 0,
    };
    if depth == 0 || inner == 0 {
        return value;
    }
    let chosen = random.below(inner);
    let next = match value {
        Value::Object(object) => object.values_mut().filter(|inner| is_container(inner)).nth(chosen),
        Value::Array(list) => list.iter_mut().filter(|inner| is_container(inner)).nth(chosen),
        _ => None,
    };
    descend(next.unwrap(), depth - 1, random)
}

fn is_container(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn key(object: &Map<String, Value>, random: &mut Random) -> Option<String> {
    let keys: Vec<_> = object.keys().collect();
    (!keys.is_empty()).then(|| (*random.pick(&keys)).clone())
}

fn replace(value: &mut Value, random: &mut Random, by: Value) {
    match value {
        Value::Object(object) => match key(object, random) {
            Some(key) => drop(object.insert(key, by)),
            None => *value = by,
        },
        other => *other = by,
    }
}

fn missing(value: &mut Value, random: &mut Random) {
    match value {
        Value::Object(object) => {
            if let Some(key) = key(object, random) {
                object.shift_remove(&key);
            }
        }
        other => *other = json!({}),
    }
}

fn null(value: &mut Value, random: &mut Random) {
    replace(value, random, Value::Null);
}

fn wrong_type(value: &mut Value, random: &mut Random) {
    let wrong = [json!(true), json!("text"), json!(-1), json!(1.5), json!({ "bad": 1 }), json!(["bad", 1]), json!({})];
    let wrong = random.pick(&wrong).clone();
    replace(value, random, wrong);
}

fn unknown_field(value: &mut Value, random: &mut Random) {
    if let Value::Object(object) = value {
        object.insert("unknownField".to_owned(), json!({ "deep": [random.below(9)] }));
    }
}

fn bad_item(value: &mut Value, random: &mut Random) {
    let bad = [json!(7), Value::Null, json!("bad"), json!({ "bad": true })];
    let bad = random.pick(&bad).clone();
    let lists = match value {
        Value::Array(list) => vec![list],
        Value::Object(object) => object.values_mut().filter_map(Value::as_array_mut).collect(),
        _ => vec![],
    };
    for list in lists {
        list.insert(random.below(list.len() + 1), bad.clone());
    }
}

fn unknown_word(value: &mut Value, random: &mut Random) {
    let texts: Vec<&mut Value> = match value {
        Value::Object(object) => object.values_mut().filter(|inner| inner.is_string()).collect(),
        text @ Value::String(_) => vec![text],
        _ => vec![],
    };
    let count = texts.len();
    if count > 0 {
        let chosen = random.below(count);
        *texts.into_iter().nth(chosen).unwrap() = Value::from("_nobody_knows");
    }
}

fn out_of_range(value: &mut Value, random: &mut Random) {
    let numbers = [json!(-1), json!(u64::MAX), json!(1e19), json!(70_000), json!(0.5), json!(i64::MIN)];
    let number = random.pick(&numbers).clone();
    if let Value::Object(object) = value
        && let Some(found) = object.values_mut().find(|inner| inner.is_number())
    {
        *found = number;
    } else {
        replace(value, random, number);
    }
}

/// Replaces an object by the array of its values, because serde's derives can read fields by position.
fn array_for_object(value: &mut Value, _: &mut Random) {
    if let Value::Object(object) = value {
        *value = std::mem::take(object).into_iter().map(|(_, inner)| inner).collect();
    }
}
