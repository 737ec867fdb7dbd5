//! [`Draft`]: the content of a file while a world is loaded, and the checks that make a world of
//! it.
//!
//! Both forms of a file are read into a `Draft`. A world is made only after all checks of the
//! content have passed.

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use core::any::{Any, TypeId};
use core::fmt;
use core::marker::PhantomData;

use serde::{Deserialize, Serialize};

use super::any_world::AnyWorld;
use super::entry::{SavedComponent, SavedFunctions, ValueKind};
use super::error::LoadError;
use super::sections::{Sections, ValueSection, find, short};
use crate::base::component_set::ComponentSet;
use crate::base::mask::Bits;
use crate::base::place::Place;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::reserved_slots::ReservedSlots;
use crate::entity::saved::image::Image;
use crate::error::Reason;
use crate::persist::memory;
use crate::persist::state::{LoadContext, SavedState};
use crate::resource::HasResource;
use crate::storage::column::Column;
use crate::storage::erased_column::ErasedColumn;
use crate::storage::rule_state::Order;

/// Options of loading and merging: what happens to unknown data, resources that are not in the
/// file, and the memory that the file may take.
pub struct LoadOptions<W> {
    pub(super) any: AnyLoadOptions,
    world: PhantomData<fn() -> W>,
}

/// The [`LoadOptions`] of a world whose type is not known.
#[derive(Default)]
pub(super) struct AnyLoadOptions {
    pub(super) drop_unknown: bool,
    pub(super) memory: Option<u64>,
    given: BTreeMap<TypeId, Box<dyn Any>>,
}

impl<W> LoadOptions<W> {
    /// The options of [`Saved::load`](super::Saved::load): unknown data is an error, the memory
    /// limit is the default, and no resources are given.
    #[must_use]
    pub fn new() -> Self {
        Self { any: AnyLoadOptions::default(), world: PhantomData }
    }

    /// Ignores components, resources and events that the world does not have, and the saved state
    /// of systems whose parameters have changed.
    #[must_use]
    pub fn drop_unknown(mut self) -> Self {
        self.any.drop_unknown = true;
        self
    }

    /// Limits the memory that loading the file may take, in bytes. A short untrusted file may
    /// describe a very large world. The default limit is 64 MiB, and 64 bytes more for each byte of
    /// the file.
    ///
    /// The limit counts columns, entities, change ticks, required components that the file lacks,
    /// and elements of sequences in values, if the elements are much larger than their bytes in the
    /// file.
    ///
    /// The limit does not count:
    /// - in the human-readable form, elements of sequences in values (a `Vec<[u8; 4096]>` whose
    ///   elements are written as `[0]`, or as `null`, takes 4 KiB for each of them);
    /// - in both forms, memory that a `Deserialize` allocates itself, for instance a buffer of a
    ///   length that it read;
    /// - memory that a `Deserialize` takes on another thread, because the limit belongs to the
    ///   loading thread.
    ///
    /// The default limit of the human-readable form grows with the names that were read, because
    /// the length of the file is not known.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::LoadOptions;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// A few bytes in a file, and a megabyte for 64 entities.
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Terrain { seed: u32, #[serde(skip, default = "flat")] heights: [u64; 2048] }
    /// fn flat() -> [u64; 2048] { [0; 2048] }
    ///
    /// world! {
    ///     #[derive(Serialize, Deserialize)]
    ///     struct Game { components { Terrain } }
    /// }
    ///
    /// let mut game = Game::new();
    /// game.spawn(Terrain { seed: 7, heights: flat() });
    /// let bytes = game.to_bytes()?;
    /// let small = Game::load_with(&bytes, LoadOptions::new().memory(100_000));
    /// assert!(small.unwrap_err().to_string().contains("too much memory"));
    /// assert!(Game::load_with(&bytes, LoadOptions::new().memory(2_000_000)).is_ok());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.any.memory = Some(bytes);
        self
    }

    /// Gives the loaded world this resource, whether or not the file has one. For resources without
    /// a default that are skipped or that older files lack.
    #[must_use]
    pub fn resource<R: 'static>(mut self, resource: R) -> Self
    where
        W: HasResource<R>,
    {
        self.any.given.insert(TypeId::of::<R>(), Box::new(resource));
        self
    }
}

impl<W> Default for LoadOptions<W> {
    fn default() -> Self {
        Self::new()
    }
}

impl<W> fmt::Debug for LoadOptions<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadOptions")
            .field("drop_unknown", &self.any.drop_unknown)
            .field("memory", &self.any.memory)
            .finish_non_exhaustive()
    }
}

