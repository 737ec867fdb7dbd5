//! Deltas: what changed in the selected part of a world since a [`Baseline`], as data or as bytes.
//!
//! Pages that a world shares with the snapshot of the baseline are skipped. In the other pages,
//! tracked values are compared if their stamps are later than the snapshot, and values that are not
//! tracked are all compared, in the compact form.
//!
//! | bytes | content |
//! |---|---|
//! | 4, 1 | `ecsd`, the version of the format: 1, or 2 for a delta of several frames |
//! | 8 | the fingerprint of the selection: names and layouts of its components |
//! | numbers | the frame of the baseline, the frame of the delta, the lowest generation of the entities that came |
//! | set | the slots of entities that left the selection |
//! | set, numbers | the slots of entities that came, and their generations |
//! | for each component | the set of slots that lost the value; the set of slots that have a new value; the number of bytes of the values; the values in the compact form |
//! | 8 | the checksum of all bytes before it |
//!
//! Numbers and sets of slots are those of [`bytes`].
//!
//! A delta of several frames fits each receiver between the two frames of its head. It may name
//! entities that came and the receiver has, entities that left and the receiver never had, and
//! values that were lost before.

pub(super) mod apply;
mod bytes;
pub(super) mod component;
pub(super) mod error;
mod sets;
pub(super) mod slot_changes;

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::SaveError;
use super::column::Scratch;
use super::selection::{ChosenSlots, Selection};
use super::sum::hash_of;
use crate::base::mask::has_bit;
use crate::base::tick::TURN;
use crate::entity::Entity;
use crate::persist::erased::FormError;
use crate::raw_world::snapshot::Snapshot;
use crate::raw_world::snapshot_world::SnapshotWorld;
use crate::world::World;
use bytes::{put_number, put_slots, slots};
use sets::{SparseSlots, add, combined, combined_of, intersect, retain, sparse, unite};

const MAGIC: &[u8; 4] = b"ecsd";
const FORMAT: u8 = 1;
/// The format of a delta of several frames.
const FORMAT_OF_FRAMES: u8 = 2;

/// The state of the selected part of a world at one frame, to which later states are compared.
///
/// A baseline has a [`Snapshot`](crate::Snapshot) of the whole world. The frame is a number that
/// the program chooses, greater for later states, for instance the number of the tick.
/// [`Baseline::nothing`] is the state before all others, at frame 0.
pub struct Baseline<W> {
    frame: u64,
    /// The fingerprint of the selection.
    fingerprint: u64,
    /// The snapshot, and the selected slots; `None` if nothing was selected.
    state: Option<(Snapshot<W>, ChosenSlots)>,
}

impl<W> Baseline<W> {
    /// The state without entities, at frame 0. A delta from it contains all selected entities.
    pub const fn nothing() -> Self {
        Self { frame: 0, fingerprint: 0, state: None }
    }

    /// The frame of this state.
    pub const fn frame(&self) -> u64 {
        self.frame
    }

    /// Whether both baselines are of the same components and the same entities of one frame, so
    /// that deltas from them are equal.
    ///
    /// Two receivers of equal views can be sent one delta: see [`Selection::baselines`].
    ///
    /// Cost: compares one bit for each slot of the world.
    pub fn is_same_view(&self, other: &Self) -> bool {
        fn chosen<W>(of: &Baseline<W>) -> Option<&ChosenSlots> {
            of.state.as_ref().map(|(_, chosen)| chosen)
        }
        (self.frame, self.fingerprint) == (other.frame, other.fingerprint) && chosen(self) == chosen(other)
    }
}

/// Clones a reference count of the snapshot.
impl<W> Clone for Baseline<W> {
    fn clone(&self) -> Self {
        Self { frame: self.frame, fingerprint: self.fingerprint, state: self.state.clone() }
    }
}

impl<W> fmt::Debug for Baseline<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Baseline").field("frame", &self.frame).finish_non_exhaustive()
    }
}

impl<W> Default for Baseline<W> {
    fn default() -> Self {
        Self::nothing()
    }
}

