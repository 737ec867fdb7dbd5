//! What `world!` tells of each component, resource and event of a world that is saved: one value behind a trait, so that
//! what saves and loads is compiled once for a world, and not once for each type in it.
//!
//! Skipped or not, renamed or not is said by derives, on the types; [`Marks`] finds it out.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::marker::PhantomData;

use erased_serde::Serialize as Erased;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::column::{self, Chunks, Put};
use super::compact::read::{MapId, Reader};
use super::compact::write::to_vec;
use super::compact::{Fault, read};
use super::image::{EventsImage, Keys, LogImage};
use super::layout::Layout;
use super::state::Code;
use crate::component::guard::{Order, Site};
use crate::component::requires::{Filler, Kind};
use crate::component::{Component, ComponentKind, Has};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::event::{Event, Events, HasEvent};
use crate::resource::{HasResource, Resource};
use crate::storage::column::Column;
use crate::storage::mask::Bits;
use crate::world::{World, WorldCell};

/// What is not saved: `#[component(skip)]` and its like.
pub trait Skipped {}

/// What had other names: `#[component(alias = "Old")]`.
pub trait Renamed {
    /// The names.
    const ALIASES: &'static [&'static str];
}

/// What was of another type: `#[component(from = Old)]`.
pub trait Migrates: Sized + 'static {
    /// The types.
    const OLDS: &'static [Old<Self>];
}

/// How a component is made of an older type.
pub struct Old<T> {
    layout: fn() -> Layout,
    code: fn(&mut dyn erased_serde::Deserializer<'_>) -> Result<T, erased_serde::Error>,
    read: for<'r, 'de, 'm> fn(&'r mut Reader<'de, 'm>) -> Result<T, Fault>,
}

impl<T> Old<T> {
    /// Of the type `O`.
    pub const fn of<O: DeserializeOwned>() -> Self
    where
        T: From<O>,
    {
        Self {
            layout: Layout::of::<O>,
            code: |file| erased_serde::deserialize::<O>(file).map(T::from),
            read: |reader| reader.value::<O>().map(T::from),
        }
    }
}

/// What derives say of `T`: a constant of this name is there if it does, and else that of [`Unmarked`].
pub struct Marks<T>(PhantomData<T>);

/// What holds where a derive says nothing.
pub trait Unmarked {
    /// The type.
    type Of: 'static;
    /// Whether it is skipped.
    const SKIP: bool = false;
    /// Its other names.
    const ALIASES: &'static [&'static str] = &[];
    /// Its older types.
    const OLDS: &'static [Old<Self::Of>] = &[];
    /// Its default, if it has one.
    const DEFAULT: Option<fn() -> Self::Of> = None;
}

impl<T: 'static> Unmarked for Marks<T> {
    type Of = T;
}

impl<T: Skipped> Marks<T> {
    #[allow(missing_docs)]
    pub const SKIP: bool = true;
}

impl<T: Renamed> Marks<T> {
    #[allow(missing_docs)]
    pub const ALIASES: &'static [&'static str] = T::ALIASES;
}

impl<T: Migrates> Marks<T> {
    #[allow(missing_docs)]
    pub const OLDS: &'static [Old<T>] = T::OLDS;
}

impl<T: Default> Marks<T> {
    #[allow(missing_docs)]
    pub const DEFAULT: Option<fn() -> T> = Some(T::default);
}

/// What is known of an entry of any section.
pub trait Entry {
    /// The place in its section.
    fn index(&self) -> usize;
    /// Other names that files may have for it.
    fn aliases(&self) -> &'static [&'static str];
    /// What its values consist of; nothing if it is not saved.
    fn layout(&self) -> Option<Layout>;
    /// What its older types consist of.
    fn olds(&self) -> Vec<Layout> {
        Vec::new()
    }
}

