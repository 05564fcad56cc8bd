//! The keys that a message may have: those of its struct, and those of the unions that the struct contains flattened.

use super::{Fallback, Model, Shape, Type, Variant};

impl Model {
    /// The keys of all forms of a definition, in the order of the code. `None` if other keys have a meaning, too, or if the
    /// definition is no object.
    pub(crate) fn keys_of(&self, name: &str) -> Option<Vec<&str>> {
        let mut keys = Vec::new();
        self.collect(name, &mut keys, &mut Vec::new())?;
        Some(keys)
    }

    fn collect<'a>(&'a self, name: &str, keys: &mut Vec<&'a str>, seen: &mut Vec<&'a str>) -> Option<()> {
        let definition = self.get(name)?;
        // A union may contain itself.
        if seen.contains(&definition.name.as_str()) {
            return Some(());
        }
        seen.push(&definition.name);
        match &definition.shape {
            Shape::Struct(structure) if structure.rest.is_none() => {
                add(keys, structure.fields.iter().map(|field| field.wire.as_str()));
                match &structure.flattened {
                    Some(union) => self.collect(&union.union, keys, seen),
                    None => Some(()),
                }
            }
            Shape::Tagged(union) => {
                add(keys, [union.tag.as_str()]);
                self.collect_variants(&union.variants, keys, seen)?;
                union.fallbacks.iter().try_for_each(|fallback| match fallback {
                    Fallback::Shape(variant) => self.collect_payload(&variant.payload, keys, seen),
                    // It keeps keys that nobody knows.
                    Fallback::Other(_) => None,
                })
            }
            Shape::Untagged(union) => self.collect_variants(&union.variants, keys, seen),
            Shape::Alias(target) => self.collect_payload(target, keys, seen),
            _ => None,
        }
    }

    fn collect_variants<'a>(
        &'a self,
        variants: &'a [Variant],
        keys: &mut Vec<&'a str>,
        seen: &mut Vec<&'a str>,
    ) -> Option<()> {
        variants.iter().try_for_each(|variant| self.collect_payload(&variant.payload, keys, seen))
    }

    fn collect_payload<'a>(
        &'a self,
        payload: &'a Type,
        keys: &mut Vec<&'a str>,
        seen: &mut Vec<&'a str>,
    ) -> Option<()> {
        match payload {
            Type::Unit => Some(()),
            payload => self.collect(payload.name()?, keys, seen),
        }
    }
}

fn add<'a>(keys: &mut Vec<&'a str>, more: impl IntoIterator<Item = &'a str>) {
    for key in more {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
}
