//! [`SelectedComponent`]: one trait object for each component of a
//! [`Selection`](crate::save::Selection).
//!
//! It is made from the types of the selection, not by `world!`, so that a world without selections
//! has none of this code.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::cell::Cell;
use core::marker::PhantomData;
use core::num::NonZeroU32;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::component_set::ComponentSet;
use crate::base::mask::Bits;
use crate::component::requires::{RequiredInserter, WorldKind as _};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::persist::compact::Fault;
use crate::persist::compact::read::{EMPTY, EMPTY_FOR_A_BYTE, MapId, Reader, from_bytes};
use crate::persist::compact::write::to_vec;
use crate::persist::memory;
use crate::raw_world::WorldFields;
use crate::save::column::{ColumnType, Scratch, Windows, append, differ, differing, each_pair};
use crate::save::file;
use crate::save::layout::Layout;
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order, RuleState};
use crate::world::World;

/// The test whether values that contain this id count as changed.
pub(super) type Mentioned<'m> = &'m dyn Fn(Entity) -> bool;

/// Values that were read from a delta, each with the local entity that gets it; `None` if the local
/// entity is gone.
pub struct ReadValues {
    pub(super) targets: Vec<Option<Entity>>,
    /// The slots of entities whose relation has no target in this world, so that they have none.
    pub(super) unrelated: Vec<u32>,
    /// `Vec<Option<T>>`, as long as `targets`. An element is `None` only while the rule is checked,
    /// and after it was inserted.
    values: Box<dyn Any>,
}

impl ReadValues {
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> + '_ {
        self.targets.iter().flatten().map(|entity| entity.slot())
    }

    fn of<T: 'static>(&mut self) -> (&[Option<Entity>], &mut [Option<T>]) {
        let values = self.values.downcast_mut::<Vec<Option<T>>>().map_or(&mut [][..], Vec::as_mut_slice);
        (&self.targets, values)
    }
}

/// A component of a selection. `before` is the world of a snapshot.
pub trait SelectedComponent<W: World>: Send + Sync {
    /// The index of the component in the world.
    fn index(&self) -> usize;
    /// The layout of the values.
    fn layout(&self) -> Layout;
    /// Sets a bit for each slot that has a value, for the slots of these words, and clears the
    /// others.
    fn present(&self, world: &W, words: &mut [u64]);
    /// Sets a bit for each slot that had a value, for the slots of these words, and clears the
    /// others.
    fn present_before(&self, before: &W, words: &mut [u64]);
    /// The slots of `among`, all of which had and have a value, whose values differ in the compact
    /// form. With `since`, a tracked value without a later stamp is equal. A value that contains an
    /// id for which `mentioned` is true counts as different. The result has no words if no values
    /// differ.
    #[doc(hidden)]
    fn changed(
        &self,
        before: &W,
        world: &W,
        among: &[u64],
        since: Option<u64>,
        mentioned: Option<Mentioned<'_>>,
    ) -> Result<Vec<u64>, (usize, Fault)>;
    /// Appends the values of these slots, one bit for each, in the compact form. An error gives the
    /// slot.
    #[doc(hidden)]
    fn write(
        &self,
        world: &W,
        slots: &[u64],
        scratch: &mut Scratch,
        to: &mut Vec<u8>,
    ) -> Result<(), (Option<usize>, Fault)>;
    /// Reads values for these entities. `is_alive` is for local ids after the delta: a relation to
    /// another entity is left out, unless it may dangle. An error gives the position of the value.
    #[doc(hidden)]
    fn read(
        &self,
        world: &W,
        bytes: &[u8],
        targets: Vec<Option<Entity>>,
        map: MapId<'_>,
        is_alive: &dyn Fn(Entity) -> bool,
    ) -> Result<ReadValues, (usize, Fault)>;
    /// The sum of a hash for each value of these slots, in which `id` names the entity, and so do
    /// ids in the value if it `has_ids`. An error gives the slot.
    #[doc(hidden)]
    fn hash(
        &self,
        world: &W,
        slots: &[u64],
        has_ids: bool,
        id: &dyn Fn(Entity) -> Option<Entity>,
    ) -> Result<u64, (usize, Fault)>;
    /// Whether the rule may refuse values.
    fn refuses(&self) -> bool;
    /// Whether a value must be removed before another entity gets an equal one.
    fn is_key(&self) -> bool;
    /// Checks that the rule accepts the column with the new values and without the values of slots
    /// that are `lost`. An error gives the slot.
    #[doc(hidden)]
    fn admit(
        &self,
        world: &W,
        read: &mut ReadValues,
        lost: &dyn Fn(u32) -> bool,
        entities: &Entities,
    ) -> Result<(), (u32, String)>;
    /// Removes the relations of received entities that stay to entities that leave, which are
    /// sorted.
    fn detach(&self, world: &mut W, gone: &[Entity], is_received: &dyn Fn(Entity) -> bool);
    /// Removes the value of a slot; `false` if there was none.
    fn take(&self, world: &mut W, slot: u32) -> bool;
    /// Inserts the values, and returns their number.
    #[doc(hidden)]
    fn put(&self, world: &mut W, read: ReadValues) -> usize;
    /// Adds to the entity at `slot` the components that this component requires, except for those
    /// in `without`.
    #[doc(hidden)]
    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet);
}

