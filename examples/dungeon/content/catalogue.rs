//! Everything that can be placed on a level, by the name of its type.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use ecs::prelude::*;

use super::definition::Definitions;
use super::document::{EntityDocument, Entries};
use super::part::Part;
use super::source::Source;
use crate::component::Position;
use crate::error::Error;
use crate::point::Point;
use crate::world::Dungeon;

/// The kinds of entities that the content knows. It is not saved: a game that goes on reads it anew.
#[derive(Resource, Default, Clone)]
#[resource(skip)]
pub struct Catalogue(BTreeMap<String, Arc<Template>>);

/// One kind of entity: the components that a new one starts with.
pub struct Template {
    /// Its name.
    pub kind: String,
    /// Where it was read from.
    pub file: PathBuf,
    /// By name.
    parts: Vec<(String, Box<dyn Part>)>,
}

impl Template {
    /// Makes an entity of this kind. Its id is good at once; it lives when the commands are carried out.
    pub fn spawn(&self, commands: &mut Commands<'_, Dungeon>, at: Point) -> Entity {
        let entity = commands.spawn(Position(at));
        for (_, part) in &self.parts {
            part.attach(entity, commands);
        }
        entity
    }

    /// Whether the file gives it the component called `name`.
    pub fn has(&self, name: &str) -> bool {
        self.parts.iter().any(|(part, _)| part == name)
    }
}

impl Catalogue {
    /// Adds the kind in `source`.
    ///
    /// # Errors
    /// Its name is taken, or a component is unknown or does not fit its definition.
    pub fn add(&mut self, source: &Source, definitions: &Definitions) -> Result<(), Error> {
        let EntityDocument { name, schema: Entries(components) } = source.json()?;
        if let Some(other) = self.0.get(name) {
            let reason = format!("type `{name}` is already defined in {}", other.file.display());
            return Err(source.error_at(name, reason));
        }
        let parts = components
            .iter()
            .map(|(name, fields)| Ok(((*name).to_owned(), definitions.build(source, name, fields)?)))
            .collect::<Result<_, Error>>()?;
        let template = Template { kind: name.to_owned(), file: source.file().to_owned(), parts };
        self.0.insert(name.to_owned(), Arc::new(template));
        Ok(())
    }

    /// The kind called `name`. It is shared, so that it can be kept while the world is changed.
    pub fn get(&self, name: &str) -> Option<Arc<Template>> {
        self.0.get(name).cloned()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}
