//! Adding the entities of a file to a world that has others.
//!
//! Ids are mapped while they are read: the compact form marks each `Entity`, so types need not
//! declare which of their fields are ids. The whole file is read and checked before the world is
//! changed.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

use serde::de::Error as _;

use super::any_world::AnyWorld;
use super::column::ValueChunks;
use super::draft::{AnyLoadOptions, Draft};
use super::entry::mapped;
use super::sections::Sections;
use super::{LoadError, file, human};
use crate::base::component_set::Words;
use crate::base::mask::has_bit;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::persist::erased::{FormError, ReadForm};
use crate::persist::memory;

/// The treatment of an id in a merged file whose entity is not in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DanglingIds {
    /// Merging returns an error, even if the id is the target of a relation that may dangle.
    Refuse,
    /// The id becomes the id of a despawned entity that is never used again. Equal ids stay equal.
    Keep,
}

/// The new ids of the entities that a merge added, by their ids in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// Pairs of the id in the file and the new id, sorted by the id in the file.
    pairs: Vec<(Entity, Entity)>,
}

impl Merged {
    /// `pairs` are sorted by the id in the file.
    pub(super) fn of(pairs: Vec<(Entity, Entity)>) -> Self {
        Self { pairs }
    }

    /// Returns the new id of an entity of the file; `None` if the file has no entity with this id.
    pub fn get(&self, entity: Entity) -> Option<Entity> {
        let at = self.pairs.binary_search_by_key(&entity, |pair| pair.0).ok()?;
        Some(self.pairs[at].1)
    }

    /// Iterates over pairs of the id in the file and the new id, sorted by the id in the file.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Entity)> + '_ {
        self.pairs.iter().copied()
    }

    /// Returns the number of entities that were added.
    pub fn len(&self) -> usize {
        self.pairs.len()
    }

    /// Returns `true` if the file had no entities.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The entities that a merge will add. The world is unchanged until `join`, after the whole file
/// was checked.
struct NewEntities {
    /// A copy of the world's allocator that also contains the new entities.
    entities: RefCell<Entities>,
    /// The new ids, set by `meet`.
    merged: OnceCell<Merged>,
    /// The new ids of ids whose entities are not in the file; `None` if these ids are refused.
    dangling: Option<RefCell<BTreeMap<Entity, Entity>>>,
}

impl NewEntities {
    fn new(world: &dyn AnyWorld, dangling: DanglingIds) -> Self {
        Self {
            entities: RefCell::new(world.entities().clone()),
            merged: OnceCell::new(),
            dangling: (dangling == DanglingIds::Keep).then(RefCell::default),
        }
    }

    /// Allocates the new ids. `words` has, for each component of the file, the slots that have it.
    fn meet(&self, draft: &Draft<'_>, words: &[(usize, Vec<u64>)]) -> Result<(), LoadError> {
        let pairs = draft.entities.as_ref().map_or(0, Entities::len) * size_of::<(Entity, Entity)>();
        memory::charge((2 * pairs + draft.slots * size_of::<Option<u32>>()) as u64)
            .map_err(|error| draft.invalid("entities", error))?;
        let living = draft.entities.iter().flat_map(|entities| entities.living());
        let pairs = living.map(|entity| {
            let mut set = Words::EMPTY;
            for (at, words) in words {
                if has_bit(words, entity.slot() as usize) {
                    let index = draft.sections.components[*at].index;
                    set.0[index / 64] |= 1 << (index % 64);
                }
            }
            (entity, self.entities.borrow_mut().spawn_set(set))
        });
        let merged = Merged { pairs: pairs.collect() };
        // this cannot fail: `meet` is called once
        let _ = self.merged.set(merged);
        Ok(())
    }

    /// Maps an id of the file to its new id.
    fn map(&self, entity: Entity) -> Result<Entity, FormError> {
        if let Some(known) = self.merged.get().and_then(|merged| merged.get(entity)) {
            return Ok(known);
        }
        let Some(known) = &self.dangling else {
            let fault = format_args!("it contains the id {entity}, which is no entity of the file");
            return Err(FormError::text(fault));
        };
        let unused_id = || self.entities.borrow_mut().dead_id();
        Ok(*known.borrow_mut().entry(entity).or_insert_with(unused_id))
    }

