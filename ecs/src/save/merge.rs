//! Adding the entities of a file to a world that has others.
//!
//! Ids are mapped where they are read: in the compact form an `Entity` is a thing of its own, so that no type has to say
//! which of its fields are ids. Everything is read before anything is changed.

use alloc::format;
use alloc::vec::Vec;
use core::cell::OnceCell;

use super::compact::Fault;
use super::draft::{Draft, LoadOptions, entities_of};
use super::{LoadError, Saved, file};
use crate::component::ComponentSet;
use crate::component::set::Words;
use crate::entity::Entity;

/// What becomes of ids in a file that point to nobody in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dangling {
    /// They are an error.
    Refuse,
    /// They point to nobody afterwards: all become one id that nobody has or will have.
    Keep,
}

/// Who became whom in a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// By the ids of the file, sorted.
    pairs: Vec<(Entity, Entity)>,
}

impl Merged {
    /// The new id of an entity of the file.
    pub fn get(&self, entity: Entity) -> Option<Entity> {
        let at = self.pairs.binary_search_by_key(&entity, |pair| pair.0).ok()?;
        Some(self.pairs[at].1)
    }

    /// The ids in the file and the new ones.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Entity)> + '_ {
        self.pairs.iter().copied()
    }

    /// How many entities were added.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Whether none was added.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

struct Ids {
    merged: Merged,
    /// What all become that point to nobody.
    nobody: Option<Entity>,
}

pub(super) fn merge<W: Saved>(world: &mut W, bytes: &[u8], dangling: Dangling) -> Result<Merged, LoadError> {
    let mut options = LoadOptions::new();
    let mut draft = Draft::<W>::new(&mut options);
    let mut entities = world.__living().clone();
    let ids: OnceCell<Ids> = OnceCell::new();
    let map = |entity: Entity| {
        let known = ids.get().and_then(|ids| ids.merged.get(entity).or(ids.nobody));
        known.ok_or_else(|| {
            Fault::text(format_args!("it holds the id {entity}, and nobody in the file has it"))
        })
    };
    let mut mapping = |draft: &Draft<'_, W>, words: &[Vec<u64>]| {
        let count = ComponentSet::words_for(W::COMPONENTS.len());
        let has: Vec<(usize, &Vec<u64>)> = draft
            .table
            .iter()
            .zip(words)
            .filter_map(|(found, words)| {
                let (at, _) = (*found)?;
                Some((draft.sections.components[at].index(), words))
            })
            .collect();
        let living = draft.entities.iter().flat_map(|entities| entities.living());
        let pairs = living.map(|entity| {
            let (word, bit) = (entity.slot() as usize / 64, entity.slot() % 64);
            let mut set = Words::EMPTY;
            for (index, words) in &has {
                if words.get(word).is_some_and(|bits| bits >> bit & 1 == 1) {
                    set.0[index / 64] |= 1 << (index % 64);
                }
            }
            (entity, entities.spawn_set(set, count))
        });
        let merged = Merged { pairs: pairs.collect() };
        let nobody = (dangling == Dangling::Keep).then(|| entities.nobody());
        // this is called once
        let _ = ids.set(Ids { merged, nobody });
        Ok(())
    };
    file::read(bytes, &mut draft, true, Some(&map), Some(&mut mapping))?;
    let merged = match ids.into_inner() {
        Some(ids) => ids.merged,
        None => Merged { pairs: Vec::new() },
    };
    let before = core::mem::replace(entities_of(world), entities);
    let mut to: Vec<Option<u32>> = alloc::vec![None; draft.slots];
    for (from, entity) in merged.iter() {
        to[from.slot() as usize] = Some(entity.slot());
    }
    for at in 0..draft.columns.len() {
        let (order, column) = (draft.order_of(at), draft.columns[at].take());
        let (entry, Some(column)) = (&draft.sections.components[at], column) else { continue };
        let moved = entry.merge(world, column, &|slot| to.get(slot as usize).copied().flatten(), &order);
        if let Err(reason) = moved {
            let place = format!("component `{}`", draft.sections.component_names[entry.index()]);
            for (_, entity) in merged.iter() {
                let _ = world.despawn(entity);
            }
            *entities_of(world) = before;
            return Err(Draft::<W>::invalid(place, reason));
        }
    }
    Ok(merged)
}
