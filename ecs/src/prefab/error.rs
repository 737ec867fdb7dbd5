//! What is wrong with a prefab.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::error::Refused;
use crate::world::World;

/// Something is wrong with a prefab, or a world refuses what is in it. Nothing was made of it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PrefabError {
    /// The file, as it was called; empty if it was not read as one.
    pub file: Box<str>,
    /// Where in it, from 1 on; 0 if that is not known.
    pub line: usize,
    /// The same.
    pub column: usize,
    /// The name of the entity, if it is about one.
    pub entity: Option<Box<str>>,
    /// The component, if it is about one.
    pub component: Option<Box<str>>,
    /// Where it is within an aspect, if it is: `Monster.body.health`.
    pub path: Option<Box<str>>,
    /// The world.
    pub world: &'static str,
    /// What is wrong.
    pub reason: Box<str>,
    /// The rule of a component that refuses it, if one does.
    pub refused: Option<Box<Refused>>,
}

impl PrefabError {
    pub(super) fn new<W: World>(reason: impl Into<String>) -> Self {
        Self {
            file: Box::default(),
            line: 0,
            column: 0,
            entity: None,
            component: None,
            path: None,
            world: W::NAME,
            reason: reason.into().into_boxed_str(),
            refused: None,
        }
    }
}

impl fmt::Display for PrefabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, entity, component, path, world, reason, .. } = self;
        match (file.is_empty(), *line) {
            (true, _) => write!(f, "prefab of world `{world}`")?,
            (false, 0) => write!(f, "{file}")?,
            (false, _) => write!(f, "{file}:{line}:{column}")?,
        }
        if let Some(entity) = entity {
            write!(f, ": entity `{entity}`")?;
        }
        match (component, path) {
            (Some(component), Some(path)) => write!(f, ": component `{component}` at `{path}`")?,
            (Some(component), None) => write!(f, ": component `{component}`")?,
            (None, Some(path)) => write!(f, ": aspect at `{path}`")?,
            (None, None) => {}
        }
        write!(f, ": {reason}")
    }
}

impl core::error::Error for PrefabError {}
