//! The pipeline from files to Rust code. Each stage takes the output of the stage before.
//!
//! The types read structs through a description of their fields, which `support` of `acp-schema` interprets. serde's
//! derive would generate the same code for each struct, and double the compile time. No input may make the pipeline
//! panic. Each refusal is an error with a file and a JSON pointer. One run reports all refusals (`Refused`), and a stage
//! skips a definition that an earlier stage refused. From the first stage on, names are Rust names, but the places in
//! errors are those of the file (`source/source_map.rs`). `tables`, `diff` and `cli` use this pipeline.
//!
//! The generator also supports schemas of other projects, and its documentation says how it handles each construct.
//! `tests/golden/foreign.json` has typical shapes of them, and `tests/codec/build/matrix.rs` has every kind of property
//! in every state. The test `foreign` of `acp-codegen`, run by hand, reads whole schemas: name their files in
//! `ACP_SCHEMAS`. The test `typify` compares each plain struct of the published schemas with that of typify. No build
//! contains typify.

use std::path::{Path, PathBuf};

use crate::emit::{self, CratePath};
use crate::error::{Error, Location, Result};
use crate::model::Model;
use crate::normalise::{self, Normalised};
use crate::reuse::{self, Units};
use crate::source::{self, Input, Source};
use crate::{format, model, output, stack};

/// The settings of the generator: the schema and its overlays.
///
/// ```no_run
/// # fn main() -> acp_codegen::Result<()> {
/// let generated = acp_codegen::Builder::new().schema("schema.json").overlay("overlay.json").generate()?;
/// for entry in &generated.unused {
///     eprintln!("nothing in the schema is as the overlay says: {entry}");
/// }
/// generated.write("src/schema.rs".as_ref())?;
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Builder {
    schema: Input,
    stable: Option<Input>,
    overlays: Vec<Input>,
    crate_path: Option<String>,
    /// Set if the crate of the path has the types of the schema.
    reused: Option<Reused>,
}

/// The types that generated code takes from the crate of [`Builder::crate_path`].
#[derive(Debug, Clone, Copy)]
struct Reused {
    /// The crate's module.
    module: &'static str,
    /// The number of overlays that its types come from. They are the first ones.
    overlays: usize,
}

impl Builder {
    /// Settings without a schema.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Settings for a vendor's overlay on version 1 of the protocol. This crate carries the published schema and its overlay.
    ///
    /// Only what the [overlay](Self::overlay) adds or changes is generated. All other names of the module are those of the
    /// runtime (of the module `v1` below [`crate_path`](Self::crate_path)): its `ContentBlock` is the runtime's
    /// `ContentBlock`, and its `methods` have the protocol's markers, too. If an overlay changes a type of the protocol, that
    /// type and all types that contain it are the vendor's own. Then a handler that takes the runtime's type does not compile
    /// with the other one.
    ///
    /// The runtime and this crate must have the same version, or the generated code does not compile. Cargo selects it, if
    /// your build dependency is the usual `acp-codegen = { version = "0.2", default-features = false }`.
    ///
    /// ```no_run
    /// // build.rs
    /// fn main() -> acp_codegen::Result<()> {
    ///     acp_codegen::Builder::v1().overlay("acme.json").compile("acme")
    /// }
    /// ```
    #[must_use]
    pub fn v1() -> Self {
        Self {
            schema: source::V1,
            overlays: vec![source::V1_OVERLAY],
            reused: Some(Reused { module: "v1", overlays: 1 }),
            ..Self::default()
        }
    }

    /// After [`v1`](Self::v1): an overlay may also refer to the protocol's drafts. The runtime then needs its feature
    /// `unstable`.
    ///
    /// Without this setting, the feature changes nothing for generated code.
    #[must_use]
    pub fn with_drafts(mut self) -> Self {
        if self.reused.is_some() {
            self.stable = Some(std::mem::replace(&mut self.schema, source::V1_DRAFTS));
        }
        self
    }