/// The differences between a baseline and a world, as [`Selection::changes`] returns them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct EntityChanges {
    /// The entities that were spawned since, or that are selected since, in the order of their
    /// slots.
    pub came: Vec<Entity>,
    /// The entities that were despawned since, or that are no longer selected, in the order of
    /// their slots.
    pub gone: Vec<Entity>,
    /// The changes of each selected component, in the order of the selection.
    pub components: Vec<ComponentChanges>,
}

impl EntityChanges {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        let unchanged = |changes: &ComponentChanges| {
            changes.added.is_empty() && changes.changed.is_empty() && changes.removed.is_empty()
        };
        self.came.is_empty() && self.gone.is_empty() && self.components.iter().all(unchanged)
    }
}

/// The changes of one component, in the order of the entities' slots.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ComponentChanges {
    /// The name of the component.
    pub component: &'static str,
    /// The entities that have the component and had none, including those that came.
    pub added: Vec<Entity>,
    /// The entities whose value is another one.
    pub changed: Vec<Entity>,
    /// The entities that have lost the component and did not leave.
    pub removed: Vec<Entity>,
}

/// The entities and values that changed between a baseline and a world, without the values:
/// [`Selection::changed_slots`] finds them, and [`Selection::delta_of`] makes a delta of one or
/// several.
///
/// Each of its lists takes 16 bytes for each group of 64 slots of which one is in the list.
#[derive(Clone, Default)]
pub struct ChangedSlots {
    /// The fingerprint of the selection.
    fingerprint: u64,
    came: SparseSlots,
    gone: SparseSlots,
    /// For each component the slots that were added or changed, and those that were removed.
    components: Vec<[SparseSlots; 2]>,
}

impl ChangedSlots {
    /// Adds the changes of other frames, of the same selected components.
    ///
    /// # Panics
    /// If the other changes are of other components.
    pub fn merge(&mut self, other: &Self) {
        assert_eq!(self.fingerprint, other.fingerprint, "the changes are of other components");
        unite(&mut self.came, &other.came);
        unite(&mut self.gone, &other.gone);
        for (lists, others) in self.components.iter_mut().zip(&other.components) {
            lists.iter_mut().zip(others).for_each(|(list, other)| unite(list, other));
        }
    }
}

impl fmt::Debug for ChangedSlots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |set: &SparseSlots| set.iter().map(|(_, bits)| bits.count_ones()).sum::<u32>();
        let (came, gone) = (count(&self.came), count(&self.gone));
        f.debug_struct("ChangedSlots").field("came", &came).field("gone", &gone).finish_non_exhaustive()
    }
}

/// The differences between a baseline and a world: for each list one bit for each slot, and no
/// words if it is empty.
struct Differences {
    came: Vec<u64>,
    gone: Vec<u64>,
    components: Vec<ColumnDifference>,
}

#[derive(Clone, Default)]
struct ColumnDifference {
    added: Vec<u64>,
    changed: Vec<u64>,
    removed: Vec<u64>,
}

impl Differences {
    /// The differences that bring a receiver at any of several frames to the entities of `chosen`
    /// and their values: `changes` are those of the frames, and `present` gives the slots with a
    /// value of a component.
    fn of_frames<'c>(
        changes: impl IntoIterator<Item = &'c ChangedSlots>,
        chosen: &ChosenSlots,
        components: usize,
        mut present: impl FnMut(usize, &mut [u64]),
    ) -> Self {
        let now = &chosen.entities;
        let mut found = Self {
            came: Vec::new(),
            gone: Vec::new(),
            components: vec![ColumnDifference::default(); components],
        };
        // unite the changes of all frames
        for changes in changes {
            add(&mut found.came, &changes.came);
            add(&mut found.gone, &changes.gone);
            for (column, [put, removed]) in found.components.iter_mut().zip(&changes.components) {
                add(&mut column.added, put);
                add(&mut column.removed, removed);
            }
        }
        intersect(&mut found.came, now);
        // an entity that left and came back may have lost values meanwhile
        let mut back = found.gone.clone();
        intersect(&mut back, now);
        // of each component: removed, or put, is what the world shows now
        let mut has = vec![0; now.len()];
        for (at, column) in found.components.iter_mut().enumerate() {
            present(at, &mut has);
            retain(&mut has, now);
            chosen.retain(at, &mut has);
            column.removed.resize(column.removed.len().max(back.len()), 0);
            column.removed.iter_mut().zip(&back).for_each(|(removed, back)| *removed |= back);
            intersect(&mut column.removed, now);
            column.removed.iter_mut().zip(&has).for_each(|(removed, has)| *removed &= !has);
            intersect(&mut column.added, &has);
        }
        found
    }
}

