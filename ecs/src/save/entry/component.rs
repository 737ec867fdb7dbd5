//! Saving and loading a component: its column, the change ticks, the log of removed values, and the state of its rule.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;

use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use super::{Old, SavedEntry, SavedType, SkippedEntry};
use crate::base::component_set::ComponentSet;
use crate::base::mask::{Bits, Slots, range};
use crate::component::requires::{RequiredInserter, WorldKind};
use crate::component::{Component, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::saved::image::LATEST;
use crate::error::Refused;
use crate::persist::compact::Fault;
use crate::persist::compact::read::{MapId, Reader, from_bytes};
use crate::persist::erased::{ErasedSerialize, FormError, ReadForm, read_value};
use crate::persist::image::{KeptValues, LogImage, SystemPaths};
use crate::persist::memory;
use crate::persist::state::ValueCode;
use crate::raw_world::WorldFields;
use crate::save::column::{self, PutBytes, Scratch, ValueChunks};
use crate::save::human::is_finite;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::{ChangeContext, Order};
use crate::storage::stamps::Stamps;
use crate::world::World;

/// A component of a world, as saving sees it. The provided methods are those of a skipped component, which has no values in a
/// file.
pub(crate) trait SavedComponent<W: World>: SavedType {
    /// The slots that have a value, as one bit per slot in words of 64.
    fn present(&self, _world: &W) -> Vec<u64> {
        Vec::new()
    }
    /// The value at a slot, for the human-readable form.
    fn value<'w>(&self, _world: &'w W, _slot: u32) -> Option<&'w dyn ErasedSerialize> {
        None
    }
    /// Writes the values of a column in the compact form.
    fn write(
        &self,
        _world: &W,
        _words: &[u64],
        _scratch: &mut Scratch,
        _put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        Ok(())
    }
    /// The change ticks of the values, run-length encoded: number of values, tick when added, tick when changed.
    fn stamps(&self, _world: &W, _words: &[u64]) -> Vec<(u32, u64, u64)> {
        Vec::new()
    }
    /// Returns `true` if there are values at these slots, and all their floating point numbers are finite.
    fn has_finite_numbers(&self, _world: &W, _words: &[u64]) -> bool {
        false
    }
    /// The log of removed values, if the component has one.
    fn log<'w>(&self, _world: &'w W, _keys: &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>> {
        None
    }
    /// Makes an empty column.
    fn column(&self) -> Box<dyn Any + Send>;
    /// Returns the number of bytes of memory that values at these slots take.
    fn bytes_for(&self, slots: &[u64]) -> u64;
    /// Reads one value, of the older type `old` if it is given.
    fn read_one(
        &self,
        _old: Option<usize>,
        _column: &mut dyn Any,
        _slot: u32,
        _file: &mut dyn ReadForm<'_>,
    ) -> Result<(), FormError> {
        Ok(())
    }
    /// Reads the values of a column in the compact form.
    fn read(
        &self,
        _old: Option<usize>,
        _column: &mut dyn Any,
        _words: &[u64],
        _chunks: &mut ValueChunks<'_>,
        _map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        Ok(())
    }
    /// Reads values in the compact form as [`read`](Self::read) does, and inserts them into the world: the value of slot `n` into the entity
    /// `to[n]`. For components without a rule.
    fn read_into(
        &self,
        _world: &mut W,
        _to: &[Entity],
        _words: &[u64],
        _chunks: &mut ValueChunks<'_>,
        _map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        Ok(())
    }
    /// Reads a value from all bytes of the compact form, and replaces an existing value with it. For components without a rule, if the
    /// value is in a world.
    fn read_over(&self, _place: ValuePlace<'_, W>, _reader: Reader<'_, '_>) -> Result<(), Fault> {
        Ok(())
    }
    /// Restores the change ticks. Returns an error if their number is not that of the values, or if one is later than `tick`.
    fn set_stamps(
        &self,
        _column: &mut dyn Any,
        _stamps: &[(u32, u64, u64)],
        _tick: u64,
    ) -> Result<(), String> {
        Ok(())
    }
    /// The state of the component's rule that cannot be derived from the values.
    fn order(&self, _world: &W) -> Order {
        Order::new()
    }
    /// Checks that every slot with a value has a live entity, and that the component's rule accepts all values; then notes the
    /// component in the entities' blocks. An error gives the slot.
    fn register(
        &self,
        _column: &mut dyn Any,
        _entities: &Entities,
        _order: &Order,
    ) -> Result<(), (u32, String)> {
        Ok(())
    }
    /// Reads a log of removed values from the human-readable form.
    fn read_log(&self, _file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        Ok(Box::new(()))
    }
    /// Reads a log of removed values from the compact form.
    fn read_log_bytes(&self, _bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }
    /// Restores the log of removed values.
    fn set_log(&self, _world: &mut W, _log: Box<dyn Any>, _keys: &SystemPaths) -> Result<(), &'static str> {
        Ok(())
    }
    /// Returns a value of a detached column.
    fn value_in<'c>(&self, _column: &'c dyn Any, _slot: u32) -> Option<&'c dyn ErasedSerialize> {
        None
    }
    /// Writes the values of a detached column in the compact form. An error gives the slot.
    fn bytes(&self, _column: &dyn Any, _words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        Ok(Vec::new())
    }
    /// Adds to the entity at `slot` the components that this component requires, except for those in `without`.
    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet);
    /// Moves the values of a detached column to entities of the world, until a rule refuses a value; the error gives
    /// its slot in the column. With `check_only`, checks the rules and moves nothing.
    fn move_values(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        check_only: bool,
    ) -> Result<(), (u32, Refused)>;
    /// Returns the slots of a detached column that have a value.
    fn slots(&self, _column: &dyn Any) -> Vec<u64> {
        Vec::new()
    }
    /// Moves the values of a column from the file's slots to the slots that the world will give their entities, and checks that the
    /// component's rule accepts them there, together with the world's values. An error gives the file's slot or the new slot.
    fn moved(
        &self,
        _world: &mut W,
        column: Box<dyn Any>,
        _to: &dyn Fn(u32) -> Option<u32>,
        _entities: &Entities,
        _order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        Ok(column)
    }
    /// Inserts the values into the world, in the order of `slots`, which contains the slots of all new entities; then restores
    /// the state of the component's rule.
    fn insert_moved(&self, _world: &mut W, _column: Box<dyn Any>, _slots: &[u32], _order: &Order) {}
}

