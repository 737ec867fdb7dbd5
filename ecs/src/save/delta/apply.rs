//! Applying deltas: [`Replica`] has the ids of the entities that were received, and
//! [`Selection::apply`] brings them up to date.
//!
//! All of a delta is read and checked before the world changes. Rules are checked with the column
//! as it will be: a column whose rule may refuse values is copied, in the compact form, if the
//! delta has values for it.

use alloc::collections::{BTreeMap, BTreeSet};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::{OnceCell, RefCell};

use super::bytes::DeltaReader;
use super::component::{ReadValues, SelectedComponent};
use super::error::DeltaError;
use super::{FORMAT, FORMAT_OF_FRAMES, MAGIC};
use crate::base::component_set::{ComponentSet, Words};
use crate::component::excludes::excluded_by;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;
use crate::persist::erased::FormError;
use crate::persist::memory;
use crate::raw_world::WorldFields;
use crate::raw_world::fields::table;
use crate::raw_world::targets::{self, TargetRules};
use crate::raw_world::{discard, journal};
use crate::save::merge::{DanglingIds, Merged};
use crate::save::selection::Selection;
use crate::save::sum::hash_of;
use crate::world::World;

/// The number of local ids that a replica keeps for unknown ids of the sender, if it has few
/// entities: otherwise two for each entity. It forgets all when a delta brings more.
const UNKNOWN_IDS: usize = 1024;

/// The memory of a received entity, in bytes: two entries of a map, and its slot in the allocator.
const FOR_AN_ENTITY: u64 = 96;

/// The entities that a world has received by deltas: for each id of the sender the id in this
/// world. The receiver keeps one for each sender, beside its world.
///
/// A replica also has the limits for what the sender may ask for, since its bytes may be hostile.
#[derive(Clone, Debug)]
pub struct Replica {
    frame: u64,
    /// The sender's id and the local id, by the sender's slot.
    ids: BTreeMap<u32, (Entity, Entity)>,
    /// The local ids that stand for unknown ids of the sender.
    unknown: BTreeMap<Entity, Entity>,
    dangling: DanglingIds,
    most_entities: usize,
    most_bytes: usize,
    memory: Option<u64>,
}

impl Replica {
    /// A replica without entities, at frame 0 and without limits except for that of the memory.
    pub const fn new() -> Self {
        Self {
            frame: 0,
            ids: BTreeMap::new(),
            unknown: BTreeMap::new(),
            dangling: DanglingIds::Keep,
            most_entities: usize::MAX,
            most_bytes: usize::MAX,
            memory: None,
        }
    }

    /// Says what becomes of ids whose entities were not received; [`DanglingIds::Keep`] is the
    /// default. Such an id is mapped to the right entity as soon as it is received. With `Keep`,
    /// equal ids stay equal in one delta, and mostly in several: a replica that was sent many
    /// unknown ids (two for each entity, and more than 1,024) forgets by which ids it has replaced
    /// them.
    #[must_use]
    pub fn dangling(self, dangling: DanglingIds) -> Self {
        Self { dangling, ..self }
    }

    /// Limits the number of entities that are received at the same time.
    #[must_use]
    pub fn entities(self, most: usize) -> Self {
        Self { most_entities: most, ..self }
    }

    /// Limits the length of a delta, in bytes.
    #[must_use]
    pub fn bytes(self, most: usize) -> Self {
        Self { most_bytes: most, ..self }
    }

    /// Limits the memory that a delta may take, in bytes, as
    /// [`LoadOptions::memory`](crate::save::LoadOptions::memory) does for files. The default limit
    /// is 64 MiB, and 64 bytes more for each byte of the delta.
    #[must_use]
    pub fn memory(self, most: u64) -> Self {
        Self { memory: Some(most), ..self }
    }

