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
use crate::source::{self, Source};
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
    schema: PathBuf,
    stable: Option<PathBuf>,
    overlays: Vec<PathBuf>,
    crate_path: Option<String>,
}

impl Builder {
    /// Settings without a schema.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The schema file, as the ACP SDK packages ship it.
    #[must_use]
    pub fn schema(mut self, path: impl Into<PathBuf>) -> Self {
        self.schema = path.into();
        self
    }

    /// Sets the stable schema. Use it if the schema itself has drafts: items that the stable schema lacks are drafts,
    /// and their documentation tells this.
    #[must_use]
    pub fn stable(mut self, path: impl Into<PathBuf>) -> Self {
        self.stable = Some(path.into());
        self
    }

    /// Adds a file with additions to the schema. You may add several files.
    ///
    /// The file is JSON with any of these keys. Every entry of a list has a `why`.
    ///
    /// | key | an entry says |
    /// |---|---|
    /// | `$defs` | definitions to add, a vendor's own types and methods; `#[ext(methods::Name)]` handles one |
    /// | `names` | `type` and its new Rust `name`; `type` is a definition's name in the schema, or the generated name of a part of a definition |
    /// | `unions` | `of`: a struct that contains a union; `type` and `field`: the names for the union's type and for its field |
    /// | `structs` | `type`: an object without any description is a struct without fields, and no map |
    /// | `omitted` | `field`: an empty list or map, or a `null` where any value may stand, means the same as absence, and is left out |
    /// | `strict_unions` | `type`: a known tag whose content does not fit never falls through to a branch without a tag |
    /// | `three_state` | `field`, written `Type.field`: absent and `null` differ |
    /// | `paths` | `field`: the text is a path of the file system |
    /// | `fields` | `field` and its Rust `name` |
    /// | `variants` | `type`, `value` and the Rust `name` of the variant; in a union without a tag, `value` is the branch's title, or its position (the first is 0) |
    /// | `enum_defaults` | `type` and the `value` that absence means; with `unknown`, any unknown value means the same |
    /// | `handlers` | `method` and the name of its `handler` |
    /// | `conversions` | a `From` conversion: `from` is the source type (or `string`, which setters of optional fields then take, too), `into` is the target type; if the target is a union, `via` is the variant |
    #[must_use]
    pub fn overlay(mut self, path: impl Into<PathBuf>) -> Self {
        self.overlays.push(path.into());
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
            let stages = self.stages()?;
            let mut text = format::Text::default();
            stages.items(&path, &mut |item| text.add(item))?;
            let Stages { source, .. } = stages;
            Ok(Generated {
                rust: text.finish(),
                definitions: source.definitions.len(),
                unused: source.overlay.unused(),
            })
        })
    }

    /// Runs the stages up to the model.
    pub(crate) fn model(&self) -> Result<Model> {
        self.on_a_stack(|| self.stages().map(|stages| stages.model))
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
            let stages = self.stages()?;
            let mut state = S::default();
            stages.items(&path, &mut |made| item(&mut state, &made))?;
            Ok(read(state, &stages.model))
        })
    }

    /// The schema file.
    pub(crate) fn file(&self) -> &Path {
        &self.schema
    }

    fn on_a_stack<T: Send>(&self, work: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        stack::with(work).unwrap_or_else(|source| Err(Error::Read { path: self.schema.clone(), source }))
    }

    fn stages(&self) -> Result<Stages> {
        let source = source::load(&self.schema, self.stable.as_deref(), &self.overlays)?;
        let mut refused = source::dialect::check(&source).map_err(|error| source.as_written(error))?;
        source::defaults::check(&source, &mut refused);
        let normalised = normalise::normalise(&source, &mut refused);
        let model = model::build(&source, &normalised, refused).map_err(|error| source.as_written(error))?;
        Ok(Stages { source, normalised, model })
    }

    /// For build scripts: generates into the file `NAME.rs` of `OUT_DIR`, and tells cargo which files it must watch.
    ///
    /// # Errors
    ///
    /// The errors of [`generate`](Self::generate). Also: `OUT_DIR` is not set, or the file cannot be written.
    pub fn compile(&self, name: &str) -> Result<()> {
        for path in std::iter::once(&self.schema).chain(&self.stable).chain(&self.overlays) {
            output::rerun_if_changed(path);
        }
        let directory = output::out_dir()?;
        let generated = self.generate()?;
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
        let Self { source, normalised, model } = self;
        let location = |of: Option<&str>| match of {
            Some(definition) => normalised.at(source, definition, |at| at.location()),
            None => Location { file: source.files[0].clone(), pointer: String::new() },
        };
        emit::items(model, path, &mut |tokens, of| {
            format::items(tokens, || location(of))?.into_iter().for_each(&mut *give);
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
    /// The entries of the overlays that match no part of the schema, as `section: subject`.
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