/// A component of a world.
pub trait Stored<W: World>: Entry {
    /// For each word of slots, which have a value and live.
    fn present(&self, world: &W) -> Vec<u64>;
    /// A value, to be written by a name of its own.
    fn value<'w>(&self, world: &'w W, slot: u32) -> Option<&'w dyn Erased>;
    /// The values, in bulk.
    fn write(&self, world: &W, words: &[u64], put: &mut Put<'_>) -> Result<(), (String, String)>;
    /// For runs of slots in which they are the same: how many values, when they were added, when they were changed.
    fn stamps(&self, world: &W, words: &[u64]) -> Vec<(u32, u64, u64)>;
    /// The removed values that are kept.
    fn log<'w>(&self, world: &'w W, keys: &Keys) -> Option<Box<dyn Erased + 'w>>;
    /// A column without values.
    fn column(&self) -> Box<dyn Any>;
    /// Reads one value of the older type `old`, or of its own.
    fn read_one(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), erased_serde::Error>;
    /// Reads values in bulk.
    fn read(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        words: &[u64],
        chunks: &mut Chunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)>;
    /// Takes on the stamps; an error if they are not as many as there are values, or later than `tick`.
    fn set_stamps(
        &self,
        column: &mut dyn Any,
        stamps: &[(u32, u64, u64)],
        tick: u64,
    ) -> Result<(), &'static str>;
    /// What rules remember that the values do not tell.
    fn order(&self, world: &W) -> Order;
    /// Looks whether all who have a value live and may have it, and notes it. An error names the slot.
    fn settle(&self, column: &mut dyn Any, entities: &Entities, order: &Order) -> Result<(), (u32, String)>;
    /// Reads removed values.
    fn read_log(
        &self,
        old: Option<usize>,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error>;
    /// Takes them on.
    fn set_log(&self, world: &mut W, log: Box<dyn Any>, keys: &Keys) -> Result<(), &'static str>;
    /// The values of a column that was read, in bulk. An error names the slot.
    fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)>;
    /// Adds what the component requires to who has it.
    fn fill(&self, world: &mut W, slot: u32);
    /// Which slots of a column that was read have a value.
    fn slots(&self, column: &dyn Any) -> Vec<u64>;
    /// Moves the values to entities of a world, unless a rule refuses one.
    fn merge(
        &self,
        world: &mut W,
        column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        order: &Order,
    ) -> Result<(), String>;
}

/// A resource of a world.
pub trait Owned<W: World>: Entry {
    /// The value.
    fn value<'w>(&self, world: &'w W) -> &'w dyn Erased;
    /// The value, in bytes.
    fn write(&self, world: &W) -> Result<Vec<u8>, Fault>;
    /// Reads a value.
    fn read_one(
        &self,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error>;
    /// Reads a value from bytes.
    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault>;
}

/// An event of a world.
pub trait Queued<W: World>: Entry {
    /// The queue.
    fn value<'w>(&self, world: &'w W, keys: &Keys) -> Box<dyn Erased + 'w>;
    /// The queue, in bytes.
    fn write(&self, world: &W, keys: &Keys) -> Result<Vec<u8>, Fault>;
    /// Reads a queue.
    fn read_one(
        &self,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error>;
    /// Reads a queue from bytes.
    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault>;
    /// Takes it on.
    fn set(&self, world: &mut W, queue: Box<dyn Any>, keys: &Keys) -> Result<(), &'static str>;
}

/// A component that a world can save, or, if it is skipped, any.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or, if it is not to be saved, `#[component(skip)]`"
)]
pub trait Storable<W: World, const SKIP: bool>: Sized + 'static {
    #[doc(hidden)]
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<Self>]) -> Box<dyn Stored<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> Storable<W, false> for T {
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Box<dyn Stored<W>> {
        Box::new(Whole { aliases, olds, index: <W as Has<T>>::INDEX })
    }
}

impl<W: Has<T>, T: Component> Storable<W, true> for T {
    fn entry(aliases: &'static [&'static str], olds: &'static [Old<T>]) -> Box<dyn Stored<W>> {
        Box::new(Nothing { of: Whole { aliases, olds, index: <W as Has<T>>::INDEX } })
    }
}

/// A resource that a world can save, or, if it is skipped, any.
#[diagnostic::on_unimplemented(
    message = "resource `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or, if it is not to be saved, `#[resource(skip)]`"
)]
pub trait Ownable<W: World, const SKIP: bool>: Sized + 'static {
    #[doc(hidden)]
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Owned<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasResource<T>, T: Resource + Serialize + DeserializeOwned> Ownable<W, false> for T {
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Owned<W>> {
        Box::new(Whole { aliases, olds: &[] as &[Old<T>], index: <W as HasResource<T>>::INDEX })
    }
}

