//! The error of reading or spawning prefabs and definitions.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use crate::error::Refused;
use crate::world::World;

/// The error of reading a prefab or a definition, or of spawning one. No entity was spawned.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PrefabError {
    /// The name of the file as given to `from_json` or `read_json`; empty if the prefab was read by
    /// another method.
    pub file: Box<str>,
    /// The line in the file, counted from 1; 0 if it is not known.
    pub line: usize,
    /// The column in the line, counted from 1; 0 if it is not known.
    pub column: usize,
    /// The name of the entity in the prefab that has the error, if the error concerns one entity.
    pub entity: Option<Box<str>>,
    /// The name of the component that has the error, if the error concerns one component.
    pub component: Option<Box<str>>,
    /// The path within an aspect, for instance `Monster.body.health`, if the error is in an aspect.
    pub path: Option<Box<str>>,
    /// The name of the world.
    pub world: &'static str,
    /// The reason of the error.
    pub reason: Box<str>,
    /// The refusal by a component's rule, if a rule refused the value when the prefab was spawned.
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