    /// The schema file, as the ACP SDK packages ship it. All of its types are generated.
    #[must_use]
    pub fn schema(mut self, path: impl Into<PathBuf>) -> Self {
        self.schema = Input::File(path.into());
        self.reused = None;
        self
    }

    /// Sets the stable schema. Use it if the schema itself has drafts: items that the stable schema lacks are drafts,
    /// and their documentation tells this.
    #[must_use]
    pub fn stable(mut self, path: impl Into<PathBuf>) -> Self {
        self.stable = Some(Input::File(path.into()));
        self
    }

    /// Adds a file with additions to the schema. You may add several files.
    ///
    /// The page [`overlay`](crate::overlay) has all that the file may contain.
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.overlays.push(Input::File(path.into()));
        self
    }

    /// Sets the path of the crate `acp-schema` in generated code. The code uses the crate's traits and functions. The
    /// default is `::acp_runtime::schema`. If your crate depends only on `acp-schema`, set `::acp_schema`.
    ///
    /// The path must have the same meaning in every module. So it begins with `::`, with the name of a crate, or with
    /// `crate`.
    #[must_use]
    pub fn crate_path(mut self, path: impl Into<String>) -> Self {
        self.crate_path = Some(path.into());
        self
    }

    /// Generates the code, but writes no file.
    ///
    /// # Errors
    ///
    /// A file cannot be read, or contains something that is not supported; see [`Error`].
    pub fn generate(&self) -> Result<Generated> {
        let path = CratePath::read(self.crate_path.as_deref().unwrap_or(emit::OF_THE_RUNTIME))?;
        self.on_a_stack(|| {
            let stages = self.stages(self.overlays.len())?;
            let mut text = format::Text::default();
            let mut unused = stages.source.overlay.unused();
            let reused = match self.reused {
                None => {
                    stages.items(&path, &mut |item| text.add(item))?;
                    Vec::new()
                }
                Some(Reused { module, overlays }) => {
                    let base = self.stages(overlays)?;
                    let known = base.source.overlay.unused();
                    unused.retain(|entry| !known.contains(entry));
                    reuse::same_schema(&path, self.stable.is_some(), &mut |item| text.add(item));
                    let module = path.module(module);
                    stages.units(&path)?.over(&base.units(&path)?, &module, &mut |item| text.add(item))
                }
            };
            Ok(Generated { rust: text.finish(), definitions: stages.source.definitions.len(), reused, unused })
        })
    }

    /// Runs the stages up to the model.
    pub(crate) fn model(&self) -> Result<Model> {
        self.on_a_stack(|| self.stages(self.overlays.len()).map(|stages| stages.model))
    }

    /// As [`model`](Self::model), with what the overlay says of drafts.
    #[cfg(feature = "drafts")]
    pub(crate) fn drafts(&self) -> Result<(Model, Vec<serde_json::Value>)> {
        self.on_a_stack(|| self.stages(self.overlays.len()).map(|stages| (stages.model, stages.source.overlay.drafts)))
    }

    /// Runs all stages. Gives each item of the generated module to `item`, and then calls `read` with the result and
    /// the model.
    #[cfg(feature = "cli")]
    pub(crate) fn inspect<S: Default, T: Send>(
        &self,
        mut item: impl FnMut(&mut S, &syn::Item) + Send,
        read: impl FnOnce(S, &Model) -> T + Send,
    ) -> Result<T> {
        // The path of a crate is not a part of the API for authors. So this path may be fixed.
        let path = CratePath::read(emit::OF_THE_RUNTIME)?;
        self.on_a_stack(move || {
            let stages = self.stages(self.overlays.len())?;
            let mut state = S::default();
            stages.items(&path, &mut |made| item(&mut state, &made))?;
            Ok(read(state, &stages.model))
        })
    }

    /// The schema file.
    pub(crate) fn file(&self) -> &Path {
        self.schema.path()
    }

    fn on_a_stack<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        stack::with(work).unwrap_or_else(|source| Err(Error::Read { path: self.file().to_owned(), source }))
    }

    /// Runs the stages up to the model, with the first `overlays`.
    fn stages(&self, overlays: usize) -> Result<Stages> {
        let source = source::load(&self.schema, self.stable.as_ref(), &self.overlays[..overlays])?;
        let mut refused = source::dialect::check(&source).map_err(|error| source.as_written(error))?;
        source::vendor::check(&source, &mut refused);
        source::defaults::check(&source, &mut refused);
        let normalised = normalise::normalise(&source, &mut refused);
        let model = model::build(&source, &normalised, refused).map_err(|error| source.as_written(error))?;
        Ok(Stages { source, normalised, model })
    }

    /// For build scripts: generates into the file `NAME.rs` of `OUT_DIR`, and tells cargo which files it must watch. After
    /// [`v1`](Self::v1), it also warns of entries of an overlay that match nothing.
    ///
    /// # Errors
    ///
    /// The errors of [`generate`](Self::generate). Also: `OUT_DIR` is not set, or the file cannot be written.
    pub fn compile(&self, name: &str) -> Result<()> {
        for input in std::iter::once(&self.schema).chain(&self.stable).chain(&self.overlays) {
            match input {
                Input::File(path) => output::rerun_if_changed(path),
                // With another text, this crate is compiled again, and so is the build script.
                Input::Carried { .. } => {}
            }
        }
        let directory = output::out_dir()?;
        let generated = self.generate()?;
        if self.reused.is_some() {
            generated.unused.iter().for_each(|entry| output::warn_of_unused(entry));
        }
        generated.write(&directory.join(format!("{name}.rs"))).map(drop)
    }
}