impl<W: World> Selection<W> {
    fn value_error(&self, component: usize, world: &W, slot: Option<usize>, fault: &FormError) -> SaveError {
        let of = slot.map_or_else(String::new, |slot| format!(" of entity {}", world.__living().at(slot)));
        let place = format!("component `{}`{of}", self.names[component]);
        SaveError::value(place, W::NAME, fault)
    }

    fn refused(reason: impl fmt::Display) -> SaveError {
        SaveError::value("delta", W::NAME, reason)
    }

    /// Compares the world with the baseline.
    fn compare(&self, since: &Baseline<W>, world: &W) -> Result<Differences, SaveError> {
        if let Some(reason) = &self.unsupported {
            return Err(Self::refused(reason));
        }
        if since.state.is_some() && since.fingerprint != self.fingerprint {
            return Err(Self::refused("the baseline is one of a selection of other components"));
        }
        let mut wanted = self.chosen(world);
        let mut now = core::mem::take(&mut wanted.entities);
        let (mut before, mut same, mut linear) = (Vec::new(), Vec::new(), true);
        if let Some((snapshot, chosen)) = &since.state {
            let old = snapshot.world().__living();
            (before, same) = world.__living().alive_since(old);
            retain(&mut before, &chosen.entities);
            linear = world.__living().descends_from(old);
        }
        let len = now.len().max(before.len());
        [&mut now, &mut before, &mut same].into_iter().for_each(|set| set.resize(len, 0));
        let mut stay = same.clone();
        retain(&mut stay, &before);
        retain(&mut stay, &now);
        let came = combined(&now, &stay, |now, stay| now & !stay);
        let gone = combined(&before, &stay, |before, stay| before & !stay);
        // Values that contain the id of an entity that the receiver did not know are sent again: of
        // an entity that was alive and was not selected, or, if the world was restored, of any that
        // came.
        let entered = match (&since.state, linear) {
            (None, _) => Vec::new(),
            (Some(_), true) => combined(&came, &same, |came, same| came & same),
            (Some(_), false) => came.clone(),
        };
        let mentioned = |id: Entity| has_bit(&entered, id.slot() as usize) && world.contains(id);
        let mut components = Vec::new();
        // buffers of the allocator's lists are used again
        let (mut new, mut old) = (before, same);
        for (at, component) in self.components.iter().enumerate() {
            component.present(world, &mut new);
            retain(&mut new, &now);
            wanted.retain(at, &mut new);
            let Some((snapshot, chosen)) = &since.state else {
                components.push(ColumnDifference {
                    added: new.clone(),
                    changed: Vec::new(),
                    removed: Vec::new(),
                });
                continue;
            };
            let before = snapshot.world();
            component.present_before(before, &mut old);
            retain(&mut old, &stay);
            chosen.retain(at, &mut old);
            let added = combined(&new, &old, |new, old| new & !old);
            let removed = combined(&old, &new, |old, new| old & !new);
            retain(&mut new, &old);
            let tick = linear.then(|| before.__living().tick().saturating_sub(TURN));
            let asks = !entered.is_empty() && self.has_ids[at];
            let changed = component
                .changed(before, world, &new, tick, asks.then_some(&mentioned))
                .map_err(|(slot, fault)| self.value_error(at, world, Some(slot), &fault))?;
            components.push(ColumnDifference { added, changed, removed });
        }
        Ok(Differences { came, gone, components })
    }

