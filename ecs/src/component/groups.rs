//! [`Groups`]: the values of an indexed component, with the entities of each value.

use alloc::vec;
use alloc::vec::Vec;
use core::borrow::Borrow;

use super::index::{FoundEntities, IndexForm, Indexed, is_alive};
use crate::component::IndexKey;
use crate::entity::allocator::Entities;
use crate::storage::column::Column;

/// Iterator over the values of an indexed component, each with the entities whose keys are equal:
/// see [`World::group_by`](crate::World::group_by).
#[derive(Clone)]
pub struct Groups<'w, T> {
    values: &'w Column<T>,
    entities: &'w Entities,
    /// The slots of each group, which is never empty.
    slots: vec::IntoIter<Vec<u32>>,
}

impl<'w, T: Indexed> Groups<'w, T> {
    pub(crate) fn new(values: &'w Column<T>, entities: &'w Entities) -> Self {
        Self { values, entities, slots: T::Form::groups(values, entities).into_iter() }
    }
}

impl<'w, T> Iterator for Groups<'w, T> {
    type Item = (&'w T, FoundEntities<'w>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let slots = self.slots.next()?;
            let value = slots.first().and_then(|&slot| self.values.get(slot));
            if let Some(value) = value {
                return Some((value, FoundEntities::new(self.entities, slots)));
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (0, self.slots.size_hint().1)
    }
}

debug!([T] Groups<'_, T>, |this, f| f.debug_struct("Groups").field("left", &this.slots.len()).finish());

/// The slots with living entities by equal keys, in the order of the first slot of each group.
///
/// Hashes the values instead of reading the index, in which values that were changed in place may
/// be missing.
pub(super) fn by_hash<T: Indexed<Key: IndexKey>>(values: &Column<T>, entities: &Entities) -> Vec<Vec<u32>> {
    let living = values.slots().filter(|&slot| is_alive(entities, slot));
    let hashed = living.filter_map(|slot| Some((values.get(slot)?.key().borrow().hashed(), slot)));
    let mut hashed: Vec<(u32, u32)> = hashed.collect();
    hashed.sort_unstable();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    for equal_hashes in hashed.chunk_by(|a, b| a.0 == b.0) {
        let first = groups.len();
        for &(_, slot) in equal_hashes {
            let Some(value) = values.get(slot) else { continue };
            let is_equal = |group: &Vec<u32>| {
                let other = group.first().and_then(|&other| values.get(other));
                other.is_some_and(|other| other.key().borrow().equals(value.key().borrow()))
            };
            match groups[first..].iter().position(is_equal) {
                Some(at) => groups[first + at].push(slot),
                None => groups.push(vec![slot]),
            }
        }
    }
    groups.sort_unstable_by_key(|group| group.first().copied());
    groups
}
