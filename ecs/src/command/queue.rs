//! [`CommandQueue`]: the commands of one system, in the order in which they were given.
//!
//! Commands of different types are stored one after the other in one buffer, each behind a
//! [`CommandHeader`] with its functions, so that a command needs no allocation of its own. The
//! first call of [`CommandQueue::staged`] builds an index of the commands by entity, which is kept
//! up to date until the queue is emptied.
#![expect(unsafe_code, reason = "values of any type are moved into a buffer and out of it")]

use alloc::boxed::Box;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::any::{Any, type_name};
use core::marker::PhantomData;
use core::mem::{MaybeUninit, align_of, size_of};
use core::num::NonZeroU32;

use super::failed_command::{self, Origin};
use crate::base::component_set::SpawnSet;
use crate::base::thread_safe::ThreadSafe;
use crate::bundle::batch::{put, put_new};
use crate::bundle::{BundleComponents, IntoComponents, IsBundle};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::entity::reserved_slots::Reservation;
use crate::entity::spawn_sites::SpawnSite;
use crate::event::SentTo;
use crate::raw_world::{RawWorld, WorldFields, discard, journal, targets};

/// The effect that a command will have on a component of its entity, or on the entity.
pub(crate) enum StagedChange<'q> {
    /// No effect.
    Unchanged,
    /// The entity is spawned, without the component.
    Spawned,
    /// The component gets this value.
    Value(&'q dyn Any),
    /// The component is required by another one: it gets a default value if the entity does not
    /// have it.
    Required,
    /// The component is removed.
    Removed,
    /// The entity is despawned.
    Despawned,
}

/// A change of a world that is stored in a queue and applied later.
///
/// Queues are sent and shared between threads, therefore commands are `Send` and `Sync`.
pub(crate) trait Command<W: RawWorld>: Sized + Send + Sync + 'static {
    /// Whether the command makes its entity, whose id is reserved, alive.
    const SPAWNS: bool = false;
    /// The components of the entity that the command spawns, if its id may be reserved after the
    /// command was given.
    const SPAWN_SET: Option<&'static SpawnSet> = None;
    /// The effect on the component with this index; on the entity itself, if no component has the
    /// index.
    fn staged(&self, _component: usize) -> StagedChange<'_> {
        StagedChange::Unchanged
    }
    /// Applies the command.
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin);
}

/// Command: spawns an entity with a reserved id, and then calls a function with the world and the
/// entity.
pub(crate) struct Spawn<W, P, F>(pub(crate) BundleCommand<W, P>, pub(crate) F);
/// Command: adds or replaces components; if `NEW`, only if the entity has none of them.
pub(crate) struct Insert<W, P, const NEW: bool>(pub(crate) BundleCommand<W, P>);
/// Command: removes components.
pub(crate) struct Remove<P>(PhantomData<fn() -> P>);
/// Command: despawns an entity; if `IF_ALIVE`, it need not exist.
pub(super) struct Despawn<const IF_ALIVE: bool>;
/// Command: sends an event.
pub(super) struct SendEvent<E>(pub(super) E);
/// Command: calls a closure with the world.
pub(super) struct RunClosure<F>(pub(super) F);

impl<P> Remove<P> {
    pub(crate) const NEW: Self = Self(PhantomData);
}

/// The components of a bundle that a command owns.
pub(crate) struct BundleCommand<W, P> {
    components: P,
    site: SpawnSite,
    world: PhantomData<fn(W)>,
}

// SAFETY: the fields of `P` are components of `W`, by the contract of `BundleComponents`, and so
// they are `Send`.
unsafe impl<W: RawWorld, P: BundleComponents<W>> Send for BundleCommand<W, P> {}
// SAFETY: the fields of `P` are components of `W`, by the contract of `BundleComponents`, and so
// they are `Sync`.
unsafe impl<W: RawWorld, P: BundleComponents<W>> Sync for BundleCommand<W, P> {}

impl<W: RawWorld, P: BundleComponents<W>> BundleCommand<W, P> {
    #[inline(always)]
    #[cfg_attr(debug_assertions, track_caller)]
    pub(crate) fn new<B: IsBundle<W> + IntoComponents<W, B::Shape, BundleComponents = P>>(bundle: B) -> Self {
        Self::at(bundle, SpawnSite::of_caller())
    }

