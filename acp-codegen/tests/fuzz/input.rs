//! One input of the fuzz test: the files that a seed makes from a published schema.

use std::fs;
use std::path::{Path, PathBuf};

use acp_codegen::Builder;
use serde_json::Value;

use crate::published::{Published, document};
use crate::random::Random;
use crate::{structure, text};

pub(crate) struct Input {
    schema: Vec<u8>,
    overlay: Option<Vec<u8>>,
    stable: Option<PathBuf>,
    /// Whether the schema was not changed. The generator must then accept it.
    pub(crate) is_untouched: bool,
}

impl Input {
    pub(crate) fn new(published: &[Published], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let random = &mut random;
        let chosen = &published[random.below(published.len())];
        let mut definitions = Value::Object(chosen.piece(random));
        let (structural, textual) = (random.below(8) > 1, random.one_in(6));
        if structural {
            structure::mutate(&mut definitions, random);
        }
        let mut schema = document(&definitions).to_string().into_bytes();
        if textual {
            text::mutate(&mut schema, random);
        }
        let mut overlay = (!structural || random.below(5) > 0).then(|| chosen.overlay.clone());
        let mut bent = false;
        if let Some(overlay) = overlay.as_mut().filter(|_| random.one_in(6)) {
            bent = true;
            structure::mutate(overlay, random);
        }
        let overlay = overlay.map(|overlay| overlay.to_string().into_bytes());
        let stable = random.one_in(4).then(|| chosen.stable.clone());
        Self { schema, overlay, stable, is_untouched: !structural && !textual && !bent }
    }

    /// Writes the files into `folder`. Returns a generator for them.
    pub(crate) fn write(&self, folder: &Path) -> Builder {
        let write = |name: &str, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes).expect("the folder is writable");
            path
        };
        let mut builder = Builder::new().schema(write("schema.json", &self.schema));
        if let Some(overlay) = &self.overlay {
            builder = builder.overlay(write("overlay.json", overlay));
        }
        if let Some(stable) = &self.stable {
            builder = builder.stable(stable);
        }
        builder
    }
}