    /// Returns the entities that came and left since the baseline, and those whose components
    /// changed.
    ///
    /// Two values are equal if their compact forms are. Cost: as [`delta`](Self::delta).
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::Selection;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Clone, Serialize, Deserialize)]
    /// struct Health(u32);
    ///
    /// world! { #[derive(Clone)] struct Game { components { Health } } }
    ///
    /// let mut game = Game::new();
    /// let (hero, rat) = (game.spawn(Health(9)), game.spawn(Health(1)));
    /// let selection = Selection::of::<Health>();
    /// let before = selection.baseline(&mut game, 1);
    /// game.get_mut::<Health>(hero).unwrap().0 = 8;
    /// game.despawn(rat)?;
    ///
    /// let changes = selection.changes(&before, &game)?;
    /// assert_eq!(changes.gone, [rat]);
    /// assert_eq!(changes.components[0].changed, [hero]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`delta`](Self::delta), except for that of the frame.
    pub fn changes(&self, since: &Baseline<W>, world: &W) -> Result<EntityChanges, SaveError> {
        let found = self.compare(since, world)?;
        let now = |words: &[u64]| slots(words).map(|slot| world.__living().at(slot)).collect();
        let before = since.state.as_ref().map(|(snapshot, _)| snapshot.world().__living());
        let gone = slots(&found.gone).filter_map(|slot| before?.frozen_at(slot)).collect();
        let components = found.components.iter().zip(&self.names).map(|(column, name)| ComponentChanges {
            component: name,
            added: now(&column.added),
            changed: now(&column.changed),
            removed: now(&column.removed),
        });
        Ok(EntityChanges { came: now(&found.came), gone, components: components.collect() })
    }

    /// Returns what changed in the selected part of the world since the baseline, as bytes for
    /// [`apply`](Self::apply).
    ///
    /// The bytes contain the new values in the compact form, and one or two bytes for each of their
    /// entities. The baseline may be of another choice of entities than this selection, but not of
    /// other components.
    ///
    /// Cost: compares the bits of the selected components, 64 slots at a time. Values are compared
    /// in the pages that were touched since the baseline: a tracked value if it was changed since,
    /// and any other value always, so that a component with many values of which few change should
    /// be `#[component(tracked)]`. If a page was touched by [`World::get_mut`] alone, the values of
    /// eight slots are compared for each access. Tracked values that were changed outside of
    /// systems since the last run of a system or
    /// [`advance_tick`](crate::query::ChangesSince::advance_tick), and before the baseline, are
    /// compared, too. After the world was restored from a snapshot, tracked values are compared
    /// like others, until the next baseline is taken; and values that contain ids are read, if
    /// entities came.
    ///
    /// # Errors
    /// If a value cannot be serialized in the compact form, if the baseline is one of other
    /// components, or if `frame` is not greater than the frame of the baseline.
    pub fn delta(&self, since: &Baseline<W>, world: &W, frame: u64) -> Result<Vec<u8>, SaveError> {
        if frame <= since.frame {
            let reason = format!("frame {frame} is not later than frame {} of the baseline", since.frame);
            return Err(Self::refused(reason));
        }
        let found = self.compare(since, world)?;
        self.written(found, FORMAT, [since.frame, frame], world)
    }

    /// Returns which entities and values changed since the baseline, without the values.
    ///
    /// A sender whose messages may be lost keeps one for each frame that is not acknowledged, and
    /// sends a delta of all of them ([`delta_of`](Self::delta_of)), which has each value once.
    ///
    /// Cost: that of [`delta`](Self::delta) without writing values.
    ///
    /// # Errors
    /// The errors of [`delta`](Self::delta), except for that of the frame.
    pub fn changed_slots(&self, since: &Baseline<W>, world: &W) -> Result<ChangedSlots, SaveError> {
        let found = self.compare(since, world)?;
        let column = |column: &ColumnDifference| {
            let put = combined_of(&column.added, &column.changed);
            [sparse(&put), sparse(&column.removed)]
        };
        Ok(ChangedSlots {
            fingerprint: self.fingerprint,
            came: sparse(&found.came),
            gone: sparse(&found.gone),
            components: found.components.iter().map(column).collect(),
        })
    }

    /// Returns a delta for receivers of several frames: those at frame `from`, and at each later
    /// one, up to the one before `frame`.
    ///
    /// `changes` has the changes of all frames after `from`, up to this world, in any order: each
    /// is [`changed_slots`](Self::changed_slots) between two successive states that were sent, and
    /// the last of them leads to this world. A receiver that has applied a delta of this kind, or
    /// of [`delta`](Self::delta), to one of these states, is brought to the state of this world.
    ///
    /// The delta has the values of this world, each once, so it is not longer than one of the whole
    /// state by more than the entities and values that left.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::{Baseline, Replica, Selection};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    /// struct Place(i32);
    ///
    /// world! { #[derive(Clone)] struct Game { components { Place } } }
    ///
    /// let all = Selection::<Game>::of::<Place>();
    /// let (mut server, mut client) = (Game::new(), Game::new());
    /// let hero = server.spawn(Place(1));
    /// let mut changes = vec![all.changed_slots(&Baseline::nothing(), &server)?];
    /// let known = all.baseline(&mut server, 1);
    /// server.get_mut::<Place>(hero).unwrap().0 = 2;
    /// changes.push(all.changed_slots(&known, &server)?);
    ///
    /// // frame 1 was lost; a client that has it could use the same bytes
    /// let mut replica = Replica::new();
    /// all.apply(&mut client, &mut replica, &all.delta_of(&changes, 0, &server, 2)?)?;
    /// assert_eq!(client.get(replica.get(hero).unwrap()), Some(&Place(2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a value cannot be serialized in the compact form, if changes are those of other
    /// components, or if `frame` is not greater than `from`.
    pub fn delta_of<'c>(
        &self,
        changes: impl IntoIterator<Item = &'c ChangedSlots>,
        from: u64,
        world: &W,
        frame: u64,
    ) -> Result<Vec<u8>, SaveError> {
        if frame <= from {
            return Err(Self::refused(format!("frame {frame} is not later than frame {from}")));
        }
        let changes: Vec<&ChangedSlots> = changes.into_iter().collect();
        if changes.iter().any(|changes| changes.fingerprint != self.fingerprint) {
            return Err(Self::refused("the changes are those of a selection of other components"));
        }
        let present = |at: usize, words: &mut [u64]| self.components[at].present(world, words);
        let found = Differences::of_frames(changes, &self.chosen(world), self.components.len(), present);
        self.written(found, FORMAT_OF_FRAMES, [from, frame], world)
    }

    /// The changes as bytes, with the values of the world.
    fn written(
        &self,
        found: Differences,
        format: u8,
        frames: [u64; 2],
        world: &W,
    ) -> Result<Vec<u8>, SaveError> {
        // the head
        let mut out = Vec::with_capacity(256);
        out.extend_from_slice(MAGIC);
        out.push(format);
        out.extend_from_slice(&self.fingerprint.to_le_bytes());
        frames.into_iter().for_each(|frame| put_number(&mut out, frame));
        // the entities that left and came
        let generation = |slot: usize| world.__living().at(slot).generation().get();
        let lowest = slots(&found.came).map(generation).min().unwrap_or(1);
        put_number(&mut out, u64::from(lowest));
        put_slots(&mut out, &found.gone);
        put_slots(&mut out, &found.came);
        for slot in slots(&found.came) {
            put_number(&mut out, u64::from(generation(slot) - lowest));
        }
        // the values of each component, with their length before them
        let mut scratch = Scratch::default();
        for (at, (component, column)) in self.components.iter().zip(found.components).enumerate() {
            let ColumnDifference { added, changed, removed } = column;
            let new = combined_of(&added, &changed);
            put_slots(&mut out, &removed);
            put_slots(&mut out, &new);
            let start = out.len();
            component
                .write(world, &new, &mut scratch, &mut out)
                .map_err(|(slot, fault)| self.value_error(at, world, slot, &fault))?;
            let mut length = Vec::new();
            put_number(&mut length, (out.len() - start) as u64);
            out.splice(start..start, length);
        }
        let sum = hash_of([&out]);
        out.extend_from_slice(&sum.to_le_bytes());
        Ok(out)
    }
}