    /// A bundle that is spawned at a place in the source.
    #[inline(always)]
    pub(crate) fn at<B: IsBundle<W> + IntoComponents<W, B::Shape, BundleComponents = P>>(
        bundle: B,
        site: SpawnSite,
    ) -> Self {
        Self { components: bundle.into_components(), site, world: PhantomData }
    }
}

impl<W: RawWorld, P: BundleComponents<W>> BundleCommand<W, P> {
    /// Spawns an entity, whose id is reserved, with the components. Returns whether it was spawned.
    #[inline(always)]
    pub(crate) fn spawn(self, world: &mut W, entity: Entity, origin: &Origin) -> bool {
        if !world.entities_mut().revive(entity) {
            failed_command::report(world, entity, "spawn", type_name::<P>(), None, origin);
            return false;
        }
        self.give_new(world, entity, origin)
    }

    /// Gives the components to an entity that was made alive for them; despawns it if a rule
    /// refuses one. Returns whether it has them.
    #[inline(always)]
    pub(crate) fn give_new(self, world: &mut W, entity: Entity, origin: &Origin) -> bool {
        // a function constant: see `docs/compile-times.md`
        if let Some(refuse_by_rule) = const { P::REFUSE } {
            let unless_accepted = DespawnRefused { world, entity };
            if let Some(refused) = refuse_by_rule(&self.components, unless_accepted.world, Some(entity)) {
                drop(unless_accepted);
                failed_command::report(world, entity, "spawn", type_name::<P>(), Some(refused), origin);
                return false;
            }
            core::mem::forget(unless_accepted);
        }
        put_new(world, entity, self.components);
        world.entities_mut().note_site(entity, self.site);
        true
    }
}

/// Guard while the rules of a new entity's components are asked: the entity is despawned if one
/// refuses its value or panics.
struct DespawnRefused<'w, W: RawWorld> {
    world: &'w mut W,
    entity: Entity,
}

impl<W: RawWorld> Drop for DespawnRefused<'_, W> {
    fn drop(&mut self) {
        journal::record(self.world, RecordedAction::Spawned, self.entity);
        let _ = discard::despawn(self.world, self.entity);
    }
}

/// The set of components of entities that are spawned with a bundle.
pub(crate) struct SpawnSetOf<W, P>(PhantomData<(W, P)>);

impl<W: RawWorld, P: BundleComponents<W>> SpawnSetOf<W, P> {
    pub(crate) const SET: &'static SpawnSet = &P::SET.spawn_set(W::COMPONENT_NAMES.len());
}

/// The effect of a command that gives its entity the components of a bundle; `otherwise` on
/// components that are not in the bundle.
fn given<'q, W: RawWorld, P: BundleComponents<W>>(
    bundle: &'q BundleCommand<W, P>,
    component: usize,
    otherwise: StagedChange<'q>,
) -> StagedChange<'q> {
    match bundle.components.value(component) {
        Some(value) => StagedChange::Value(value),
        None if P::SET.contains(component) => StagedChange::Required,
        None => otherwise,
    }
}

impl<W, P, F> Command<W> for Spawn<W, P, F>
where
    W: RawWorld,
    P: BundleComponents<W> + 'static,
    F: FnOnce(&mut W, Entity, &Origin) + Send + Sync + 'static,
{
    const SPAWNS: bool = true;
    const SPAWN_SET: Option<&'static SpawnSet> = Some(SpawnSetOf::<W, P>::SET);
    fn staged(&self, component: usize) -> StagedChange<'_> {
        given(&self.0, component, StagedChange::Spawned)
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        if self.0.spawn(world, entity, origin) {
            (self.1)(world, entity, origin);
        }
    }
}

/// The function of a [`Spawn`] that does nothing more.
#[inline(always)]
pub(super) fn nothing<W>(_: &mut W, _: Entity, _: &Origin) {}

impl<W: RawWorld, P: BundleComponents<W> + 'static, const NEW: bool> Command<W> for Insert<W, P, NEW> {
    fn staged(&self, component: usize) -> StagedChange<'_> {
        given(&self.0, component, StagedChange::Unchanged)
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        let fits =
            world.__living().contains(entity) && !(NEW && P::find(world, entity.slot(), true).is_some());
        match self.0.components.refuse(world, Some(entity)) {
            None if fits => drop(put(world, entity, self.0.components)),
            refused => {
                let command = if NEW { "insert_if_new" } else { "insert" };
                let refused = refused.filter(|_| fits);
                failed_command::report(world, entity, command, type_name::<P>(), refused, origin);
            }
        }
    }
}

