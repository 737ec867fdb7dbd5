//! [`PrefabInstance`]: the entities that one spawn of a prefab made.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Index;

use crate::entity::Entity;

/// The names of a prefab's entities. All instances of the prefab share one roster.
pub(super) struct Roster {
    /// The names, in the order of the file. The position of a name is the number of its entity.
    pub(super) names: Vec<String>,
    numbers: BTreeMap<String, usize>,
}

impl Roster {
    pub(super) fn new(names: Vec<String>) -> Self {
        let numbers = names.iter().cloned().zip(0..).collect();
        Self { names, numbers }
    }

    /// Returns the number of the entity of this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.numbers.get(name).copied()
    }
}

/// The entities that one spawn of a prefab made, by their names in the prefab.
#[derive(Clone)]
pub struct PrefabInstance {
    pub(super) roster: Arc<Roster>,
    /// The entities by number, as in `Roster::names`.
    pub(super) entities: Box<[Entity]>,
}

impl PrefabInstance {
    /// Returns the entity of this name; `None` if the prefab has no entity of this name.
    pub fn get(&self, name: &str) -> Option<Entity> {
        self.entities.get(self.roster.find(name)?).copied()
    }

    /// Iterates over all entities with their names, in alphabetical order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, Entity)> {
        let numbers = self.roster.numbers.iter();
        numbers.filter_map(|(name, &number)| Some((name.as_str(), *self.entities.get(number)?)))
    }
}

/// # Panics
/// If the prefab has no entity of this name.
impl Index<&str> for PrefabInstance {
    type Output = Entity;
    #[track_caller]
    fn index(&self, name: &str) -> &Entity {
        match self.roster.find(name) {
            Some(number) => &self.entities[number],
            None => panic!("the prefab has no entity `{name}`"),
        }
    }
}

impl PartialEq for PrefabInstance {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

impl Eq for PrefabInstance {}

impl fmt::Debug for PrefabInstance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