/// The id that stands for all entities without a name in a hash.
const NO_ENTITY: Entity = Entity::from_parts(u32::MAX, NonZeroU32::MIN);

/// The [`SelectedComponent`] of `T`.
pub(in crate::save) struct SelectedColumn<T>(pub(in crate::save) PhantomData<fn() -> T>);

/// The rule of a relation, to ask it about values; `None` for other components.
fn relation_of<W: World + Has<T>, T: Component>() -> Option<Box<dyn RuleState<T>>> {
    if W::Kind::RULES.relation.is_some() { W::Kind::rule_state::<T>() } else { None }
}

/// Whether a value contains an id for which `mentioned` is true.
fn mentions<T: Serialize + DeserializeOwned>(value: &T, mentioned: Mentioned<'_>) -> Result<bool, Fault> {
    let bytes = to_vec(value)?;
    let found = Cell::new(false);
    let note = |id| {
        found.set(found.get() || mentioned(id));
        Ok(id)
    };
    Reader::mapping(&bytes, &note).value::<T>()?;
    Ok(found.get())
}

/// The slots of `candidates`, in a word of a column, whose values differ from the old ones. `old`
/// begins with the values of the slots in `mask`, without gaps.
#[inline]
fn differing_slots<T: Serialize + DeserializeOwned>(
    column: &Column<T>,
    old: &[T],
    word: usize,
    mask: u64,
    candidates: u64,
    mentioned: Option<Mentioned<'_>>,
    windows: &mut Windows,
) -> Result<u64, (usize, Fault)> {
    let mut found = 0;
    column.runs_of(word, candidates, |slot, values| {
        let below = match mask {
            u64::MAX => slot % 64,
            _ => (mask & ((1 << (slot % 64)) - 1)).count_ones() as usize,
        };
        let old = old.get(below..).unwrap_or_default();
        let differing = match mentioned {
            None => differing(old, values, windows),
            Some(mentioned) => each_pair(old, values, |old, new| {
                differ(old, new).and_then(|differs| Ok(differs || mentions(new, mentioned)?))
            }),
        };
        found |= differing.map_err(|(pair, fault)| (slot + pair, fault))? << (slot % 64);
        Ok(())
    })?;
    Ok(found)
}

fn bit_of(words: &[u64], slot: usize) -> bool {
    words.get(slot / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1)
}