impl<W: RawWorld, P: BundleComponents<W> + 'static> Command<W> for Remove<P> {
    fn staged(&self, component: usize) -> StagedChange<'_> {
        if P::OWN.contains(component) { StagedChange::Removed } else { StagedChange::Unchanged }
    }
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        if world.__living().contains(entity) {
            let losing = targets::losing(world, [entity]);
            drop(P::take(losing.world, entity));
        } else {
            failed_command::report(world, entity, "remove", type_name::<P>(), None, origin);
        }
    }
}

impl<W: RawWorld, const IF_ALIVE: bool> Command<W> for Despawn<IF_ALIVE> {
    fn staged(&self, _: usize) -> StagedChange<'_> {
        StagedChange::Despawned
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: &Origin) {
        if !discard::despawn(world, entity) && !IF_ALIVE {
            failed_command::report(world, entity, "despawn", "", None, origin);
        }
    }
}

impl<W: RawWorld, E: SentTo<W> + ThreadSafe> Command<W> for SendEvent<E> {
    fn apply(self, world: &mut W, _: Entity, _: &Origin) {
        self.0.send_to(world);
    }
}

impl<W: RawWorld, F: FnOnce(&mut W) + Send + Sync + 'static> Command<W> for RunClosure<F> {
    fn apply(self, world: &mut W, _: Entity, origin: &Origin) {
        self.call(world, origin);
    }
}

impl<F> RunClosure<F> {
    /// Calls the closure, which is not part of the flush: it may run systems, which must see the
    /// removals that it causes. It may replace the world.
    pub(super) fn call<W: RawWorld>(self, world: &mut W, origin: &Origin)
    where
        F: FnOnce(&mut W),
    {
        discard::set_flushing(world, false);
        (self.0)(world);
        discard::set_flushing(world, true);
        origin.check_world(world);
    }
}

/// A word of the buffer.
type Word = MaybeUninit<u64>;

/// The functions of a command type, and the size of its record.
struct CommandVTable<W> {
    /// The number of words after the header.
    words: u32,
    spawns: bool,
    spawn_set: Option<&'static SpawnSet>,
    /// Moves the command out of the buffer and applies it.
    apply: unsafe fn(*mut Word, &mut W, Entity, &Origin),
    /// Moves the command out of the buffer and drops it.
    discard: unsafe fn(*mut Word),
    /// The effect of the command, whose record is the begin of these words.
    staged: unsafe fn(&[Word], usize) -> StagedChange<'_>,
}

/// The header of a record; the command follows it.
struct CommandHeader<W: 'static> {
    vtable: &'static CommandVTable<W>,
    entity: Entity,
    /// The position of the previous record of the same entity, or [`NONE`]. Set only if the queue
    /// has an index.
    previous: u32,
}

copy!([W] CommandHeader<W>);

/// No position.
const NONE: u32 = u32::MAX;

/// The entity of commands that change no entity.
pub(crate) const NO_ENTITY: Entity = Entity::from_parts(u32::MAX, NonZeroU32::MAX);

/// A queue of commands of different types.
///
/// # Invariants
/// From `start` to `words.len()` the buffer consists of records. A record is a [`CommandHeader`],
/// followed by `vtable.words` words that hold an initialised command of the type of the vtable, or
/// the address of a box with it. The queue owns these commands.
pub(crate) struct CommandQueue<W: 'static> {
    words: Vec<Word>,
    /// The position of the first record that was not taken out.
    start: usize,
    len: usize,
    /// The position of the last record of each entity; built by the first call of
    /// [`staged`](Self::staged).
    index: Option<BTreeMap<Entity, u32>>,
    owns: PhantomData<W>,
}

// SAFETY: the queue owns commands, which are `Send` by the contract of `Command`.
unsafe impl<W: RawWorld> Send for CommandQueue<W> {}
// SAFETY: the queue owns commands, which are `Sync` by the contract of `Command`.
unsafe impl<W: RawWorld> Sync for CommandQueue<W> {}

/// Drops an index. It is not generic, so that the drop of the map is compiled once, with the
/// library.
fn forget(index: &mut Option<BTreeMap<Entity, u32>>) {
    *index = None;
}

struct VTableOf<W, O>(PhantomData<(W, O)>);