impl<W: HasResource<T>, T: Resource> Ownable<W, true> for T {
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Owned<W>> {
        Box::new(Nothing {
            of: Whole { aliases, olds: &[] as &[Old<T>], index: <W as HasResource<T>>::INDEX },
        })
    }
}

/// An event that a world can save, or, if it is skipped, any.
#[diagnostic::on_unimplemented(
    message = "event `{Self}` of world `{W}`, which is saved, cannot be saved: it needs `Serialize` and `Deserialize`",
    label = "not `Serialize` and `Deserialize`",
    note = "add `#[derive(Serialize, Deserialize)]` to `{Self}`, or, if it is not to be saved, `#[event(skip)]`"
)]
pub trait Queueable<W: World, const SKIP: bool>: Sized + 'static {
    #[doc(hidden)]
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Queued<W>>;
}

#[diagnostic::do_not_recommend]
impl<W: HasEvent<T>, T: Event + Serialize + DeserializeOwned> Queueable<W, false> for T {
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Queued<W>> {
        Box::new(Whole { aliases, olds: &[] as &[Old<T>], index: <W as HasEvent<T>>::INDEX })
    }
}

impl<W: HasEvent<T>, T: Event> Queueable<W, true> for T {
    fn entry(aliases: &'static [&'static str]) -> Box<dyn Queued<W>> {
        Box::new(Nothing { of: Whole { aliases, olds: &[] as &[Old<T>], index: <W as HasEvent<T>>::INDEX } })
    }
}

/// A type all of which is saved.
struct Whole<T: 'static> {
    index: usize,
    aliases: &'static [&'static str],
    olds: &'static [Old<T>],
}

/// A type of which nothing is saved.
struct Nothing<T: 'static> {
    of: Whole<T>,
}

impl<T: Serialize + DeserializeOwned + 'static> Entry for Whole<T> {
    fn index(&self) -> usize {
        self.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.aliases
    }

    fn layout(&self) -> Option<Layout> {
        Some(Layout::of::<T>())
    }

    fn olds(&self) -> Vec<Layout> {
        self.olds.iter().map(|old| (old.layout)()).collect()
    }
}

impl<T: 'static> Entry for Nothing<T> {
    fn index(&self) -> usize {
        self.of.index
    }

    fn aliases(&self) -> &'static [&'static str] {
        self.of.aliases
    }

    fn layout(&self) -> Option<Layout> {
        None
    }
}

/// The column of `T`, shared.
fn column_of<W: Has<T>, T: 'static>(world: &W) -> &Column<T> {
    #[expect(unsafe_code, reason = "the world is borrowed shared")]
    // SAFETY: the world is borrowed shared for as long as the column is.
    unsafe {
        WorldCell::shared(world).column::<T>()
    }
}

/// The column of `T`, mutable.
fn column_mut_of<W: Has<T>, T: 'static>(world: &mut W) -> &mut Column<T> {
    #[expect(unsafe_code, reason = "the world is borrowed mutably")]
    // SAFETY: the world is borrowed mutably for as long as the column is.
    unsafe {
        WorldCell::new(world).column_mut::<T>()
    }
}

/// A column that was made for this entry.
fn known<T: 'static>(column: &dyn Any) -> Option<&Column<T>> {
    column.downcast_ref()
}

impl<W: Has<T>, T: Component + Serialize + DeserializeOwned> Stored<W> for Whole<T> {
    fn present(&self, world: &W) -> Vec<u64> {
        let (column, alive) = (column_of::<W, T>(world), world.__living().alive());
        let mut words: Vec<u64> =
            alive.iter().enumerate().map(|(word, alive)| alive & column.word(word)).collect();
        while words.last() == Some(&0) {
            words.pop();
        }
        words
    }