impl<W: World + Has<T>, T: Component + Serialize + DeserializeOwned> SelectedComponent<W>
    for SelectedColumn<T>
{
    fn index(&self) -> usize {
        <W as Has<T>>::INDEX
    }

    fn layout(&self) -> Layout {
        Layout::of::<T>()
    }

    fn present(&self, world: &W, words: &mut [u64]) {
        let masks = world.column::<T>().all_masks();
        let (known, rest) = words.split_at_mut(masks.len().min(words.len()));
        known.copy_from_slice(&masks[..known.len()]);
        rest.fill(0);
    }

    fn present_before(&self, before: &W, words: &mut [u64]) {
        let column = before.column::<T>();
        for (page, words) in words.chunks_mut(Column::<T>::WORDS).enumerate() {
            let masks = column.saved_page(page).map_or(&[][..], |(masks, _)| masks);
            let (known, rest) = words.split_at_mut(masks.len().min(words.len()));
            known.copy_from_slice(&masks[..known.len()]);
            rest.fill(0);
        }
    }

    fn changed(
        &self,
        before: &W,
        world: &W,
        among: &[u64],
        since: Option<u64>,
        mentioned: Option<Mentioned<'_>>,
    ) -> Result<Vec<u64>, (usize, Fault)> {
        let (old, new) = (before.column::<T>(), world.column::<T>());
        let (mut found, mut chosen, mut windows) = (Vec::new(), Vec::new(), Windows::new());
        if size_of::<T>() == 0 {
            return Ok(found);
        }
        let len = among.len();
        let tracked = since.filter(|_| W::Kind::TRACKED && mentioned.is_none());
        for (page, among) in among.chunks(Column::<T>::WORDS).enumerate() {
            if among.iter().all(|&word| word == 0) || (mentioned.is_none() && new.agrees_with(old, page)) {
                continue;
            }
            let Some((masks, values)) = old.saved_page(page) else { continue };
            let by_slot = mentioned.is_none() && new.differs_in_slots(old, page);
            // most pages have a value in each slot: then nothing has to be counted
            let is_full = values.len() == masks.len() * 64;
            let start = page * Column::<T>::WORDS;
            let end = start + among.len();
            let mut word = start;
            // first all slots are chosen, then values are compared: a processor reads the stamps of
            // several words at a time if no comparison is between them
            chosen.clear();
            while word < end {
                let mut candidates = masks.get(word - start).map_or(0, |mask| mask & among[word - start]);
                if let Some(tick) = tracked {
                    // without stamps, no value was changed since the world was made
                    let next = new.stamps().map_or(end, |stamps| stamps.next_since(word, tick));
                    if next > word {
                        word = next;
                        continue;
                    }
                    candidates &= new.stamps().map_or(0, |stamps| stamps.changed_since(word, tick));
                }
                if by_slot {
                    candidates &= new.touched_slots(word);
                }
                if candidates != 0 {
                    chosen.push((word, candidates));
                }
                word += 1;
            }
            // the number of values in the words before `counted`
            let (mut counted, mut first) = (0, 0);
            for &(word, candidates) in &chosen {
                let skipped = masks.get(counted..word - start).unwrap_or_default();
                first += match is_full {
                    true => skipped.len() * 64,
                    false => skipped.iter().map(|mask| mask.count_ones() as usize).sum(),
                };
                counted = word - start;
                let old = values.get(first..).unwrap_or_default();
                let differing =
                    differing_slots(new, old, word, masks[counted], candidates, mentioned, &mut windows)?;
                if differing != 0 {
                    found.resize(len, 0);
                    found[word] = differing;
                }
            }
        }
        Ok(found)
    }

    fn write(
        &self,
        world: &W,
        slots: &[u64],
        scratch: &mut Scratch,
        to: &mut Vec<u8>,
    ) -> Result<(), (Option<usize>, Fault)> {
        if slots.is_empty() {
            return Ok(());
        }
        let count: usize = slots.iter().map(|word| word.count_ones() as usize).sum();
        // a guess that is right for plain values, and room for the length
        to.reserve(count * size_of::<T>() + 16);
        let of = ColumnType::of_serde::<T>();
        append(ErasedColumn::of(world.column::<T>()), of, slots, scratch, to)
    }

    fn read(
        &self,
        world: &W,
        bytes: &[u8],
        mut targets: Vec<Option<Entity>>,
        map: MapId<'_>,
        is_alive: &dyn Fn(Entity) -> bool,
    ) -> Result<ReadValues, (usize, Fault)> {
        let column = world.column::<T>();
        let mut words = Vec::new();
        for slot in
            targets.iter().flatten().map(|entity| entity.slot()).filter(|&slot| !column.contains(slot))
        {
            let word = slot as usize / 64;
            words.resize(words.len().max(word + 1), 0);
            words[word] |= 1 << (slot % 64);
        }
        let size = targets.len() * size_of::<Option<T>>();
        memory::charge(size as u64 + Column::<T>::SHAPE.bytes_for(&words))
            .map_err(|error| (0, Fault::text(error)))?;
        let mut values = Vec::with_capacity(targets.len());
        let (mut rest, mut empty) = (bytes, EMPTY + EMPTY_FOR_A_BYTE * bytes.len() as u64);
        for at in 0..targets.len() {
            let mut reader = Reader::of_part(rest, empty, Some(map));
            values.push(Some(reader.value::<T>().map_err(|fault| (at, fault))?));
            (rest, empty) = (reader.input, reader.empty);
        }
        if !rest.is_empty() {
            let fault = Fault::text(format_args!("{} bytes remain after the last value", rest.len()));
            return Err((targets.len().saturating_sub(1), fault));
        }
        let mut unrelated = Vec::new();
        if let Some(relation) = relation_of::<W, T>() {
            for (target, value) in targets.iter_mut().zip(&mut values) {
                if value.as_mut().is_some_and(|value| !relation.retain_targets(value, is_alive)) {
                    *value = None;
                    unrelated.extend(target.take().map(|entity| entity.slot()));
                }
            }
        }
        Ok(ReadValues { targets, unrelated, values: Box::new(values) })
    }

    fn hash(
        &self,
        world: &W,
        slots: &[u64],
        has_ids: bool,
        id: &dyn Fn(Entity) -> Option<Entity>,
    ) -> Result<u64, (usize, Fault)> {
        let column = world.column::<T>();
        let name = |entity| Ok(id(entity).unwrap_or(NO_ENTITY));
        let relation = relation_of::<W, T>();
        let (mut sum, mut bytes) = (0_u64, Vec::new());
        for (word, &slots) in slots.iter().enumerate() {
            for slot in Bits(slots & column.word(word)).map(|bit| word * 64 + bit) {
                let named = id(world.__living().at(slot));
                let (Some(named), Some(value)) = (named, column.get(slot as u32)) else { continue };
                let mut write = |value: &T| -> Result<(), Fault> {
                    bytes.clear();
                    bytes.extend_from_slice(&named.to_bits().to_le_bytes());
                    bytes.extend_from_slice(&to_vec(value)?);
                    Ok(())
                };
                let written = write(value).and_then(|()| {
                    if !has_ids {
                        return Ok(true);
                    }
                    let mut value = to_vec(value)?;
                    if let Some(relation) = &relation {
                        let mut copy = from_bytes::<T>(&value)?;
                        if !relation.retain_targets(&mut copy, &|target| id(target).is_some()) {
                            return Ok(false);
                        }
                        value = to_vec(&copy)?;
                    }
                    write(&Reader::mapping(&value, &name).value::<T>()?)?;
                    Ok(true)
                });
                if written.map_err(|fault| (slot, fault))? {
                    sum = sum.wrapping_add(file::sum(&bytes));
                }
            }
        }
        Ok(sum)
    }

    fn refuses(&self) -> bool {
        W::Kind::REFUSES
    }

    fn is_key(&self) -> bool {
        W::Kind::RULES.key
    }

    fn admit(
        &self,
        world: &W,
        read: &mut ReadValues,
        lost: &dyn Fn(u32) -> bool,
        entities: &Entities,
    ) -> Result<(), (u32, String)> {
        if !W::Kind::GUARDED {
            return Ok(());
        }
        let column = world.column::<T>();
        let mut new = Vec::new();
        for slot in read.slots() {
            new.resize(new.len().max(slot as usize / 64 + 1), 0);
            new[slot as usize / 64] |= 1 << (slot % 64);
        }
        let mut whole = Column::<T>::new();
        for word in 0..column.words() {
            for bit in Bits(column.word(word)) {
                let slot = word * 64 + bit;
                if bit_of(&new, slot) || lost(slot as u32) {
                    continue;
                }
                let Some(value) = column.get(slot as u32) else { continue };
                let copy = to_vec(value).and_then(|bytes| from_bytes::<T>(&bytes));
                let copy = copy.map_err(|fault| (slot as u32, fault.to_string()))?;
                drop(whole.insert(slot as u32, copy));
            }
        }
        let (targets, values) = read.of::<T>();
        for (target, value) in targets.iter().zip(&mut *values) {
            if let (Some(target), Some(value)) = (target, value.take()) {
                drop(whole.insert(target.slot(), value));
            }
        }
        let context = ChangeContext::of_many(entities, <W as Has<T>>::INDEX);
        let admitted = whole.load::<W::Kind>(context, &Order::new());
        for (target, value) in targets.iter().zip(values) {
            *value = target.and_then(|target| whole.remove(target.slot()));
        }
        admitted
    }

    fn detach(&self, world: &mut W, gone: &[Entity], is_received: &dyn Fn(Entity) -> bool) {
        let Some(relation) = relation_of::<W, T>() else { return };
        let leaves = |entity: Entity| gone.binary_search(&entity).is_ok();
        let column = world.column::<T>();
        let sources = gone.iter().flat_map(|&target| column.dependents(target)).copied();
        let mut sources: Vec<Entity> =
            sources.filter(|&source| !leaves(source) && is_received(source)).collect();
        sources.sort_unstable();
        sources.dedup();
        for source in sources {
            if let Some(mut value) = world.detach::<T>(source)
                && relation.retain_targets(&mut value, &|target| !leaves(target))
            {
                drop(world.put(source, value));
            }
        }
        world.drop_expelled::<T>();
    }

    fn take(&self, world: &mut W, slot: u32) -> bool {
        world.take::<T>(world.__living().at(slot as usize)).is_some()
    }

    fn put(&self, world: &mut W, mut read: ReadValues) -> usize {
        let (targets, values) = read.of::<T>();
        let mut count = 0;
        for (target, value) in targets.iter().zip(values) {
            if let (Some(target), Some(value)) = (target, value.take()) {
                drop(world.put(*target, value));
                count += 1;
            }
        }
        count
    }

    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        let entity = world.__living().at(slot as usize);
        W::Kind::fill(&mut RequiredInserter::without(world, entity, without));
    }
}