impl<W: RawWorld, O: Command<W>> VTableOf<W, O> {
    /// Whether the command is stored in the buffer itself, which has the alignment of a word;
    /// otherwise it is stored in a box.
    const INLINE: bool = align_of::<O>() <= align_of::<Word>();
    const WORDS: usize = if Self::INLINE { size_of::<O>().div_ceil(size_of::<Word>()) } else { 1 };
    const VTABLE: &'static CommandVTable<W> = &CommandVTable {
        words: Self::WORDS as u32,
        spawns: O::SPAWNS,
        spawn_set: O::SPAWN_SET,
        apply: Self::apply,
        discard: Self::discard,
        staged: Self::staged,
    };

    /// Moves the command out of the buffer.
    ///
    /// # Safety
    /// `at` is the position of a command of type `O` that `write` has written and that was not
    /// moved out since.
    unsafe fn read(at: *mut Word) -> O {
        // SAFETY: the caller promises that `write` wrote the command, or its box, at this position,
        // and that it is moved out once.
        unsafe {
            if Self::INLINE { at.cast::<O>().read() } else { *Box::from_raw(at.cast::<*mut O>().read()) }
        }
    }

    /// Moves a command into the buffer.
    ///
    /// # Safety
    /// The buffer has room for `WORDS` words from `at` on.
    unsafe fn write(at: *mut Word, command: O) {
        // SAFETY: the caller promises the room; the buffer has the alignment of a word, which is
        // enough if `INLINE`, and for a pointer.
        unsafe {
            if Self::INLINE {
                at.cast::<O>().write(command);
            } else {
                at.cast::<*mut O>().write(Box::into_raw(Box::new(command)));
            }
        }
    }

    unsafe fn apply(at: *mut Word, world: &mut W, entity: Entity, origin: &Origin) {
        // SAFETY: the caller takes the command out of the queue, by the contract of
        // `CommandQueue::next`.
        unsafe { Self::read(at) }.apply(world, entity, origin);
    }

    unsafe fn discard(at: *mut Word) {
        // SAFETY: the caller takes the command out of the queue, by the contract of
        // `CommandQueue::next`.
        drop(unsafe { Self::read(at) });
    }

    unsafe fn staged(record: &[Word], component: usize) -> StagedChange<'_> {
        let at = record.as_ptr();
        // SAFETY: a command of type `O`, or the address of its box, is the begin of the record,
        // which is borrowed and not moved out.
        let command = unsafe { if Self::INLINE { &*at.cast::<O>() } else { &**at.cast::<*const O>() } };
        command.staged(component)
    }
}