    fn value<'w>(&self, world: &'w W, slot: u32) -> Option<&'w dyn Erased> {
        column_of::<W, T>(world).get(slot).map(|value| value as &dyn Erased)
    }

    fn write(&self, world: &W, words: &[u64], put: &mut Put<'_>) -> Result<(), (String, String)> {
        column::write(column_of::<W, T>(world), words, put).map_err(|(slot, fault)| {
            let place = slot
                .map_or_else(String::new, |slot| alloc::format!(" of entity {}", world.__living().at(slot)));
            (place, fault.to_string())
        })
    }

    fn stamps(&self, world: &W, words: &[u64]) -> Vec<(u32, u64, u64)> {
        let mut runs: Vec<(u32, u64, u64)> = Vec::new();
        let Some(stamps) = column_of::<W, T>(world).stamps() else { return runs };
        for (word, &bits) in words.iter().enumerate() {
            let of = stamps.word(word);
            for bit in Bits(bits) {
                let (added, changed) = of.map_or((0, 0), |of| (of.added(bit), of.changed(bit)));
                match runs.last_mut() {
                    Some((count, a, c)) if (*a, *c) == (added, changed) => *count += 1,
                    _ => runs.push((1, added, changed)),
                }
            }
        }
        runs
    }

    fn log<'w>(&self, world: &'w W, keys: &Keys) -> Option<Box<dyn Erased + 'w>> {
        let removals = column_of::<W, T>(world).removals()?;
        Some(Box::new(removals.image(keys)))
    }

    fn column(&self) -> Box<dyn Any> {
        Box::new(Column::<T>::new())
    }

    fn read_one(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        slot: u32,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), erased_serde::Error> {
        let value = self.value_of(old, file)?;
        if let Some(column) = column.downcast_mut::<Column<T>>() {
            drop(column.insert(slot, value));
        }
        Ok(())
    }

    fn read(
        &self,
        old: Option<usize>,
        column: &mut dyn Any,
        words: &[u64],
        chunks: &mut Chunks<'_>,
        map: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => column::read(column, words, chunks, map, |reader| (old.read)(reader)),
            None => column::read(column, words, chunks, map, |reader| reader.value::<T>()),
        }
    }

    fn set_stamps(
        &self,
        column: &mut dyn Any,
        stamps: &[(u32, u64, u64)],
        tick: u64,
    ) -> Result<(), &'static str> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        let runs = stamps
            .iter()
            .flat_map(|&(count, added, changed)| core::iter::repeat_n((added, changed), count as usize));
        if stamps.iter().any(|&(_, added, changed)| added > tick || changed > tick || added > changed) {
            return Err("a value was changed in the future, or before it was added");
        }
        let count: u64 = stamps.iter().map(|&(count, ..)| u64::from(count)).sum();
        if count != 0 && count != column.len() as u64 {
            return Err("there are not as many stamps as values");
        }
        if !W::Kind::TRACKED {
            return Ok(());
        }
        let mut runs = runs;
        for word in 0..column.words() {
            for bit in Bits(column.word(word)) {
                // what was not tracked when it was saved is as old as the world
                let (added, changed) = runs.next().unwrap_or((0, 0));
                column.restore_stamps((word * 64 + bit) as u32, added, changed);
            }
        }
        Ok(())
    }

    fn order(&self, world: &W) -> Order {
        column_of::<W, T>(world).order()
    }

    fn settle(&self, column: &mut dyn Any, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        for word in 0..column.words() {
            let (bits, alive) = (column.word(word), entities.alive().get(word).copied().unwrap_or(0));
            if bits & !alive != 0 {
                let slot = (word * 64) as u32 + (bits & !alive).trailing_zeros();
                return Err((slot, "nobody lives there".into()));
            }
            if bits != 0 {
                entities.note((word * 64) as u32, self.index);
            }
        }
        if W::Kind::GUARDED {
            let site = Site { entity: entities.at(0), entities, index: self.index, tick: entities.tick() };
            return column.load::<W::Kind>(site, order);
        }
        match order.first() {
            Some(&(slot, _)) => Err((slot, "it has no order".into())),
            None => Ok(()),
        }
    }

    fn read_log(
        &self,
        old: Option<usize>,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        if old.is_some() {
            // what was removed and not read is of a type that nobody reads any more
            return Ok(Box::new(()));
        }
        Ok(Box::new(erased_serde::deserialize::<LogImage<Vec<(Entity, T)>>>(file)?))
    }

    fn set_log(&self, world: &mut W, log: Box<dyn Any>, keys: &Keys) -> Result<(), &'static str> {
        let Ok(log) = log.downcast::<LogImage<Vec<(Entity, T)>>>() else { return Ok(()) };
        match column_mut_of::<W, T>(world).log_mut() {
            Some(removals) => removals.restore(*log, keys),
            None => Ok(()),
        }
    }

    fn bytes(&self, column: &dyn Any, words: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        let mut bytes = Vec::new();
        let Some(column) = known::<T>(column) else { return Ok(bytes) };
        let mut put = |more: &[u8]| {
            bytes.extend_from_slice(more);
            Ok(())
        };
        let written = column::write(column, words, &mut put);
        written.map_err(|(slot, fault)| (slot, fault.to_string()))?;
        Ok(bytes)
    }

    fn fill(&self, world: &mut W, slot: u32) {
        let cell = WorldCell::new(world);
        let entity = cell.entities().at(slot as usize);
        W::Kind::fill(&mut Filler::new(cell, entity));
    }

    fn slots(&self, column: &dyn Any) -> Vec<u64> {
        known::<T>(column)
            .map_or_else(Vec::new, |column| (0..column.words()).map(|word| column.word(word)).collect())
    }

    fn merge(
        &self,
        world: &mut W,
        mut column: Box<dyn Any>,
        to: &dyn Fn(u32) -> Option<u32>,
        order: &Order,
    ) -> Result<(), String> {
        let Some(column) = column.downcast_mut::<Column<T>>() else { return Ok(()) };
        for word in 0..column.words() {
            for bit in Bits(column.word(word)) {
                let from = (word * 64 + bit) as u32;
                if let (Some(slot), Some(value)) = (to(from), column.remove(from)) {
                    let cell = WorldCell::new(world);
                    let entity = cell.entities().at(slot as usize);
                    if let Some(refused) = cell.refuse(Some(entity), &value) {
                        return Err(refused.to_string());
                    }
                    drop(cell.put(slot, value));
                }
            }
        }
        if order.is_empty() {
            return Ok(());
        }
        let mapped = order
            .iter()
            .map(|(slot, slots)| Some((to(*slot)?, slots.iter().filter_map(|&slot| to(slot)).collect())));
        let mapped: Option<Order> = mapped.collect();
        let entities = world.__living().clone();
        let arranged = column_mut_of::<W, T>(world).arrange(&entities, &mapped.unwrap_or_default());
        arranged.map_err(|(slot, reason)| alloc::format!("entity {}: {reason}", entities.at(slot as usize)))
    }
}