    /// The frame of the last delta that was applied; 0 before the first one.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// The id in this world of an entity of the sender; `None` if it was not received.
    ///
    /// The receiver may have despawned the entity since.
    pub fn get(&self, entity: Entity) -> Option<Entity> {
        self.ids.get(&entity.slot()).filter(|(source, _)| *source == entity).map(|&(_, local)| local)
    }

    /// Iterates over pairs of the sender's id and the id in this world, sorted by the sender's id.
    pub fn iter(&self) -> impl Iterator<Item = (Entity, Entity)> + '_ {
        self.ids.values().copied()
    }

    /// The number of received entities.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no received entities.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Despawns the received entities, and begins anew at frame 0, with the same limits: for a
    /// sender that has lost its baseline.
    pub fn clear<W: World>(&mut self, world: &mut W) {
        self.unknown.clear();
        self.frame = 0;
        // the receiver may have despawned some already
        discard::despite_panics(&mut || {
            self.ids.pop_first().map(|(_, (_, local))| world.despawn(local)).is_some()
        });
    }

    pub(in crate::save) fn into_merged(self) -> Merged {
        Merged::of(self.ids.into_values().collect())
    }
}

impl Default for Replica {
    fn default() -> Self {
        Self::new()
    }
}

/// The number of changes that a delta made to a world.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Applied {
    /// The entities that were spawned.
    pub spawned: usize,
    /// The entities that were despawned, without those that were despawned with them by the rule of
    /// a relation.
    pub despawned: usize,
    /// The values that were inserted or replaced.
    pub inserted: usize,
    /// The values that were removed from entities that stay.
    pub removed: usize,
    /// The changes that were left out because the receiver has despawned their entities itself.
    pub missing: usize,
}

/// The entities of a delta, while the delta is read. The world is unchanged until all was checked.
struct Arrivals<'r> {
    replica: &'r Replica,
    /// The allocator of the world.
    living: &'r Entities,
    /// A copy of the allocator that also has the entities that came; `None` if no id was needed so
    /// far.
    copy: RefCell<Option<Entities>>,
    /// The entities that came, by the sender's slot.
    came: BTreeMap<u32, (Entity, Entity)>,
    /// Whether the delta is one of several frames, so that values may have been lost before.
    of_frames: bool,
    /// The sender's slots that leave, sorted.
    gone: Vec<u32>,
    /// The local ids of the entities that leave, sorted.
    gone_here: Vec<Entity>,
    /// The local ids of ids that were unknown before, too.
    unknown: RefCell<BTreeMap<Entity, Entity>>,
}

impl Arrivals<'_> {
    /// Makes an id with the copy of the allocator.
    fn allocate(&self, make: impl FnOnce(&mut Entities) -> Entity) -> Entity {
        make(self.copy.borrow_mut().get_or_insert_with(|| self.living.clone()))
    }

    /// Calls `f` with the allocator as it will be after the delta, but for the entities that leave.
    fn with_entities<R>(&self, f: impl FnOnce(&Entities) -> R) -> R {
        f(self.copy.borrow().as_ref().unwrap_or(self.living))
    }

    /// The sender's id and the local id of an entity that is in the replica after the delta.
    fn at(&self, slot: u32) -> Option<(Entity, Entity)> {
        let known = || self.replica.ids.get(&slot).filter(|_| self.gone.binary_search(&slot).is_err());
        self.came.get(&slot).or_else(known).copied()
    }

    /// Reads a set of any slots, and returns those that have an entity in the replica after the
    /// delta, ascending.
    fn received(&self, input: &mut DeltaReader<'_>) -> Result<Vec<u32>, FormError> {
        let mut slots = Vec::new();
        input.each_run(|run| {
            slots.extend(self.replica.ids.range(run.clone()).map(|(slot, _)| slot));
            slots.extend(self.came.range(run).map(|(slot, _)| slot));
        })?;
        slots.sort_unstable();
        slots.dedup();
        slots.retain(|&slot| self.at(slot).is_some());
        Ok(slots)
    }

    /// Maps an id of the sender.
    fn map(&self, id: Entity) -> Result<Entity, FormError> {
        if let Some((_, local)) = self.at(id.slot()).filter(|&(source, _)| source == id) {
            return Ok(local);
        }
        // the id of an entity that leaves stays that of the same despawned entity
        if let Some(&(_, local)) = self.replica.ids.get(&id.slot()).filter(|&&(source, _)| source == id) {
            return Ok(local);
        }
        if self.replica.dangling == DanglingIds::Refuse {
            return Err(FormError::text(format_args!("it contains the id {id}, which was not received")));
        }
        let known = self.replica.unknown.get(&id).copied();
        if let Some(local) = known.or_else(|| self.unknown.borrow().get(&id).copied()) {
            return Ok(local);
        }
        memory::charge(FOR_AN_ENTITY).map_err(FormError::text)?;
        let local = self.allocate(Entities::dead_id);
        self.unknown.borrow_mut().insert(id, local);
        Ok(local)
    }
}