/// The place of a component's value.
pub(crate) enum ValuePlace<'p, W> {
    /// In a world, of a live entity.
    World(&'p mut W, Entity),
    /// At a slot of a detached column.
    Column(&'p mut dyn Any, u32),
}

/// Components that a saved world can list: serializable ones, and with `SKIP = true` all components.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or, if it is not to be saved, `#[component(skip)]`",
    note = "if `{Self}` is a type of a library with parameters, the types in `<..>` need the derives"
)]
pub trait SaveComponent<W: World, const SKIP: bool>: Sized + 'static {
    /// Passes the component to a visitor.
    #[doc(hidden)]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<Self>],
    ) -> V::Output;
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SaveComponent<W, false> for T {
    #[inline]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> V::Output {
        visitor.saved(aliases, olds)
    }
}

impl<W: Has<T>, T: Component> SaveComponent<W, true> for T {
    #[inline]
    fn visit<V: SavedVisitor<W>>(
        visitor: V,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> V::Output {
        visitor.skipped(aliases, olds)
    }
}

/// A function that is generic over a component of a saved world, to be called with one component of a number that is known at run
/// time. It may have type parameters of its own, for instance a format, which a method of a trait object cannot have.
pub trait SavedVisitor<W: World>: Sized {
    /// The result.
    type Output;
    /// Gets a component that is saved.
    fn saved<T: Component + Serialize + DeserializeOwned>(
        self,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> Self::Output
    where
        W: Has<T>;
    /// Gets a component that is skipped.
    fn skipped<T: Component>(self, aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Self::Output
    where
        W: Has<T>;
}

/// Makes the [`SavedComponent`] of a component.
pub(in crate::save) struct MakeEntry;

impl<W: World> SavedVisitor<W> for MakeEntry {
    type Output = Box<dyn SavedComponent<W>>;

    fn saved<T: Component + Serialize + DeserializeOwned>(
        self,
        aliases: &'static [&'static str],
        olds: &'static [Old<T>],
    ) -> Self::Output
    where
        W: Has<T>,
    {
        Box::new(SavedEntry { aliases, olds, index: <W as Has<T>>::INDEX })
    }

    fn skipped<T: Component>(self, aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Self::Output
    where
        W: Has<T>,
    {
        Box::new(SkippedEntry { of: SavedEntry { aliases, olds, index: <W as Has<T>>::INDEX } })
    }
}

/// Implements [`SavedComponent::fill`], for saved and for skipped components.
pub(in crate::save) fn fill<W: Has<T>, T: 'static>(world: &mut W, slot: u32, without: ComponentSet) {
    let entity = world.__living().at(slot as usize);
    W::Kind::fill(&mut RequiredInserter::without(world, entity, without));
}

/// Implements [`SavedComponent::move_values`], for saved and for skipped components.
fn move_values<W: Has<T>, T: 'static>(
    world: &mut W,
    column: &mut dyn Any,
    to: &dyn Fn(u32) -> Option<u32>,
    check_only: bool,
) -> Result<(), (u32, Refused)> {
    let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
    if check_only && !W::Kind::REFUSES {
        return Ok(());
    }
    let mut next = 0;
    // a column has the words of whole pages, and most of a prefab's are empty
    while let Some(from) = next_slot(column.all_masks(), next) {
        next = from + 1;
        let (Some(slot), Some(value)) = (to(from), column.get(from)) else { continue };
        let entity = world.__living().at(slot as usize);
        if let Some(refused) = world.refuse(Some(entity), value) {
            return Err((from, refused));
        }
        if !check_only && let Some(value) = column.remove(from) {
            drop(world.put(entity, value));
        }
    }
    Ok(())
}

/// The functions of the log of removed values of a component.
#[expect(clippy::type_complexity, reason = "each function is called once")]
struct SavedLog<W> {
    image: for<'w> fn(&'w W, &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>>,
    read: fn(&mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError>,
    read_bytes: fn(&[u8]) -> Result<Box<dyn Any>, Fault>,
    restore: fn(&mut W, Box<dyn Any>, &SystemPaths) -> Result<(), &'static str>,
}

/// The functions of the log of a component; `None` if its removed values are not logged. A function constant: see
/// `docs/compile-times.md`.
fn saved_log<W: Has<T>, T: Component + Serialize + DeserializeOwned>() -> Option<SavedLog<W>> {
    const {
        if W::Kind::LOGGED {
            Some(SavedLog {
                image: |world, paths| {
                    let removals = world.column::<T>().removals()?;
                    Some(Box::new(removals.image(paths)))
                },
                read: |file| Ok(Box::new(read_value::<LogImage<KeptValues<(Entity, T)>>>(file)?)),
                read_bytes: |bytes| Ok(Box::new(from_bytes::<LogImage<KeptValues<(Entity, T)>>>(bytes)?)),
                restore: |world, log, paths| {
                    let Ok(log) = log.downcast::<LogImage<KeptValues<(Entity, T)>>>() else { return Ok(()) };
                    match world.column_mut::<T>().log_mut() {
                        Some(removals) => removals.restore(*log, paths),
                        None => Ok(()),
                    }
                },
            })
        } else {
            None
        }
    }
}

/// The words of a column's bits with the bits of live entities, up to the last one that is not empty.
fn present(masks: &[u64], alive: &[u64]) -> Vec<u64> {
    let mut words: Vec<u64> = masks.iter().zip(alive).map(|(mask, alive)| mask & alive).collect();
    while words.last() == Some(&0) {
        words.pop();
    }
    words
}

/// The first slot from `slot` on that has a value.
fn next_slot(masks: &[u64], slot: u32) -> Option<u32> {
    let first = slot as usize / 64;
    let word = masks.get(first)? & !range(0, slot as usize % 64);
    if word != 0 {
        return Some((first * 64) as u32 + word.trailing_zeros());
    }
    let skipped = masks[first + 1..].iter().position(|&bits| bits != 0)?;
    let word = first + 1 + skipped;
    Some((word * 64) as u32 + masks[word].trailing_zeros())
}

/// The change ticks of the values of these slots, run-length encoded. A column has no stamps if it was loaded from a file without change
/// ticks: its values count as added when the world began.
fn stamp_runs(stamps: Option<&Stamps>, words: &[u64]) -> Vec<(u32, u64, u64)> {
    let mut runs: Vec<(u32, u64, u64)> = Vec::new();
    for (word, &bits) in words.iter().enumerate() {
        let of = stamps.and_then(|stamps| stamps.word(word));
        for bit in Bits(bits) {
            let (added, changed) = of.map_or((0, 0), |of| (of.added(bit), of.changed(bit)));
            let (added, changed) = (added.min(LATEST), changed.min(LATEST));
            match runs.last_mut() {
                Some((count, a, c)) if (*a, *c) == (added, changed) => *count += 1,
                _ => runs.push((1, added, changed)),
            }
        }
    }
    runs
}

/// Checks the change ticks of a file: `values` is the number of values that they are for, `tick` that of the file.
fn check_stamp_runs(runs: &[(u32, u64, u64)], values: usize, tick: u64) -> Result<(), String> {
    if runs.iter().any(|&(_, added, changed)| added > tick || changed > tick || added > changed) {
        return Err("a change tick is later than the tick of the file, or earlier than the tick at which its value was added".into());
    }
    let count: u64 = runs.iter().map(|&(count, ..)| u64::from(count)).sum();
    if count != 0 && count != values as u64 {
        return Err("the number of change ticks is not the number of values".into());
    }
    Ok(())
}

/// Restores the change ticks of values. A component that was not tracked when it was saved has no ticks: its values count as added when the
/// world began.
fn restore_stamp_runs(
    runs: &[(u32, u64, u64)],
    masks: &[u64],
    stamps: &mut Option<Box<Stamps>>,
) -> Result<(), String> {
    memory::charge(Stamps::bytes_for(masks.iter().copied())).map_err(|error| error.to_string())?;
    let mut ticks = runs
        .iter()
        .flat_map(|&(count, added, changed)| core::iter::repeat_n((added, changed), count as usize));
    for slot in Slots::new(masks) {
        let (added, changed) = ticks.next().unwrap_or((0, 0));
        stamps.get_or_insert_default().recall(slot, added, changed);
    }
    Ok(())
}

/// Checks that every slot with a value has a live entity, and notes the component in the blocks of the entities.
fn note_entities(masks: &[u64], entities: &Entities, component: usize) -> Result<(), (u32, String)> {
    for (word, &bits) in masks.iter().enumerate() {
        let alive = entities.alive().get(word).copied().unwrap_or(0);
        if bits & !alive != 0 {
            let slot = (word * 64) as u32 + (bits & !alive).trailing_zeros();
            return Err((slot, "the slot has no live entity".into()));
        }
        if bits != 0 {
            entities.note((word * 64) as u32, component);
        }
    }
    Ok(())
}

/// Casts a column that `SavedComponent::column` of the same component made.
fn known<T: 'static>(column: &dyn Any) -> Option<&Column<T>> {
    column.downcast_ref()
}

impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> SavedComponent<W> for SavedEntry<T> {
    fn present(&self, world: &W) -> Vec<u64> {
        present(world.column::<T>().all_masks(), world.__living().alive())
    }

    fn value<'w>(&self, world: &'w W, slot: u32) -> Option<&'w dyn ErasedSerialize> {
        world.column::<T>().get(slot).map(|value| value as &dyn ErasedSerialize)
    }

    fn write(
        &self,
        world: &W,
        words: &[u64],
        scratch: &mut Scratch,
        put: &mut PutBytes<'_>,
    ) -> Result<(), (String, String)> {
        column::write_component(world.column::<T>(), words, scratch, put).map_err(|(slot, fault)| {
            let place = slot
                .map_or_else(String::new, |slot| alloc::format!(" of entity {}", world.__living().at(slot)));
            (place, fault.to_string())
        })
    }

    fn has_finite_numbers(&self, world: &W, words: &[u64]) -> bool {
        let column = world.column::<T>();
        let mut finite = false;
        for slot in Slots::new(words) {
            match column.get(slot) {
                Some(value) if is_finite(value) => finite = true,
                _ => return false,
            }
        }
        finite
    }

    fn stamps(&self, world: &W, words: &[u64]) -> Vec<(u32, u64, u64)> {
        if W::Kind::TRACKED { stamp_runs(world.column::<T>().stamps(), words) } else { Vec::new() }
    }

    fn log<'w>(&self, world: &'w W, paths: &SystemPaths) -> Option<Box<dyn ErasedSerialize + 'w>> {
        (saved_log::<W, T>()?.image)(world, paths)
    }

    fn column(&self) -> Box<dyn Any + Send> {
        Box::new(Column::<T>::of_kind::<W::Kind>())
    }

    fn bytes_for(&self, slots: &[u64]) -> u64 {
        Column::<T>::SHAPE.bytes_for(slots)
    }

    fn read_one(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        file: &mut dyn ReadForm<'_>,
    ) -> Result<(), FormError> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        memory::charge_slots(column, slot, 1).map_err(serde::de::Error::custom)?;
        let value = self.value_of(old, file)?;
        drop(column.insert(slot, value));
        Ok(())
    }

    fn read(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => column::read(column, words, chunks, map, |reader| (old.read)(reader)),
            None => column::read(column, words, chunks, map, |reader| reader.value::<T>()),
        }
    }

    fn read_into(
        &self,
        world: &mut W,
        to: &[Entity],
        words: &[u64],
        chunks: &mut ValueChunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        for number in Slots::new(words) {
            let value = column::one(chunks, map, &mut |reader| reader.value::<T>());
            let value = value.map_err(|fault| (number, fault))?;
            if let Some(&entity) = to.get(number as usize) {
                drop(world.put(entity, value));
            }
        }
        Ok(())
    }

    fn read_over(&self, place: ValuePlace<'_, W>, mut reader: Reader<'_, '_>) -> Result<(), Fault> {
        let value = (ValueCode::<T>::OF.read)(&mut reader)?;
        reader.end()?;
        match place {
            ValuePlace::World(world, entity) => drop(world.put(entity, value)),
            ValuePlace::Column(column, slot) => {
                if let Some(column) = column.downcast_mut::<Column<T>>() {
                    drop(column.insert(slot, value));
                }
            }
        }
        Ok(())
    }

    fn set_stamps(&self, column: &mut dyn Any, stamps: &[(u32, u64, u64)], tick: u64) -> Result<(), String> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        check_stamp_runs(stamps, column.len(), tick)?;
        if !W::Kind::TRACKED {
            return Ok(());
        }
        let (masks, of) = column.stamps_mut();
        restore_stamp_runs(stamps, masks, of)
    }

    fn order(&self, world: &W) -> Order {
        world.column::<T>().order()
    }

    fn register(
        &self,
        column: &mut dyn Any,
        entities: &Entities,
        order: &Order,
    ) -> Result<(), (u32, String)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        note_entities(column.all_masks(), entities, self.index)?;
        if W::Kind::GUARDED {
            return column.load::<W::Kind>(ChangeContext::of_many(entities, self.index), order);
        }
        match order.first() {
            Some(&(slot, _)) => Err((slot, "the file has an order, but the component has no rule".into())),
            None => Ok(()),
        }
    }

    fn read_log(&self, file: &mut dyn ReadForm<'_>) -> Result<Box<dyn Any>, FormError> {
        match saved_log::<W, T>() {
            Some(log) => (log.read)(file),
            None => read_value::<IgnoredAny>(file).map(|_| Box::new(()) as Box<dyn Any>),
        }
    }

    fn read_log_bytes(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        saved_log::<W, T>().map_or_else(|| Ok(Box::new(()) as Box<dyn Any>), |log| (log.read_bytes)(bytes))
    }

    fn set_log(&self, world: &mut W, log: Box<dyn Any>, paths: &SystemPaths) -> Result<(), &'static str> {
        saved_log::<W, T>().map_or(Ok(()), |functions| (functions.restore)(world, log, paths))
    }

    fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        let mut bytes = Vec::new();
        let Some(column) = known::<T>(column) else { return Ok(bytes) };
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let written = column::write_component(column, words, &mut Scratch::default(), &mut put);
        written.map_err(|(slot, fault)| (slot, fault.to_string()))?;
        Ok(bytes)
    }

    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        fill::<W, T>(world, slot, without);
    }

    fn move_values(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        check_only: bool,
    ) -> Result<(), (u32, Refused)> {
        move_values::<W, T>(world, column, to, check_only)
    }

    fn value_in<'c>(&self, column: &'c dyn Any, slot: u32) -> Option<&'c dyn ErasedSerialize> {
        known::<T>(column)?.get(slot).map(|value| value as &dyn ErasedSerialize)
    }

    fn slots(&self, column: &dyn Any) -> Vec<u64> {
        known::<T>(column).map_or_else(Vec::new, |column| column.all_masks().to_vec())
    }

    fn moved(
        &self,
        world: &mut W,
        column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        entities: &Entities,
        order: &Order,
    ) -> Result<Box<dyn Any>, (u32, String)> {
        let mut moved = Box::new(Column::<T>::of_kind::<W::Kind>());
        let Ok(mut column) = column.downcast::<Column<T>>() else { return Ok(moved) };
        let words = column.all_masks().to_vec();
        for from in Slots::new(&words) {
            let Some(value) = column.remove(from) else { continue };
            let slot = to(from).ok_or_else(|| (from, "the slot has no live entity".to_string()))?;
            // charged twice: `moved` grows by this value now, and the column of the world when the value is inserted
            for _ in 0..2 {
                memory::charge_slots(&mut moved, slot, 1).map_err(|error| (slot, error.to_string()))?;
            }
            drop(moved.insert(slot, value));
        }
        if W::Kind::REFUSES {
            moved.load::<W::Kind>(ChangeContext::of_many(entities, self.index), order)?;
            let (here, entities) = world.column_and_entities::<T>();
            here.admit::<W::Kind>(entities, &moved)?;
        } else if let Some(&(slot, _)) = order.first() {
            return Err((slot, "the file has an order, but the component has no rule".into()));
        }
        Ok(moved)
    }

    fn insert_moved(&self, world: &mut W, column: Box<dyn Any>, slots: &[u32], order: &Order) {
        let Ok(mut column) = column.downcast::<Column<T>>() else { return };
        let mut put = |slot: u32, value| {
            drop(world.put(world.__living().at(slot as usize), value));
        };
        if W::Kind::GUARDED {
            // the rule depends on the order of insertion: insert in the order of `slots`
            for &slot in slots {
                if let Some(value) = column.remove(slot) {
                    put(slot, value);
                }
            }
        } else {
            let words = column.all_masks().to_vec();
            for slot in Slots::new(&words) {
                if let Some(value) = column.remove(slot) {
                    put(slot, value);
                }
            }
        }
        // this cannot fail: `moved` has checked the order
        let _ = arrange::<W, T>(world, order);
    }
}