/// The description of a component in a file: its name, its layout and the change ticks of its
/// values.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ComponentImage {
    pub(super) name: String,
    /// The layout; empty if the component is not saved.
    pub(super) layout: String,
    #[serde(default)]
    pub(super) stamps: Vec<(u32, u64, u64)>,
    /// Whether all numbers of the values are finite, in the human-readable form.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub(super) finite: bool,
    /// The state of the component's rule that cannot be derived from the values, for instance the
    /// order of a target's sources.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) order: Order,
}

/// Reads the parts of a system's state from a file. Returns `false` if the saved state was ignored.
pub(super) type Load<'l> = dyn FnMut(Vec<&mut dyn SavedState>, &LoadContext<'_>) -> Result<bool, String> + 'l;

/// The position of a component in `Sections::components`, and the position of the older type that
/// its values have in the file.
pub(super) type FoundType = (usize, Option<usize>);

/// Entities that need required components that the file lacks.
pub(super) struct Lacking {
    /// The components of the file. They are not added, because their absence in the file is
    /// intended.
    without: ComponentSet,
    /// Positions of components that require components beyond `without`, each with the slots that
    /// have it.
    holders: Vec<(usize, Vec<u64>)>,
}

/// The content of a file while a world is loaded or merged.
pub struct Draft<'o> {
    pub(super) sections: Arc<Sections>,
    options: &'o mut AnyLoadOptions,
    /// The components of the file, in its order.
    pub(super) table: Vec<Option<FoundType>>,
    /// The components whose values are in the file, by index. If an entity lacks one of them in the
    /// file, it has none in the world.
    has: ComponentSet,
    /// For each component of the file, the error to return if an entity has it, if it cannot be
    /// read.
    pub(super) refused: Vec<Option<LoadError>>,
    pub(super) stamps: Vec<Vec<(u32, u64, u64)>>,
    pub(super) orders: Vec<Order>,
    /// Whether all numbers of a component's values are finite, by position in
    /// `sections.components`.
    pub(super) finite: Vec<bool>,
    pub(super) entities: Option<Entities>,
    pub(super) slots: usize,
    /// The columns, by position in `sections.components`; likewise the logs.
    pub(super) columns: Vec<Option<Box<dyn Any>>>,
    pub(super) logs: Vec<Option<Box<dyn Any>>>,
    /// The resources and the queues of events, by position in the section of their kind.
    values: [Vec<Option<Box<dyn Any>>>; 2],
}

impl<'o> Draft<'o> {
    pub(super) fn new(sections: Arc<Sections>, options: &'o mut AnyLoadOptions) -> Self {
        let none = |count: usize| core::iter::repeat_with(|| None).take(count).collect::<Vec<_>>();
        Self {
            options,
            table: Vec::new(),
            has: ComponentSet::EMPTY,
            refused: Vec::new(),
            stamps: Vec::new(),
            orders: Vec::new(),
            finite: vec![false; sections.components.len()],
            entities: None,
            slots: 0,
            columns: none(sections.components.len()),
            logs: none(sections.components.len()),
            values: sections.values.each_ref().map(|section| none(section.entries.len())),
            sections,
        }
    }

    /// Makes an allocator of the world without entities.
    pub(super) fn new_entities(&self) -> Entities {
        (self.sections.new_entities)()
    }

    pub(super) fn drop_unknown(&self) -> bool {
        self.options.drop_unknown
    }

    pub(super) fn invalid(&self, place: impl fmt::Display, reason: impl fmt::Display) -> LoadError {
        self.sections.invalid(place, reason)
    }

    /// Finds the position of the component that has this name. Its layout is not compared.
    pub(super) fn component(&self, name: &str) -> Result<Option<usize>, LoadError> {
        let Sections { components, component_names, world, .. } = &*self.sections;
        let entries = components.iter().map(|entry| (entry.name, entry.aliases));
        find("component", name, entries, component_names, world, self.drop_unknown())
    }

    /// Finds the position, the present name and the functions of the resource or event that has this
    /// name, if it is saved.
    pub(super) fn value(
        &self,
        kind: ValueKind,
        name: &str,
    ) -> Result<Option<(usize, &'static str, &'static SavedFunctions)>, LoadError> {
        let ValueSection { entries, names } = self.sections.values(kind);
        let listed = entries.iter().map(|entry| (entry.name, entry.aliases));
        let found = find(kind.noun(), name, listed, names, self.sections.world, self.drop_unknown())?;
        Ok(found.and_then(|at| Some((at, entries[at].name, entries[at].functions?))))
    }