impl<W: 'static> CommandQueue<W> {
    const HEAD: usize = size_of::<CommandHeader<W>>().div_ceil(size_of::<Word>());

    pub(crate) const fn new() -> Self {
        const { assert!(align_of::<CommandHeader<W>>() <= align_of::<Word>()) };
        Self { words: Vec::new(), start: 0, len: 0, index: None, owns: PhantomData }
    }

    /// The number of commands.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The header of the record at a position.
    ///
    /// # Safety
    /// A record begins at this position.
    unsafe fn head(&self, at: usize) -> CommandHeader<W> {
        // SAFETY: the caller promises that a record begins there, which begins with an initialised
        // header.
        unsafe { *self.words.as_ptr().add(at).cast::<CommandHeader<W>>() }
    }

    /// The positions and headers of all records.
    fn records(&self) -> impl Iterator<Item = (usize, CommandHeader<W>)> {
        self.records_from(self.start)
    }

    /// The records from `at` on, which is 0 or the position of a record.
    fn records_from(&self, mut at: usize) -> impl Iterator<Item = (usize, CommandHeader<W>)> {
        core::iter::from_fn(move || {
            (at < self.words.len()).then(|| {
                // SAFETY: by the invariant, records follow each other to the end of the buffer.
                // Headers of records whose command was taken out are as they were.
                let (here, head) = (at, unsafe { self.head(at) });
                at += Self::HEAD + head.vtable.words as usize;
                (here, head)
            })
        })
    }

    /// The effect of all commands together on a component of an entity; on the entity itself, if no
    /// component has the index.
    pub(super) fn staged(&mut self, entity: Entity, component: usize) -> StagedChange<'_> {
        if self.index.is_none() {
            self.make_index();
        }
        let mut answer = StagedChange::Unchanged;
        let mut at = self.index.as_ref().and_then(|index| index.get(&entity)).copied().unwrap_or(NONE);
        while at != NONE {
            // SAFETY: the index, and `previous`, hold positions of records only.
            let head = unsafe { self.head(at as usize) };
            // SAFETY: by the invariant, a command of the vtable's type follows the header.
            let staged = unsafe { (head.vtable.staged)(&self.words[at as usize + Self::HEAD..], component) };
            match (&answer, staged) {
                (_, StagedChange::Despawned) => return StagedChange::Despawned, // later commands cannot undo it
                (StagedChange::Unchanged, staged) => answer = staged,
                _ => {}
            }
            at = head.previous;
        }
        answer
    }

    fn make_index(&mut self) {
        let mut index = BTreeMap::new();
        let positions: Vec<(usize, Entity)> = self.records().map(|(at, head)| (at, head.entity)).collect();
        for (at, entity) in positions {
            let previous = index.insert(entity, at as u32).unwrap_or(NONE);
            // SAFETY: `records` gives positions of records, which begin with a header.
            unsafe { (*self.words.as_mut_ptr().add(at).cast::<CommandHeader<W>>()).previous = previous };
        }
        self.index = Some(index);
    }

    /// Takes the next command out of the queue: its vtable, its address (valid until the queue
    /// changes), and its entity.
    ///
    /// # Safety
    /// The caller owns the command: it calls `apply` or `discard` of the vtable with the address,
    /// once.
    #[inline]
    unsafe fn next(&mut self) -> Option<(&'static CommandVTable<W>, *mut Word, Entity)> {
        if self.start == self.words.len() {
            return None;
        }
        // SAFETY: by the invariant, a record begins at `start`, and its words follow its header.
        unsafe {
            let head = self.head(self.start);
            let at = self.words.as_mut_ptr().add(self.start + Self::HEAD);
            self.start += Self::HEAD + head.vtable.words as usize;
            self.len -= 1;
            Some((head.vtable, at, head.entity))
        }
    }

    /// Makes the buffer, whose commands were taken out, ready for new ones.
    fn reuse(&mut self) {
        self.words.clear();
        self.start = 0;
    }

    /// The entities that the commands of the queue spawn, those of commands that were taken out
    /// included.
    pub(super) fn all_spawned(&self) -> impl Iterator<Item = Entity> {
        self.records_from(0).filter(|(_, head)| head.vtable.spawns).map(|(_, head)| head.entity)
    }

    /// The entities that the waiting commands of the queue spawn.
    pub(super) fn spawned(&self) -> impl Iterator<Item = Entity> {
        self.records().filter(|(_, head)| head.vtable.spawns).map(|(_, head)| head.entity)
    }

    /// Releases the ids that the commands of the queue have reserved, if it is this allocator that
    /// has reserved them.
    pub(super) fn give_up(&self, entities: &mut Entities, reservation: Reservation) {
        if entities.knows(reservation) {
            self.spawned().for_each(|entity| entities.give_up(entity));
        }
    }

    /// Drops all commands. If a drop panics, the remaining commands are dropped, too.
    pub(super) fn clear(&mut self) {
        struct DropRemaining<'q, W: 'static>(&'q mut CommandQueue<W>);
        impl<W: 'static> DropRemaining<'_, W> {
            fn run(&mut self) {
                // SAFETY: each command is moved out by `discard`, once.
                while let Some((vtable, at, _)) = unsafe { self.0.next() } {
                    // SAFETY: `next` has just returned the address, and the queue does not change
                    // during the call.
                    unsafe { (vtable.discard)(at) };
                }
                self.0.words.clear();
                self.0.start = 0;
            }
        }
        impl<W: 'static> Drop for DropRemaining<'_, W> {
            fn drop(&mut self) {
                self.run();
            }
        }
        forget(&mut self.index);
        DropRemaining(self).run();
    }
}

impl<W: RawWorld> CommandQueue<W> {
    /// Adds a command.
    #[inline]
    pub(crate) fn push<O: Command<W>>(&mut self, entity: Entity, command: O) {
        let (at, words) = (self.words.len(), Self::HEAD + VTableOf::<W, O>::WORDS);
        self.words.reserve(words);
        assert!(at + words < NONE as usize, "too many commands in one stage of world `{}`", W::WORLD_NAME);
        let previous = match &mut self.index {
            Some(index) => index.insert(entity, at as u32).unwrap_or(NONE),
            None => NONE,
        };
        let head = CommandHeader { vtable: VTableOf::<W, O>::VTABLE, entity, previous };
        // SAFETY: `reserve` made room for `words` words. Header and command are written before the
        // length includes them.
        unsafe {
            let start = self.words.as_mut_ptr().add(at);
            start.cast::<CommandHeader<W>>().write(head);
            VTableOf::<W, O>::write(start.add(Self::HEAD), command);
            self.words.set_len(at + words);
        }
        self.len += 1;
    }