/// Maps the slots in a rule's saved order with `to`. Slots that `to` does not map are dropped.
pub(in crate::save) fn mapped(order: &Order, to: &dyn Fn(u32) -> Option<u32>) -> Order {
    let of = |(slot, slots): &(u32, Vec<u32>)| {
        Some((to(*slot)?, slots.iter().filter_map(|&slot| to(slot)).collect()))
    };
    order.iter().filter_map(of).collect()
}

/// Restores the saved order of a component's rule.
fn arrange<W: Has<T>, T: 'static>(world: &mut W, order: &Order) -> Result<(), (u32, String)> {
    if order.is_empty() {
        return Ok(());
    }
    let (column, entities) = world.column_and_entities::<T>();
    column.arrange(entities, order)
}

impl<T: Serialize + DeserializeOwned + 'static> SavedEntry<T> {
    fn value_of(&self, old: Option<usize>, file: &mut dyn ReadForm<'_>) -> Result<T, FormError> {
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => (old.code)(file),
            None => (ValueCode::<T>::OF.load)(file),
        }
    }
}

impl<W: Has<T>, T: Component> SavedComponent<W> for SkippedEntry<T> {
    fn column(&self) -> Box<dyn Any + Send> {
        Box::new(Column::<T>::of_kind::<W::Kind>())
    }

    fn bytes_for(&self, slots: &[u64]) -> u64 {
        Column::<T>::SHAPE.bytes_for(slots)
    }

    fn fill(&self, world: &mut W, slot: u32, without: ComponentSet) {
        fill::<W, T>(world, slot, without);
    }

    fn move_values(
        &self,
        world: &mut W,
        column: &mut dyn Any,
        to: &dyn Fn(u32) -> Option<u32>,
        check_only: bool,
    ) -> Result<(), (u32, Refused)> {
        move_values::<W, T>(world, column, to, check_only)
    }
}
