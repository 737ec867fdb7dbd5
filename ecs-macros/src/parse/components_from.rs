//! `components_from!`: the list of files and their definitions.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use proc_macro2::TokenStream;
use syn::parse::ParseStream;
use syn::{Attribute, LitStr, Meta, Result, Token, Visibility};

use super::options;
use crate::diagnostic::{Culprit, Diagnostics};
use crate::json::{self, Value};
use crate::names::Ecs;

/// A call with its files.
pub(crate) struct ComponentsFrom {
    pub(crate) ecs: Ecs,
    pub(crate) files: Vec<File>,
}

/// A file, with the attributes and the visibility of its components.
pub(crate) struct File {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    /// The path in the macro call.
    pub(crate) path: LitStr,
    /// The full path.
    pub(crate) full: PathBuf,
    /// The definitions in the file; `None` if it cannot be read.
    pub(crate) value: Option<Value>,
}

/// Reads the list and the files in it.
pub(crate) fn parse(tokens: TokenStream, errors: &mut Diagnostics) -> ComponentsFrom {
    let (mut ecs, mut files) = (Ecs::default(), Vec::new());
    options::all(tokens, errors, |input, errors| {
        if input.peek(Token![#]) && input.peek2(Token![!]) {
            ecs = errors.take(library(input)).unwrap_or_default();
        }
        let mut read = |input: ParseStream<'_>| -> Result<()> {
            files.push(entry(input)?);
            Ok(())
        };
        options::separated(input, errors, &mut read);
    });
    let root = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from).unwrap_or_default();
    for file in &mut files {
        open(file, &root, errors);
    }
    ComponentsFrom { ecs, files }
}

/// `#![crate = path]`
fn library(input: ParseStream<'_>) -> Result<Ecs> {
    let attributes = input.call(Attribute::parse_inner)?;
    let mut ecs = Ecs::default();
    for attribute in attributes {
        match &attribute.meta {
            Meta::NameValue(option) if option.path.is_ident("crate") => {
                let value = &option.value;
                ecs = Ecs::from(syn::parse2::<syn::Path>(quote::quote!(#value))?);
            }
            other => {
                return Err(other.wrong("the only option here is `#![crate = path]`"));
            }
        }
    }
    Ok(ecs)
}

/// `#[derive(Clone)] pub "data/meta.json"`
fn entry(input: ParseStream<'_>) -> Result<File> {
    let attributes = input.call(Attribute::parse_outer)?;
    let visibility = input.parse()?;
    let found = input.span();
    let path: LitStr = input.parse().map_err(|_| {
        found.wrong("expected the path of a file in quotes: `#[derive(Clone)] pub \"data/meta.json\"`")
    })?;
    Ok(File { attributes, visibility, path, full: PathBuf::new(), value: None })
}

/// Reads a file.
fn open(file: &mut File, root: &Path, errors: &mut Diagnostics) {
    let path = file.path.value();
    file.full = root.join(&path);
    let bytes = match std::fs::read(&file.full) {
        Ok(bytes) => bytes,
        Err(error) => {
            let why = match error.kind() {
                ErrorKind::NotFound => "there is no such file".to_owned(),
                kind => kind.to_string(),
            };
            errors.push(file.path.wrong(format!(
                "cannot read `{path}`: {why}; paths begin at the folder of the crate's `Cargo.toml`"
            )));
            return;
        }
    };
    let Ok(text) = String::from_utf8(bytes) else {
        errors.at(&file.path, format!("`{path}` is not UTF-8"));
        return;
    };
    match json::parse(&text) {
        Ok(value) => file.value = Some(value),
        Err(mistake) => errors.at(&file.path, located_message(&path, &mistake)),
    }
}

/// The message for a mistake, with its position in the file.
pub(crate) fn located_message(path: &str, mistake: &json::Mistake) -> String {
    let json::Place { line, column } = mistake.place;
    format!("{path}:{line}:{column}: {}", mistake.message)
}