/// The changes of one component.
struct ReadColumn {
    /// The local slots that have lost the value, sorted.
    lost: Vec<u32>,
    values: ReadValues,
    /// The local slots that get a value, sorted.
    gets: Vec<u32>,
}

/// Reads the ids of the entities that come.
fn new_entities(lowest: u64, input: &mut DeltaReader<'_>) -> Result<Vec<Entity>, FormError> {
    let slots = input.slots(input.rest.len())?;
    let mut new = Vec::with_capacity(slots.len());
    for slot in slots {
        let generation = input.number()?.saturating_add(lowest);
        let id = (generation <= u64::from(u32::MAX)).then(|| generation << 32 | u64::from(slot));
        let entity = id.and_then(Entity::from_bits);
        new.push(entity.ok_or_else(|| FormError::text(format_args!("slot {slot} has no valid generation")))?);
    }
    Ok(new)
}

/// Keeps of the entities in a delta of several frames those whose change this replica lacks: it may
/// have some that come already, has others in their slots, and never had some of those that leave.
fn retain_changes(replica: &Replica, gone: &mut Vec<u32>, new: &mut Vec<Entity>) {
    let known = |entity: &Entity| replica.get(*entity).is_some();
    let stay: BTreeSet<u32> = new.iter().filter(|entity| known(entity)).map(|id| id.slot()).collect();
    new.retain(|entity| !known(entity));
    gone.extend(new.iter().map(|entity| entity.slot()));
    gone.retain(|slot| replica.ids.contains_key(slot) && !stay.contains(slot));
    gone.sort_unstable();
    gone.dedup();
}

impl<W: World> Selection<W> {
    fn content(place: impl Into<String>, reason: impl ToString) -> DeltaError {
        DeltaError::Content { place: place.into(), reason: reason.to_string(), world: W::NAME }
    }

    /// Applies a delta to this world: spawns, changes and despawns the entities of the replica. The
    /// filters of this selection do not matter, only its components, which must be those of the
    /// delta; the types of the two worlds need not be the same.
    ///
    /// Each entity of the sender has an entity in this world, and every `Entity` in a component is
    /// mapped, at any depth. Components that are not selected stay as they are. A component that a
    /// received one requires and that is not selected is added with its default value. The changes
    /// of an entity that this world has despawned itself are left out.
    ///
    /// An entity is despawned as by [`World::despawn`], with the effects of relations on entities
    /// that were not received: this world's own children of a received entity are despawned with
    /// it. If a parent is no longer selected and its child still is, the child stays, and has no
    /// parent here until its parent is selected again; so it is with each relation to an entity
    /// that was not received, unless the relation may dangle (`gone = keep` or `mark`).
    ///
    /// Cost: that of reading the changes. A delta with new entities, or with ids of entities that
    /// were not received, also copies the list of all entities of this world, 4 bytes and a bit for
    /// each. If the delta has values of a component whose rule may refuse them (unique, key,
    /// relation), all values of the component are copied.
    ///
    /// # Errors
    /// If the bytes are damaged or are no delta of these components, if the delta does not start
    /// from the frame of the replica, if it exceeds a limit of the replica, or if a rule refuses a
    /// value. World and replica are unchanged then.
    ///
    /// # Panics
    /// If code of a component panics. If that happens while values are inserted, replaced or
    /// removed (a `Drop`, a hook, the `Default` of a required component), the delta is applied in
    /// part: [`clear`](Replica::clear) the replica, and ask for the whole state.
    pub fn apply(&self, world: &mut W, replica: &mut Replica, bytes: &[u8]) -> Result<Applied, DeltaError> {
        if bytes.len() > replica.most_bytes {
            let (found, limit) = (bytes.len() as u64, replica.most_bytes as u64);
            return Err(DeltaError::TooLarge { what: "bytes", found, limit });
        }
        memory::limited(replica.memory, bytes.len(), || self.apply_limited(world, replica, bytes))
    }