impl<W: World> Selection<W> {
    /// Returns a hash of the selected part of the world, in which `id` names the entities: a
    /// receiver of deltas has the same hash as the sender, if both name entities by the sender's
    /// ids.
    ///
    /// An entity whose name is `None` is left out. In a component, its id counts as that of no
    /// entity, and so does the id of an entity that is not selected. The hash does not depend on
    /// the order of slots. It is that of the compact form, and not secure against forgery.
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use ecs::prelude::*;
    /// use ecs::save::{Replica, Selection};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Serialize, Deserialize)]
    /// struct Pet(Entity);
    ///
    /// world! { struct Game { components { Pet } } }
    ///
    /// let (mut server, mut client) = (Game::new(), Game::new());
    /// let dog = server.spawn(());
    /// server.spawn(Pet(dog));
    /// client.spawn(()); // so that ids differ
    /// let all = Selection::of::<Pet>();
    /// let mut replica = Replica::new();
    /// all.apply(&mut client, &mut replica, &all.save(&server)?)?;
    ///
    /// let theirs: HashMap<Entity, Entity> = replica.iter().map(|(sender, local)| (local, sender)).collect();
    /// let received = all.hash_by(&client, |local| theirs.get(&local).copied())?;
    /// assert_eq!(received, all.hash_by(&server, Some)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// Cost: each value is serialized, and read again if its type may contain ids.
    ///
    /// # Errors
    /// If a value cannot be serialized in the compact form.
    pub fn hash_by(&self, world: &W, id: impl Fn(Entity) -> Option<Entity>) -> Result<u64, SaveError> {
        if let Some(reason) = &self.unsupported {
            return Err(Self::refused(reason));
        }
        let chosen = self.chosen(world);
        let is_chosen =
            |entity: Entity| has_bit(&chosen.entities, entity.slot() as usize) && world.contains(entity);
        let id = |entity| if is_chosen(entity) { id(entity) } else { None };
        let named = slots(&chosen.entities).filter_map(|slot| id(world.__living().at(slot)));
        let entities = named.map(|entity| hash_of([&entity.to_bits().to_le_bytes()]));
        let mut sum = entities.fold(self.fingerprint, u64::wrapping_add);
        let mut of_component = Vec::new();
        for (at, component) in self.components.iter().enumerate() {
            of_component.clone_from(&chosen.entities);
            chosen.retain(at, &mut of_component);
            let hash = component.hash(world, &of_component, self.has_ids[at], &id);
            let hash = hash.map_err(|(slot, fault)| self.value_error(at, world, Some(slot), &fault))?;
            // the components' hashes are added in different rotations, so that equal values of two
            // components are not exchangeable
            sum = sum.wrapping_add(hash.rotate_left(at as u32 % 64).wrapping_mul(at as u64 * 2 + 1));
        }
        Ok(sum)
    }