    /// Sets the value of the resource or event at this position.
    pub(super) fn set_value(&mut self, kind: ValueKind, at: usize, value: Box<dyn Any>) {
        self.values[kind as usize][at] = Some(value);
    }

    /// Adds the next component of the file. With `strict`, only values of a known layout can be
    /// read. A component that cannot be read is an error only if an entity has it; the error is
    /// kept in `refused` until then.
    pub(super) fn listed(&mut self, image: ComponentImage, strict: bool) -> Result<(), LoadError> {
        let ComponentImage { name, layout, stamps, finite, order } = image;
        let is_saved = !layout.is_empty();
        let found = match self.component(&name) {
            Err(error) => Err(error),
            Ok(None) => Ok(None),
            Ok(Some(at)) if self.table.iter().flatten().any(|(taken, _)| *taken == at) => {
                return Err(self.invalid(format_args!("component `{}`", short(&name)), "it occurs twice"));
            }
            Ok(Some(at)) => {
                let old = self.older(&self.sections.components[at], &layout, strict);
                old.map(|old| Some((at, old)))
            }
        };
        let (found, refused) = match found {
            Ok(found) => (found, None),
            Err(error) => (None, Some(error)),
        };
        if let Some((at, _)) = found.filter(|_| is_saved) {
            let entry = &self.sections.components[at];
            self.has = if entry.is_saved() { self.has.with(entry.index) } else { self.has };
        }
        if finite && let Some((at, _)) = found {
            self.finite[at] = true;
        }
        self.table.push(found);
        self.refused.push(refused);
        self.stamps.push(stamps);
        self.orders.push(order);
        Ok(())
    }

    /// Finds the older type that has the layout `saved`; `None` if the current type has it, or no
    /// type has it.
    fn older(&self, entry: &SavedComponent, saved: &str, strict: bool) -> Result<Option<usize>, LoadError> {
        match entry.layout() {
            Some(layout) if !layout.is(saved) && !saved.is_empty() => {
                let old = entry.old_with(saved);
                if old.is_none() && strict {
                    return Err(self.sections.other_layout("component", entry.name, saved, layout));
                }
                Ok(old)
            }
            _ => Ok(None),
        }
    }

    /// Returns the index in this world of a component of the file.
    fn index_of(&self, listed: u16) -> Option<usize> {
        let (at, _) = (*self.table.get(listed as usize)?)?;
        Some(self.sections.components[at].index)
    }

    pub(super) fn allocator(&mut self, image: &Image) -> Result<(), LoadError> {
        let entities = Entities::of_image(self.new_entities(), image, &|listed| self.index_of(listed));
        self.entities = Some(entities.map_err(|reason| self.invalid("allocator", reason))?);
        self.slots = image.slots();
        Ok(())
    }

    /// Takes the saved state of the rule of the component at position `at`.
    pub(super) fn order_of(&mut self, at: usize) -> Order {
        let listed = self.table.iter().position(|found| found.is_some_and(|(found, _)| found == at));
        listed.and_then(|listed| self.orders.get_mut(listed)).map(core::mem::take).unwrap_or_default()
    }

    /// Collects the entities that need required components that the file lacks, and charges their
    /// memory.
    pub(super) fn lacking(&self) -> Result<Lacking, LoadError> {
        let mut holders = Vec::new();
        for (at, (entry, column)) in self.sections.components.iter().zip(&self.columns).enumerate() {
            let lacking = self.sections.closures[entry.index].minus(self.has);
            let Some(column) = column.as_ref().filter(|_| !lacking.is_empty()) else { continue };
            let slots = entry.slots(&**column);
            for other in self.sections.components.iter().filter(|other| lacking.contains(other.index)) {
                memory::charge(other.bytes_for(&slots)).map_err(|error| {
                    self.invalid(format_args!("component `{}`, which others require", other.name), error)
                })?;
            }
            holders.push((at, slots));
        }
        Ok(Lacking { without: self.has, holders })
    }

    /// Adds the required components that the file lacks. `to` maps slots of the file to slots of
    /// the world.
    pub(super) fn complete(
        &self,
        world: &mut dyn AnyWorld,
        lacking: &Lacking,
        to: &dyn Fn(u32) -> Option<u32>,
    ) {
        for (at, words) in &lacking.holders {
            for (word, &bits) in words.iter().enumerate() {
                for slot in Bits(bits).filter_map(|bit| to((word * 64 + bit) as u32)) {
                    self.sections.components[*at].fill(world, slot, lacking.without);
                }
            }
        }
    }