impl<T: Serialize + DeserializeOwned + 'static> Whole<T> {
    fn value_of(
        &self,
        old: Option<usize>,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<T, erased_serde::Error> {
        match old.and_then(|old| self.olds.get(old)) {
            Some(old) => (old.code)(file),
            None => (Code::<T>::OF.load)(file),
        }
    }
}

/// A skipped component has no values in a file.
impl<W: Has<T>, T: Component> Stored<W> for Nothing<T> {
    fn present(&self, _: &W) -> Vec<u64> {
        Vec::new()
    }

    fn value<'w>(&self, _: &'w W, _: u32) -> Option<&'w dyn Erased> {
        None
    }

    fn write(&self, _: &W, _: &[u64], _: &mut Put<'_>) -> Result<(), (String, String)> {
        Ok(())
    }

    fn stamps(&self, _: &W, _: &[u64]) -> Vec<(u32, u64, u64)> {
        Vec::new()
    }

    fn log<'w>(&self, _: &'w W, _: &Keys) -> Option<Box<dyn Erased + 'w>> {
        None
    }

    fn column(&self) -> Box<dyn Any> {
        Box::new(Column::<T>::new())
    }

    fn read_one(
        &self,
        _: Option<usize>,
        _: &mut dyn Any,
        _: u32,
        _: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<(), erased_serde::Error> {
        Ok(())
    }

    fn read(
        &self,
        _: Option<usize>,
        _: &mut dyn Any,
        _: &[u64],
        _: &mut Chunks<'_>,
        _: Option<MapId<'_>>,
    ) -> Result<(), (u32, Fault)> {
        Ok(())
    }

    fn set_stamps(&self, _: &mut dyn Any, _: &[(u32, u64, u64)], _: u64) -> Result<(), &'static str> {
        Ok(())
    }

    fn order(&self, _: &W) -> Order {
        Order::new()
    }

    fn settle(&self, _: &mut dyn Any, _: &Entities, _: &Order) -> Result<(), (u32, String)> {
        Ok(())
    }

    fn read_log(
        &self,
        _: Option<usize>,
        _: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new(()))
    }

    fn set_log(&self, _: &mut W, _: Box<dyn Any>, _: &Keys) -> Result<(), &'static str> {
        Ok(())
    }

    fn bytes(&self, _: &dyn Any, _: &[u64]) -> Result<Vec<u8>, (Option<usize>, String)> {
        Ok(Vec::new())
    }

    fn fill(&self, _: &mut W, _: u32) {}

    fn slots(&self, _: &dyn Any) -> Vec<u64> {
        Vec::new()
    }

    fn merge(
        &self,
        _: &mut W,
        _: Box<dyn Any>,
        _: &dyn Fn(u32) -> Option<u32>,
        _: &Order,
    ) -> Result<(), String> {
        Ok(())
    }
}

