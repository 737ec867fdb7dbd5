//! The model: a map from ids to optional values.

use std::collections::{BTreeMap, BTreeSet};

use ecs::Entity;

/// The components of an entity.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Row {
    pub held: Option<u32>,
    pub small: Option<u8>,
    pub large: Option<[u64; 40]>,
    pub tag: bool,
    pub needy: Option<u32>,
}

/// A world as a map, and the ids that must stay invalid.
#[derive(Clone, Default)]
pub struct Plain {
    pub rows: BTreeMap<Entity, Row>,
    pub dead: BTreeSet<Entity>,
}

impl Row {
    /// Inserts the required components of `Needy`.
    pub fn join_required(&mut self) {
        if self.needy.is_some() {
            self.small.get_or_insert(77);
        }
    }

    pub fn components(&self) -> Vec<&'static str> {
        let present = [
            ("Large", self.large.is_some()),
            ("Needy", self.needy.is_some()),
            ("Tag", self.tag),
            ("Held", self.held.is_some()),
            ("Small", self.small.is_some()),
        ];
        present.into_iter().filter_map(|(name, has)| has.then_some(name)).collect()
    }
}

impl Plain {
    /// # Panics
    /// If the id was used before.
    pub fn spawn(&mut self, entity: Entity, mut row: Row) {
        row.join_required();
        assert!(!self.dead.contains(&entity), "{entity} was given again");
        assert!(self.rows.insert(entity, row).is_none(), "{entity} was given twice");
    }

    pub fn despawn(&mut self, entity: Entity) -> bool {
        let lived = self.rows.remove(&entity).is_some();
        if lived {
            self.dead.insert(entity);
        }
        lived
    }

    pub fn clear(&mut self) {
        self.dead.extend(std::mem::take(&mut self.rows).into_keys());
    }

    pub fn tick(&mut self) {
        for row in self.rows.values_mut() {
            if !row.tag {
                row.needy = row.needy.map(|needy| needy.wrapping_add(1));
            }
            let hardens = row.held.is_some() || row.needy.is_none();
            if let (true, Some(small), Some(large)) = (hardens, row.small, &mut row.large) {
                large[39] = u64::from(small);
            }
            if let Some(needy) = row.needy {
                row.tag = needy.is_multiple_of(2);
            }
        }
    }

    /// The number of values of `Held`.
    pub fn held(&self) -> usize {
        self.rows.values().filter(|row| row.held.is_some()).count()
    }
}
