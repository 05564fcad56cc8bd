//! A Rust type, as it stands in generated code.

use std::fmt;

use quote::ToTokens as _;
use syn::{GenericArgument, Path, PathArguments, ReturnType, Type, TypeParamBound};

/// A Rust type of the generated module, printed without the paths of its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Ty {
    /// `()`, or no content beside the tag.
    Nothing,
    /// A generated type.
    Named(String),
    /// The fields of a union's variant. They have no type of their own. The text is their name in a [`Surface`].
    ///
    /// [`Surface`]: super::Surface
    Fields(String),
    /// A type of Rust itself or of another crate, with its whole path: `bool`, `::std::string::String`.
    Other(String),
    /// A type with arguments, and its path: `::std::vec::Vec`, `impl ::std::convert::Into`, `&`.
    Of(String, Vec<Ty>),
}

impl Ty {
    /// Reads a type.
    pub(super) fn read(ty: &Type) -> Self {
        match ty {
            Type::Path(path) if path.qself.is_none() => Self::of_path("", &path.path),
            Type::Tuple(tuple) if tuple.elems.is_empty() => Self::Nothing,
            Type::Reference(reference) => {
                let lifetime = reference.lifetime.as_ref().map(|lifetime| format!("{lifetime} ")).unwrap_or_default();
                let mutable = if reference.mutability.is_some() { "mut " } else { "" };
                Self::Of(format!("&{lifetime}{mutable}"), vec![Self::read(&reference.elem)])
            }
            Type::ImplTrait(bounds) => match bounds.bounds.iter().collect::<Vec<_>>().as_slice() {
                [TypeParamBound::Trait(bound)] => Self::of_path("impl ", &bound.path),
                _ => Self::verbatim(ty),
            },
            _ => Self::verbatim(ty),
        }
    }

    /// Reads the return type of a function.
    pub(super) fn read_output(output: &ReturnType) -> Self {
        match output {
            ReturnType::Default => Self::Nothing,
            ReturnType::Type(_, ty) => Self::read(ty),
        }
    }

    /// The type of this path, or the trait after `impl`.
    pub(super) fn of_path(before: &str, path: &Path) -> Self {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let Some(last) = path.segments.last() else { return Self::Other(before.to_owned()) };
        let alone = path.leading_colon.is_none() && (names.len() == 1 || names.len() == 2 && names[0] == "super");
        let colons = if path.leading_colon.is_some() { "::" } else { "" };
        let whole = format!("{before}{colons}{}", names.join("::"));
        match &last.arguments {
            PathArguments::AngleBracketed(arguments) => {
                let types = arguments.args.iter().filter(|argument| !matches!(argument, GenericArgument::Lifetime(_)));
                Self::Of(whole, types.map(Self::of_argument).collect())
            }
            _ if alone && before.is_empty() && !is_primitive(&last.ident.to_string()) => {
                Self::Named(last.ident.to_string())
            }
            _ => Self::Other(whole),
        }
    }

    fn of_argument(argument: &GenericArgument) -> Self {
        match argument {
            GenericArgument::Type(ty) => Self::read(ty),
            other => Self::Other(other.to_token_stream().to_string()),
        }
    }

    fn verbatim(ty: &Type) -> Self {
        Self::Other(ty.to_token_stream().to_string())
    }

    /// The argument of the type, if the type has this name and one argument.
    pub(super) fn inside(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Of(path, arguments) if last(path) == name => arguments.last(),
            _ => None,
        }
    }

    /// Calls `f` with every generated type inside this type.
    pub(super) fn each_name<'a>(&'a self, f: &mut impl FnMut(&'a str)) {
        match self {
            Self::Named(name) | Self::Fields(name) => f(name),
            Self::Of(_, inner) => inner.iter().for_each(|inner| inner.each_name(f)),
            Self::Nothing | Self::Other(_) => {}
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("()"),
            Self::Named(name) => f.write_str(name),
            Self::Fields(_) => f.write_str("{ .. }"),
            Self::Other(path) => f.write_str(&short(path)),
            Self::Of(path, inner) if path.starts_with('&') => {
                f.write_str(path)?;
                inner.iter().try_for_each(|inner| inner.fmt(f))
            }
            Self::Of(path, inner) => {
                write!(f, "{}<", short(path))?;
                for (index, inner) in inner.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    inner.fmt(f)?;
                }
                f.write_str(">")
            }
        }
    }
}

/// The last name of a path. If there is an `impl` before the path, it stays.
fn short(path: &str) -> String {
    let before = if path.starts_with("impl ") { "impl " } else { "" };
    format!("{before}{}", last(path))
}

pub(super) fn last(path: &str) -> &str {
    let name = path.strip_prefix("impl ").unwrap_or(path);
    name.rsplit("::").next().unwrap_or(name)
}

fn is_primitive(name: &str) -> bool {
    let known = [
        "bool", "char", "str", "f32", "f64", "i8", "i16", "i32", "i64", "i128", "isize", "u8", "u16", "u32", "u64",
        "u128", "usize", "Self", "String", "Box", "Vec", "Option",
    ];
    known.contains(&name)
}