    /// Checks signature, checksum and selection, and returns a reader of the rest, and whether the
    /// delta is one of several frames.
    fn open<'b>(&self, bytes: &'b [u8]) -> Result<(DeltaReader<'b>, bool), DeltaError> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(DeltaError::NotADelta)?;
        let (rest, sum) = rest.split_last_chunk().ok_or(DeltaError::Corrupt)?;
        let (&found, rest) = rest.split_first().ok_or(DeltaError::Corrupt)?;
        if ![FORMAT, FORMAT_OF_FRAMES].contains(&found) {
            return Err(DeltaError::Format { found, known: FORMAT });
        }
        if hash_of([&bytes[..bytes.len() - 8]]) != u64::from_le_bytes(*sum) {
            return Err(DeltaError::Corrupt);
        }
        let (fingerprint, rest) = rest.split_first_chunk().ok_or(DeltaError::Corrupt)?;
        if ![self.fingerprint, self.former].contains(&u64::from_le_bytes(*fingerprint)) {
            return Err(DeltaError::OtherSelection { world: W::NAME });
        }
        Ok((DeltaReader { rest }, found == FORMAT_OF_FRAMES))
    }

    fn apply_limited(
        &self,
        world: &mut W,
        replica: &mut Replica,
        bytes: &[u8],
    ) -> Result<Applied, DeltaError> {
        let (mut input, of_frames) = self.open(bytes)?;
        let head = |fault: FormError| Self::content("head", fault);
        let (from, to) = (input.number().map_err(head)?, input.number().map_err(head)?);
        if to <= replica.frame {
            return Err(DeltaError::AlreadyApplied { to, at: replica.frame });
        }
        if from > replica.frame || from < replica.frame && !of_frames {
            return Err(DeltaError::OutOfOrder { from, at: replica.frame });
        }
        let mut arrivals = self.arrivals(world, replica, &mut input, of_frames)?;
        let mut applied = Applied::default();
        let mut columns = Vec::new();
        for at in 0..self.components.len() {
            columns.push(self.column(world, &arrivals, at, &mut input, &mut applied)?);
        }
        if !input.rest.is_empty() {
            return Err(Self::content(
                "end",
                format_args!("{} bytes remain after the last value", input.rest.len()),
            ));
        }
        self.admit(world, &arrivals, &mut columns)?;
        let (came, gone) = (core::mem::take(&mut arrivals.came), core::mem::take(&mut arrivals.gone));
        let gone_here = core::mem::take(&mut arrivals.gone_here);
        let (entities, unknown) = (arrivals.copy.into_inner(), arrivals.unknown.into_inner());
        for slot in &gone {
            replica.ids.remove(slot);
        }
        applied.spawned = came.len();
        if replica.unknown.len() + unknown.len() > UNKNOWN_IDS.max(2 * replica.ids.len()) {
            replica.unknown.clear(); // most of them are of entities that the sender has despawned
        }
        replica.unknown.extend(unknown);
        // the local id of an unknown id that is received now is not needed any more
        for (source, _) in came.values() {
            replica.unknown.remove(source);
        }
        let new: Vec<u32> = came.values().map(|(_, local)| local.slot()).collect();
        replica.ids.extend(came);
        replica.frame = to;
        if let Some(entities) = entities {
            world.entities_mut().replace(entities);
            journal::record_spawned(world, new.into_iter());
        }
        self.commit(world, replica, &gone_here, columns, &mut applied);
        Ok(applied)
    }

    /// Reads the entities that leave and come.
    fn arrivals<'r>(
        &self,
        world: &'r W,
        replica: &'r Replica,
        input: &mut DeltaReader<'_>,
        of_frames: bool,
    ) -> Result<Arrivals<'r>, DeltaError> {
        let fail = |fault: FormError| Self::content("entities", fault);
        let lowest = input.number().map_err(fail)?;
        let mut gone = if of_frames {
            let mut known = Vec::new();
            let each = |run| known.extend(replica.ids.range(run).map(|(slot, _)| slot));
            input.each_run(each).map_err(fail)?;
            known
        } else {
            input.slots(replica.ids.len()).map_err(fail)?
        };
        let mut new = new_entities(lowest, input).map_err(fail)?;
        if of_frames {
            retain_changes(replica, &mut gone, &mut new);
        }
        // check that the entities can leave and come
        if let Some(slot) = gone.iter().find(|slot| !replica.ids.contains_key(slot)) {
            return Err(fail(FormError::text(format_args!(
                "the entity in slot {slot} leaves, and was not received"
            ))));
        }
        let mut gone_here: Vec<Entity> =
            gone.iter().filter_map(|slot| Some(replica.ids.get(slot)?.1)).collect();
        gone_here.sort_unstable();
        let (found, limit) =
            ((replica.ids.len() - gone.len() + new.len()) as u64, replica.most_entities as u64);
        if found > limit {
            return Err(DeltaError::TooLarge { what: "entities", found, limit });
        }
        memory::charge(new.len() as u64 * FOR_AN_ENTITY).map_err(|error| fail(FormError::text(error)))?;
        // give local ids to those that come
        let mut arrivals = Arrivals {
            replica,
            living: world.__living(),
            copy: RefCell::new(None),
            came: BTreeMap::new(),
            of_frames,
            gone,
            gone_here,
            unknown: RefCell::default(),
        };
        let own = self.components.iter().fold(Words::EMPTY, |mut set, component| {
            set.0[component.index() / 64] |= 1 << (component.index() % 64);
            set
        });
        for source in new {
            let slot = source.slot();
            if arrivals.at(slot).is_some() {
                return Err(fail(FormError::text(format_args!(
                    "entity {source} comes, and its slot is taken"
                ))));
            }
            let local = arrivals.allocate(|entities| entities.spawn_set(own));
            arrivals.came.insert(slot, (source, local));
        }
        Ok(arrivals)
    }

    /// Reads the changes of one component.
    fn column(
        &self,
        world: &W,
        arrivals: &Arrivals<'_>,
        at: usize,
        input: &mut DeltaReader<'_>,
        applied: &mut Applied,
    ) -> Result<ReadColumn, DeltaError> {
        let (component, name) = (&self.components[at], self.names[at]);
        let fail = |fault: FormError| Self::content(format!("component `{name}`"), fault);
        let most = arrivals.replica.ids.len() + arrivals.came.len();
        let removed = if arrivals.of_frames {
            arrivals.received(input).map_err(fail)?
        } else {
            input.slots(most).map_err(fail)?
        };
        let slots = input.slots(most).map_err(fail)?;
        let mut target = |slot: u32| match arrivals.at(slot) {
            None => Err(fail(FormError::text(format_args!("slot {slot} has no received entity")))),
            Some((_, local)) if arrivals.with_entities(|entities| entities.contains(local)) => {
                Ok(Some(local))
            }
            Some(_) => {
                applied.missing += 1;
                Ok(None)
            }
        };
        let lost = removed.iter().map(|&slot| target(slot)).collect::<Result<Vec<_>, _>>()?;
        let targets = slots.iter().map(|&slot| target(slot)).collect::<Result<Vec<_>, _>>()?;
        let length = usize::try_from(input.number().map_err(fail)?).unwrap_or(usize::MAX);
        let bytes = input.take(length).map_err(fail)?;
        let is_alive = |local: Entity| {
            arrivals.gone_here.binary_search(&local).is_err()
                && arrivals.with_entities(|entities| entities.contains(local))
        };
        let values = component.read(world, bytes, targets, &|id| arrivals.map(id), &is_alive).map_err(
            |(at, fault)| {
                let of = slots.get(at).and_then(|&slot| arrivals.at(slot));
                let of = of.map_or_else(String::new, |(source, _)| format!(" of entity {source}"));
                Self::content(format!("component `{name}`{of}"), fault)
            },
        )?;
        let sorted = |mut slots: Vec<u32>| {
            slots.sort_unstable();
            slots
        };
        let lost = lost.iter().flatten().map(|entity| entity.slot());
        let lost = sorted(lost.chain(values.unrelated.iter().copied()).collect());
        let gets = sorted(values.slots().collect());
        Ok(ReadColumn { lost, values, gets })
    }

    /// Checks that the rules of components accept the values.
    fn admit(
        &self,
        world: &W,
        arrivals: &Arrivals<'_>,
        columns: &mut [ReadColumn],
    ) -> Result<(), DeltaError> {
        let leaves = |slot: &u32| {
            let (_, local) = arrivals.replica.ids.get(slot)?;
            world.contains(*local).then_some(local.slot())
        };
        let mut gone: Vec<u32> = arrivals.gone.iter().filter_map(leaves).collect();
        gone.sort_unstable();
        let fail = |at: usize, slot: u32, reason: String| {
            let local = |(_, local): &&(Entity, Entity)| local.slot() == slot;
            let received = arrivals.came.values().chain(arrivals.replica.ids.values());
            let of = received
                .into_iter()
                .find(local)
                .map_or_else(|| format!(" of slot {slot}"), |(source, _)| format!(" of entity {source}"));
            Self::content(format!("component `{}`{of}", self.names[at]), reason)
        };
        for (at, component) in self.components.iter().enumerate().filter(|(_, component)| component.refuses())
        {
            if columns[at].gets.is_empty() {
                continue;
            }
            for other in excluded_by::<W>(component.index()).indices() {
                let selected = self.components.iter().position(|component| component.index() == other);
                let has = |slot: &&u32| {
                    let has = table(world, other).is_some_and(|table| table.contains(**slot));
                    let (lost, gets) = selected.map_or((false, false), |at| {
                        (has_slot(&columns[at].lost, **slot), has_slot(&columns[at].gets, **slot))
                    });
                    gets || has && !lost
                };
                if let Some(&slot) = columns[at].gets.iter().find(has) {
                    let reason =
                        format!("its entity has `{}`, and the two exclude each other", W::COMPONENTS[other]);
                    return Err(fail(at, slot, reason));
                }
            }
            if let Some((slot, reason)) = self.lacking(world, columns, at) {
                return Err(fail(at, slot, reason));
            }
            let column = &mut columns[at];
            let lost = |slot: u32| has_slot(&column.lost, slot) || has_slot(&gone, slot);
            let stays = |local: Entity| arrivals.gone_here.binary_search(&local).is_err();
            arrivals
                .with_entities(|entities| component.admit(world, &mut column.values, &lost, &stays, entities))
                .map_err(|(slot, reason)| fail(at, slot, reason))?;
        }
        Ok(())
    }

    /// The slot of a new relation to a target that will lack a component which targets of the
    /// relation have, and the reason.
    fn lacking(&self, world: &W, columns: &[ReadColumn], at: usize) -> Option<(u32, String)> {
        let own = |other| self.components.iter().position(|component| component.index() == other);
        let has = |other: usize, slot: u32| {
            let has = table(world, other).is_some_and(|table| table.contains(slot));
            if let Some(at) = own(other) {
                return has_slot(&columns[at].gets, slot) || has && !has_slot(&columns[at].lost, slot);
            }
            // a required component that is not selected is added
            let gives = |(component, column): (&SelectedComponent, &ReadColumn)| {
                W::CLOSURES[component.index()].contains(other) && has_slot(&column.gets, slot)
            };
            has || self.components.iter().zip(columns).any(gives)
        };
        let named = targets::of_saved::<W>(self.components[at].index());
        let lacking = |target: Entity| named.indices().find(|&other| !has(other, target.slot()));
        let (values, is_wrong) = (&columns[at].values, |target| lacking(target).is_some());
        let (slot, target) = self.components[at].find_target(values, &is_wrong)?;
        Some((slot, Reason::TargetLacks(target, W::COMPONENTS[lacking(target)?]).to_string()))
    }

    /// Changes the world, after everything was checked. `gone` is sorted.
    fn commit(
        &self,
        world: &mut W,
        replica: &Replica,
        gone: &[Entity],
        columns: Vec<ReadColumn>,
        applied: &mut Applied,
    ) {
        let own =
            self.components.iter().fold(ComponentSet::EMPTY, |set, component| set.with(component.index()));
        let received = OnceCell::new();
        let is_received = |entity: Entity| {
            let received: &BTreeSet<Entity> =
                received.get_or_init(|| replica.ids.values().map(|&(_, local)| local).collect());
            received.contains(&entity)
        };
        // the sender says which received entities have the mark of a relation, if it is selected
        let unmarked = |relation: usize, source: Entity| {
            W::OFFSETS[relation].mark.is_some_and(|mark| own.contains(mark.component)) && is_received(source)
        };
        let is_of_targets =
            |component: &SelectedComponent| TargetRules::<W>::COMPONENTS.contains(component.index());
        let losing = self.components.iter().zip(&columns).filter(|(component, _)| is_of_targets(component));
        let losing = losing.flat_map(|(_, column)| &column.lost);
        let losing: Vec<Entity> = losing.map(|&slot| world.__living().at(slot as usize)).collect();
        // to the end: a policy may despawn sources, which may get another target
        let losing = targets::losing_each(world, losing.into_iter(), Some(&unmarked));
        let world = &mut *losing.world;
        // first what makes room for other values: a unique component goes from one entity to
        // another, two keys are exchanged
        for (component, column) in self.components.iter().zip(&columns) {
            applied.removed += column.lost.iter().filter(|&&slot| component.take(world, slot)).count();
            if component.refuses() {
                for &entity in gone {
                    if world.contains(entity) {
                        component.take(world, entity.slot());
                    }
                }
            }
            if component.is_key() {
                for &slot in &column.gets {
                    component.take(world, slot);
                }
            }
        }
        let mut incomplete: Vec<(usize, Vec<u32>)> = Vec::new();
        for (at, (component, column)) in self.components.iter().zip(columns).enumerate() {
            if !W::CLOSURES[component.index()].minus(own).is_empty() {
                incomplete.push((at, column.gets));
            }
            applied.inserted += component.put(world, column.values);
        }
        for (at, slots) in incomplete {
            for slot in slots {
                self.components[at].fill(world, slot, own);
            }
        }
        if !gone.is_empty() {
            for component in &self.components {
                component.detach(world, gone, &is_received);
            }
        }
        let mut rest = gone.iter();
        discard::despite_panics(&mut || {
            let despawned = rest.next().map(|&entity| discard::despawn_unmarked(world, entity, &unmarked));
            applied.despawned += usize::from(despawned == Some(true));
            despawned.is_some()
        });
    }
}

fn has_slot(sorted: &[u32], slot: u32) -> bool {
    sorted.binary_search(&slot).is_ok()
}