    /// Checks that no entity has two components that exclude each other.
    pub(super) fn together(&self) -> Result<(), LoadError> {
        for (entry, column) in self.sections.components.iter().zip(&self.columns) {
            let (Some(column), excludes) = (column, self.sections.excluded[entry.index]) else { continue };
            if excludes.is_empty() {
                continue;
            }
            let slots = entry.slots(&**column);
            for (other, column) in self.sections.components.iter().zip(&self.columns) {
                let Some(column) = column.as_ref().filter(|_| excludes.contains(other.index)) else {
                    continue;
                };
                let both = slots.iter().zip(other.slots(&**column)).position(|(one, other)| one & other != 0);
                if let Some(word) = both {
                    let place = format!("component `{}` of a slot from {} on", entry.name, word * 64);
                    return Err(self.invalid(
                        place,
                        format_args!("it has `{}`, and the two exclude each other", other.name),
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks that the targets of relations have the components that the relations name. `slot_of`
    /// maps an id in a value to a slot of the file.
    pub(super) fn targets(&self, slot_of: &dyn Fn(Entity) -> Option<u32>) -> Result<(), LoadError> {
        let Sections { components, of_targets, closures, component_names, .. } = &*self.sections;
        // required components that the file lacks are added
        let gives = |entry: &SavedComponent, component| {
            entry.index == component
                || !self.has.contains(component) && closures[entry.index].contains(component)
        };
        let of_draft = || components.iter().zip(&self.columns);
        for (entry, column) in of_draft() {
            let (Some(column), named) = (column, of_targets[entry.index]) else { continue };
            let givers = named.indices().map(|component| {
                let givers = of_draft().filter(|(entry, _)| gives(entry, component));
                (component, givers.filter_map(|(entry, column)| Some((entry, column.as_ref()?))).collect())
            });
            let givers: Vec<(usize, Vec<_>)> = givers.collect();
            let lacking = |target| {
                let slot = slot_of(target)?;
                let given = |(entry, column): &(&SavedComponent, &Box<dyn Any>)| entry.has(&***column, slot);
                givers.iter().find(|(_, givers)| !givers.iter().any(given)).map(|(component, _)| *component)
            };
            if let Some((slot, target)) = entry.find_target(&**column, &|_, target| lacking(target).is_some())
                && let Some(component) = lacking(target)
            {
                let place = format!("component `{}` of slot {slot}", entry.name);
                return Err(self.invalid(place, Reason::TargetLacks(target, component_names[component])));
            }
        }
        Ok(())
    }

    /// Makes the world, without the state of its systems, which is read into the world afterwards.
    pub(super) fn world(&mut self) -> Result<Box<dyn AnyWorld>, LoadError> {
        let Some(entities) = self.entities.take() else {
            return Err(self.invalid("allocator", "the section is missing"));
        };
        let tick = entities.tick();
        for (listed, stamps) in core::mem::take(&mut self.stamps).into_iter().enumerate() {
            let Some((at, _)) = self.table[listed] else { continue };
            let entry = &self.sections.components[at];
            let column = &mut **self.columns[at].get_or_insert_with(|| entry.column());
            let done = entry.set_stamps(column, &stamps, tick);
            done.map_err(|reason| self.invalid(format_args!("component `{}`", entry.name), reason))?;
        }
        self.together()?;
        self.targets(&|target| entities.contains(target).then_some(target.slot()))?;
        for at in 0..self.sections.components.len() {
            let order = self.order_of(at);
            let entry = &self.sections.components[at];
            if let Some(column) = &mut self.columns[at] {
                entry.register(&mut **column, &entities, &order).map_err(|(slot, reason)| {
                    self.invalid(format_args!("component `{}` of slot {slot}", entry.name), reason)
                })?;
            }
        }
        let lacking = self.lacking()?;
        let mut made = (self.sections.make)(self)?;
        let world = &mut *made;
        *world.any_entities_mut() = entities;
        self.complete(world, &lacking, &Some);
        let sections = &*self.sections;
        for (entry, log) in sections.components.iter().zip(&mut self.logs) {
            let done = log.take().map_or(Ok(()), |log| entry.set_log(world, log, &sections.paths));
            let place = || format!("removed values of component `{}`", entry.name);
            done.map_err(|reason| sections.invalid(place(), reason))?;
        }
        let events = &sections.values(ValueKind::Event).entries;
        for (entry, queue) in events.iter().zip(&mut self.values[ValueKind::Event as usize]) {
            if let (Some(of), Some(queue)) = (entry.functions, queue.take()) {
                let done = (of.value.restore)(world, queue, &sections.paths);
                let place = || format!("event `{}`", entry.name);
                done.map_err(|reason| sections.invalid(place(), reason))?;
            }
        }
        Ok(made)
    }

    /// Restores the state of one system with `load`, and adds its place to `loaded` if `load` used
    /// the saved state. `loaded` are the places of the systems that were restored before.
    pub(super) fn place(
        &self,
        world: &mut dyn AnyWorld,
        key: &str,
        (last_run, off): (u64, bool),
        loaded: &mut Vec<Place>,
        load: &mut Load<'_>,
    ) -> Result<(), LoadError> {
        let Some(place) = self.sections.paths.find(key) else {
            // the world no longer has this system: its state is read, so that the file is checked,
            // and dropped
            let context = LoadContext { tick: 1, slots: 0, index_of: &|_| None };
            return load(Vec::new(), &context).map(drop).or(Ok(()));
        };
        let tick = world.entities().tick();
        let fail = |reason: &str| self.invalid(format_args!("system `{key}`"), reason);
        if last_run > tick {
            return Err(fail(&format!(
                "its last run, tick {last_run}, is later than the file's tick {tick}"
            )));
        }
        if loaded.contains(&place) {
            return Err(fail("it occurs twice"));
        }
        let Some(state) = world.place_mut(place, off) else { return Ok(()) };
        state.ticks.last_run = last_run;
        let mut parts = Vec::new();
        state.saved_states_mut(&mut |part| parts.push(part));
        let context = LoadContext { tick, slots: self.slots, index_of: &|listed| self.index_of(listed) };
        if load(parts, &context).map_err(|reason| fail(&reason))? {
            loaded.push(place);
        }
        Ok(())
    }

    /// Finishes the world, after the state of all systems was read.
    pub(super) fn finish(&self, world: &mut dyn AnyWorld, loaded: &[Place]) -> Result<(), LoadError> {
        // the allocator is out of the world while the reserved slots within the world are looked at
        let mut entities = core::mem::replace(world.any_entities_mut(), self.new_entities());
        let mut reserved: Vec<(&mut ReservedSlots, bool)> = Vec::new();
        for (place, state) in world.states_mut().states() {
            let is_loaded = loaded.contains(&place);
            state.saved_states_mut(&mut |part| {
                if let Some(slots) = part.reserved_slots() {
                    reserved.push((slots, is_loaded));
                }
            });
        }
        let registered = entities.register_reserved(&mut reserved);
        registered.map_err(|reason| self.invalid("allocator", reason))?;
        *world.any_entities_mut() = entities;
        Ok(())
    }

    /// Takes the column of a component, for the world that is made.
    pub fn take_column<T: 'static>(&mut self, index: usize) -> Column<T> {
        let mut column = Column::new();
        self.swap_column(index, TypeId::of::<Column<T>>(), &mut column.erased);
        column
    }

    /// Exchanges a column of this type for that of a component.
    fn swap_column(&mut self, index: usize, of: TypeId, column: &mut ErasedColumn) {
        let entries = self.sections.components.iter().zip(&mut self.columns);
        let Some((entry, made)) = entries.into_iter().find(|(entry, _)| entry.index == index) else {
            return;
        };
        let mut made = made.take().unwrap_or_else(|| entry.column());
        if (*made).type_id() == of
            && let Some(made) = entry.detached(&mut *made)
        {
            core::mem::swap(made, column);
        }
    }

    /// Takes a resource, for the world that is made: the one in the options, or the one in the
    /// file, or the result of `first`.
    ///
    /// # Errors
    /// If none of the three exists.
    pub fn take_resource<R: 'static>(
        &mut self,
        index: usize,
        first: impl FnOnce() -> Option<R>,
    ) -> Result<R, LoadError> {
        let ValueSection { entries, names } = self.sections.values(ValueKind::Resource);
        let at = entries.iter().position(|entry| entry.index == index);
        let given = self.options.given.remove(&TypeId::of::<R>());
        let found = given.or_else(|| self.values[ValueKind::Resource as usize][at?].take());
        if let Some(found) = found.and_then(|found| found.downcast().ok()) {
            return Ok(*found);
        }
        let resource = names[index];
        first().ok_or(LoadError::Missing { resource, world: self.sections.world })
    }
}

/// Checks that no two ids of a sorted list have the same slot.
pub(super) fn are_distinct(living: &[Entity]) -> Result<(), Entity> {
    match living.windows(2).find(|pair| pair[0].slot() == pair[1].slot()) {
        Some(pair) => Err(pair[1]),
        None => Ok(()),
    }
}