/// The results of all stages but the last ones.
struct Stages {
    source: Source,
    normalised: Normalised,
    model: Model,
}

impl Stages {
    /// Gives the items of the module to `give`, in schema order.
    fn items(&self, path: &CratePath, give: &mut dyn FnMut(syn::Item)) -> Result<()> {
        self.parts(path, &mut |items, _| items.into_iter().for_each(&mut *give))
    }

    /// The items of the module as units, of which some are taken from a crate.
    fn units(&self, path: &CratePath) -> Result<Units> {
        let mut units = Units::default();
        let mut add = |items, of: Option<&str>| if of.is_some() { units.add_one(items) } else { units.add_each(items) };
        self.parts(path, &mut add)?;
        Ok(units)
    }

    /// Gives the parts of the module to `give`, each with the definition that it comes from.
    fn parts(&self, path: &CratePath, give: &mut dyn FnMut(Vec<syn::Item>, Option<&str>)) -> Result<()> {
        let Self { source, normalised, model } = self;
        let location = |of: Option<&str>| match of {
            Some(definition) => normalised.at(source, definition, |at| at.location()),
            None => Location { file: source.files[0].clone(), pointer: String::new() },
        };
        emit::items(model, path, &mut |tokens, of| {
            give(format::items(tokens, || location(of))?, of);
            Ok(())
        })
        .map_err(|error| source.as_written(error))
    }
}

/// The generated code, which [`Builder::generate`] returns. It is not written yet.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Generated {
    /// The content of a module: types, messages, methods. It uses the crate of [`Builder::crate_path`], `::serde` and
    /// `::serde_json`.
    pub rust: String,
    /// The number of definitions that the code was generated from.
    pub definitions: usize,
    /// After [`Builder::v1`]: the names in the module that the crate of [`Builder::crate_path`] has. The code takes them from there.
    pub reused: Vec<String>,
    /// The entries of the overlays that match no part of the schema, as `section: subject`. After [`Builder::v1`], those of
    /// the author's overlays.
    pub unused: Vec<String>,
}

impl Generated {
    /// Writes the module to a file in one step. If the file already has this content, it is not written. Returns
    /// whether it was written.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<bool> {
        output::write_if_changed(path, &self.rust)
    }
}