impl<W: HasResource<T>, T: Resource + Serialize + DeserializeOwned> Owned<W> for Whole<T> {
    fn value<'w>(&self, world: &'w W) -> &'w dyn Erased {
        world.resource::<T>()
    }

    fn write(&self, world: &W) -> Result<Vec<u8>, Fault> {
        to_vec(world.resource::<T>())
    }

    fn read_one(
        &self,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new((Code::<T>::OF.load)(file)?))
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(read::from_bytes::<T>(bytes)?))
    }
}

impl<W: HasResource<T>, T: Resource> Owned<W> for Nothing<T> {
    fn value<'w>(&self, _: &'w W) -> &'w dyn Erased {
        &()
    }

    fn write(&self, _: &W) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    fn read_one(
        &self,
        _: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new(()))
    }

    fn read(&self, _: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }
}

/// The events of a type, shared.
fn events_of<W: HasEvent<E>, E: 'static>(world: &W) -> &Events<E> {
    #[expect(unsafe_code, reason = "the world is borrowed shared")]
    // SAFETY: the world is borrowed shared for as long as the events are.
    unsafe {
        &*WorldCell::shared(world).events_ptr::<E>()
    }
}

impl<W: HasEvent<E>, E: Event + Serialize + DeserializeOwned> Queued<W> for Whole<E> {
    fn value<'w>(&self, world: &'w W, keys: &Keys) -> Box<dyn Erased + 'w> {
        Box::new(events_of::<W, E>(world).image(keys))
    }

    fn write(&self, world: &W, keys: &Keys) -> Result<Vec<u8>, Fault> {
        to_vec(&events_of::<W, E>(world).image(keys))
    }

    fn read_one(
        &self,
        file: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new(erased_serde::deserialize::<EventsImage<Vec<E>>>(file)?))
    }

    fn read(&self, bytes: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(read::from_bytes::<EventsImage<Vec<E>>>(bytes)?))
    }

    fn set(&self, world: &mut W, queue: Box<dyn Any>, keys: &Keys) -> Result<(), &'static str> {
        let Ok(queue) = queue.downcast::<EventsImage<Vec<E>>>() else { return Ok(()) };
        #[expect(unsafe_code, reason = "the world is borrowed mutably")]
        // SAFETY: the world is borrowed mutably.
        unsafe { &mut *WorldCell::new(world).events_ptr::<E>() }.restore(*queue, keys)
    }
}

impl<W: HasEvent<E>, E: Event> Queued<W> for Nothing<E> {
    fn value<'w>(&self, _: &'w W, _: &Keys) -> Box<dyn Erased + 'w> {
        Box::new(())
    }

    fn write(&self, _: &W, _: &Keys) -> Result<Vec<u8>, Fault> {
        Ok(Vec::new())
    }

    fn read_one(
        &self,
        _: &mut dyn erased_serde::Deserializer<'_>,
    ) -> Result<Box<dyn Any>, erased_serde::Error> {
        Ok(Box::new(()))
    }

    fn read(&self, _: &[u8]) -> Result<Box<dyn Any>, Fault> {
        Ok(Box::new(()))
    }

    fn set(&self, _: &mut W, _: Box<dyn Any>, _: &Keys) -> Result<(), &'static str> {
        Ok(())
    }
}