    /// Adds the entities to the world, if all rules accept their values.
    fn join(self, world: &mut dyn AnyWorld, mut draft: Draft<'_>) -> Result<Merged, LoadError> {
        draft.together()?;
        let sections = Arc::clone(&draft.sections);
        let merged = self.merged.into_inner().unwrap_or(Merged { pairs: Vec::new() });
        if draft.sections.of_targets.iter().any(|named| !named.is_empty()) {
            let slots: BTreeMap<Entity, u32> = merged.iter().map(|(from, to)| (to, from.slot())).collect();
            draft.targets(&|target| slots.get(&target).copied())?;
        }
        let mut to: Vec<Option<u32>> = alloc::vec![None; draft.slots];
        for (from, entity) in merged.iter() {
            to[from.slot() as usize] = Some(entity.slot());
        }
        let to = |slot: u32| to.get(slot as usize).copied().flatten();
        let entities = self.entities.into_inner();
        let lacking = draft.lacking()?;
        let mut moved = Vec::new();
        for at in 0..draft.columns.len() {
            let (order, column) = (mapped(&draft.order_of(at), &to), draft.columns[at].take());
            let (entry, Some(column)) = (&sections.components[at], column) else { continue };
            let column = entry.moved(world, column, &to, &entities, &order).map_err(|(slot, reason)| {
                let name = entry.name;
                let of = merged.iter().find(|(_, entity)| entity.slot() == slot);
                let of = of.map_or_else(|| format!("slot {slot}"), |(from, _)| format!("entity {from}"));
                sections.invalid(format_args!("component `{name}` of {of}"), reason)
            })?;
            moved.push((at, column, order));
        }
        world.any_entities_mut().replace(entities);
        let slots: Vec<u32> = merged.iter().map(|(_, entity)| entity.slot()).collect();
        world.record_spawned(&slots);
        for (at, column, order) in moved {
            sections.components[at].insert_moved(world, column, &slots, &order);
        }
        draft.complete(world, &lacking, &to);
        Ok(merged)
    }
}

/// Merges a file in the compact form.
pub(super) fn merge(
    sections: Arc<Sections>,
    world: &mut dyn AnyWorld,
    bytes: &[u8],
    dangling: DanglingIds,
    mut options: AnyLoadOptions,
) -> Result<Merged, LoadError> {
    memory::limited(options.memory, bytes.len(), || {
        let mut draft = Draft::new(sections, &mut options);
        let newcomers = NewEntities::new(world, dangling);
        file::read_entities(bytes, &mut draft, &|id| newcomers.map(id), |draft, words| {
            newcomers.meet(draft, words)
        })?;
        newcomers.join(world, draft)
    })
}

/// Merges a file in either form. The human-readable form contains ids as text, so its values are
/// first written in the compact form, which marks ids.
pub(super) fn merge_from(
    sections: Arc<Sections>,
    world: &mut dyn AnyWorld,
    form: &mut dyn ReadForm<'_>,
    dangling: DanglingIds,
    mut options: AnyLoadOptions,
) -> Result<Merged, FormError> {
    if !form.is_human_readable() {
        return human::read_bytes(sections.world, form, |bytes| {
            merge(sections, world, bytes, dangling, options)
        });
    }
    memory::limited(options.memory, 0, || {
        let mut draft = Draft::new(sections, &mut options);
        human::read_entities(&mut draft, form)?;
        let newcomers = NewEntities::new(world, dangling);
        again(&mut draft, &newcomers).and_then(|()| newcomers.join(world, draft)).map_err(FormError::custom)
    })
}

/// Writes the values of a draft in the compact form, and reads them again with the new ids.
fn again(draft: &mut Draft<'_>, newcomers: &NewEntities) -> Result<(), LoadError> {
    let (sections, mut words) = (Arc::clone(&draft.sections), Vec::new());
    for (at, (entry, column)) in sections.components.iter().zip(&draft.columns).enumerate() {
        words.extend(column.as_ref().map(|column| (at, entry.slots(&**column))));
    }
    newcomers.meet(draft, &words)?;
    for (at, words) in words {
        let (entry, Some(column)) = (&sections.components[at], draft.columns[at].take()) else {
            continue;
        };
        let fail = |slot: Option<usize>, reason: String| {
            let name = entry.name;
            let id = slot.and_then(|slot| draft.entities.as_ref()?.living_at(slot));
            let id = id.map_or_else(String::new, |id| format!(" of entity {id}"));
            sections.invalid(format_args!("component `{name}`{id}"), reason)
        };
        let bytes = entry.bytes(&*column, &words).map_err(|(slot, reason)| fail(slot, reason))?;
        let mut column = entry.column();
        let map = |id| newcomers.map(id);
        let mut chunks = ValueChunks::new(&bytes);
        let read = entry.read(None, &mut *column, &words, &mut chunks, Some(&map));
        read.map_err(|(slot, fault)| fail(Some(slot as usize), fault.to_string()))?;
        chunks.end().map_err(|fault| fail(None, fault.to_string()))?;
        draft.columns[at] = Some(column);
    }
    Ok(())
}
