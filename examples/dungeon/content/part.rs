//! From JSON to typed components: the table of every component that content may name.

use ecs::prelude::*;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::component::*;
use crate::world::Dungeon;

/// A component value whose type is known only to itself, ready to be given to any number of entities.
pub trait Part: Send + Sync {
    /// Gives `entity` a copy of the value.
    fn attach(&self, entity: Entity, commands: &mut Commands<'_, Dungeon>);
}

impl<T: Component + Clone + Bundle<Dungeon>> Part for T {
    fn attach(&self, entity: Entity, commands: &mut Commands<'_, Dungeon>) {
        commands.insert(entity, self.clone());
    }
}

/// The fields of a component do not fit its type.
pub struct Mismatch {
    /// The field to blame, if a single one is.
    pub field: Option<String>,
    pub reason: String,
}

/// Builds a component from its fields.
pub type Reader = fn(Map<String, Value>) -> Result<Box<dyn Part>, Mismatch>;

/// Every component that content may name, in the order of the alphabet.
///
/// This is the one place where a name in a file meets a type; a new component needs a line here and a file in
/// `components/`.
const READERS: [(&str, Reader); 31] = [
    ("armour", read::<Armour>),
    ("blast", read::<Blast>),
    ("blink", read::<Blink>),
    ("burst", read::<Burst>),
    ("consumable", read::<Consumable>),
    ("door", read::<Door>),
    ("exit", read::<Exit>),
    ("experience", read::<Experience>),
    ("glyph", read::<Glyph>),
    ("hands", read::<Hands>),
    ("healing", read::<Healing>),
    ("health", read::<Health>),
    ("item", read::<Item>),
    ("key", read::<Key>),
    ("lock", read::<Lock>),
    ("loot", read::<Loot>),
    ("mapping", read::<Mapping>),
    ("melee", read::<Melee>),
    ("meta", read::<Meta>),
    ("mind", read::<Mind>),
    ("opaque", read::<Opaque>),
    ("pace", read::<Pace>),
    ("player", read::<Player>),
    ("prize", read::<Prize>),
    ("regrowth", read::<Regrowth>),
    ("shot", read::<Shot>),
    ("sight", read::<Sight>),
    ("solid", read::<Solid>),
    ("suit", read::<Suit>),
    ("venom", read::<Venom>),
    ("weapon", read::<Weapon>),
];

/// The reader of the component called `name`.
pub fn reader(name: &str) -> Option<Reader> {
    READERS.iter().find(|(known, _)| *known == name).map(|(_, reader)| *reader)
}

/// The names of all components that content may use.
pub fn names() -> impl Iterator<Item = &'static str> {
    READERS.iter().map(|(name, _)| *name)
}

fn read<T: Part + DeserializeOwned + 'static>(fields: Map<String, Value>) -> Result<Box<dyn Part>, Mismatch> {
    match serde_path_to_error::deserialize::<_, T>(Value::Object(fields)) {
        Ok(component) => Ok(Box::new(component)),
        Err(error) => {
            let field = error.path().iter().next().map(|segment| segment.to_string());
            Err(Mismatch { field, reason: error.into_inner().to_string() })
        }
    }
}