    /// Adds commands, and returns the ids of their entities.
    pub(super) fn push_all<O: Command<W>>(
        &mut self,
        commands: impl Iterator<Item = (Entity, O)>,
    ) -> ReservedIds<'_, W> {
        let (at, len) = (self.words.len(), self.len);
        commands.for_each(|(entity, command)| self.push(entity, command));
        ReservedIds { left: self.len - len, at, queue: self }
    }

    /// Moves the commands of another queue to the end of this one. `reserve` returns the id for
    /// each entity that they spawn: these commands have the entity [`NO_ENTITY`].
    pub(super) fn append(&mut self, other: &mut Self, mut reserve: impl FnMut(&'static SpawnSet) -> Entity) {
        forget(&mut self.index); // the next call of `staged` builds it again
        forget(&mut other.index);
        let mut at = self.words.len();
        let words = other.words.len() - other.start;
        assert!(at + words < NONE as usize, "too many commands in one stage of world `{}`", W::WORLD_NAME);
        self.words.reserve(words);
        // SAFETY: the records of `other` begin at `start`, by the invariant. They are moved to the
        // end of this buffer, which has room for them, and which another queue does not overlap.
        // The length of `other` is set to zero, so that it does not own them any more.
        unsafe {
            let from = other.words.as_ptr().add(other.start);
            core::ptr::copy_nonoverlapping(from, self.words.as_mut_ptr().add(at), words);
            other.words.set_len(0);
            self.words.set_len(at + words);
        }
        self.len += other.len;
        (other.start, other.len) = (0, 0);
        while at < self.words.len() {
            // SAFETY: records follow each other from `at`, where the first record of `other`
            // begins, to the end of the buffer.
            let head = unsafe { self.head(at) };
            if let Some(set) = head.vtable.spawn_set.filter(|_| head.entity == NO_ENTITY) {
                let head = CommandHeader { entity: reserve(set), ..head };
                // SAFETY: a record begins at this position, and so its header.
                unsafe { self.words.as_mut_ptr().add(at).cast::<CommandHeader<W>>().write(head) };
            }
            at += Self::HEAD + head.vtable.words as usize;
        }
    }

    /// Applies the commands, in order, up to one that replaces the world if none has replaced it
    /// before. Commands for the entities `lost`, whose ids were reserved in a former world, fail.
    /// If a command panics, the commands after it stay in the queue.
    pub(super) fn apply(&mut self, world: &mut W, origin: &Origin, lost: &BTreeSet<Entity>) {
        forget(&mut self.index);
        let was_replaced = origin.is_replaced();
        while origin.is_replaced() == was_replaced {
            // SAFETY: each command is moved out by `apply`, once.
            let Some((vtable, at, mut entity)) = (unsafe { self.next() }) else { return self.reuse() };
            if !lost.is_empty() {
                origin.lost.set(lost.get(&entity).copied());
                entity = origin.lost().map_or(entity, |_| NO_ENTITY);
            }
            // SAFETY: `next` has just returned the address, and the queue does not change during
            // the call.
            unsafe { (vtable.apply)(at, world, entity, origin) };
        }
    }
}

impl<W: 'static> Drop for CommandQueue<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Iterator over the ids of entities that commands will spawn, in the order of the bundles: the
/// result of [`Commands::spawn_batch`](super::Commands::spawn_batch).
///
/// # Invariants
/// At least `left` records follow each other from the position `at` on.
pub struct ReservedIds<'c, W: RawWorld> {
    queue: &'c CommandQueue<W>,
    at: usize,
    left: usize,
}

impl<W: RawWorld> Iterator for ReservedIds<'_, W> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: by the invariant, a record begins at this position.
        let head = unsafe { self.queue.head(self.at) };
        self.at += CommandQueue::<W>::HEAD + head.vtable.words as usize;
        Some(head.entity)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<W: RawWorld> ExactSizeIterator for ReservedIds<'_, W> {}

clone!([W: RawWorld] ReservedIds<'_, W> { queue, at, left });
debug!([W: RawWorld] ReservedIds<'_, W>, |this, f| f.debug_list().entries(this.clone()).finish());