    /// Takes a snapshot of the world, to which later states are compared. `frame` is the number of
    /// this state.
    ///
    /// Cost: that of [`World::snapshot`].
    pub fn baseline(&self, world: &mut W, frame: u64) -> Baseline<W>
    where
        W: SnapshotWorld,
    {
        let state = Some((Snapshot::of(world), self.chosen(world)));
        Baseline { frame, fingerprint: self.fingerprint, state }
    }

    /// Takes one snapshot of the world for several selections, and returns the baseline of each, in
    /// their order. `frame` is the number of this state.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::save::Selection;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Component, Clone, Serialize, Deserialize)]
    /// struct Health(u32);
    /// #[derive(Component, Clone)]
    /// struct Red;
    ///
    /// world! { #[derive(Clone)] struct Game { components { Health, Red } } }
    ///
    /// let mut game = Game::new();
    /// let hero = game.spawn((Health(9), Red));
    /// let views = [
    ///     Selection::of::<Health>().with::<Red>(),
    ///     Selection::of::<Health>().only([hero]),
    ///     Selection::of::<Health>().without::<Red>(),
    /// ];
    /// let baselines = Selection::baselines(&views, &mut game, 1);
    /// assert!(baselines[0].is_same_view(&baselines[1]));
    /// assert!(!baselines[0].is_same_view(&baselines[2]));
    /// ```
    ///
    /// Cost: that of [`World::snapshot`], and one bit for each slot of the world and selection.
    pub fn baselines(selections: &[Self], world: &mut W, frame: u64) -> Vec<Baseline<W>>
    where
        W: SnapshotWorld,
    {
        let chosen: Vec<ChosenSlots> = selections.iter().map(|selection| selection.chosen(world)).collect();
        let snapshot = Snapshot::of(world);
        let baseline = |(selection, chosen): (&Self, ChosenSlots)| Baseline {
            frame,
            fingerprint: selection.fingerprint,
            state: Some((snapshot.clone(), chosen)),
        };
        selections.iter().zip(chosen).map(baseline).collect()
    }
}
