//! The commands of one place, in the order in which they were given.
//!
//! Records of different types lie one after the other in one buffer, each behind a head that says what to do with it:
//! a command costs no allocation of its own. Who asks what is staged makes an index of records by entity, which is kept
//! from then on until the queue is emptied.
#![expect(unsafe_code, reason = "values of any type are moved into a buffer and out of it")]

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::any::type_name;
use core::marker::PhantomData;
use core::mem::{MaybeUninit, align_of, size_of};
use core::num::NonZeroU32;

use super::failed_command::{self, Origin};
use crate::bundle::BundleComponents;
use crate::bundle::batch::{put, put_new};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::world::{World, WorldCell, discard};

/// What a record says about a component of its entity, or about the entity.
pub(super) enum StagedChange {
    /// Nothing.
    Unchanged,
    /// The entity is spawned, without the component.
    Spawned,
    /// It gets this value.
    Value(*const ()),
    /// It gets a default value, unless it has one.
    Required,
    /// The component is taken away.
    Removed,
    /// The entity is despawned.
    Despawned,
}

/// A command as a value.
///
/// # Safety
/// The address in [`StagedChange::Value`] is within `self`, and is that of a value of the component with this index. The command is
/// `Send` and `Sync`, as components of `W` are: a queue of commands is sent and shared between threads.
pub(super) unsafe trait Command<W: World>: Sized {
    /// Whether its entity lives from then on.
    const SPAWNS: bool = false;
    /// What it says of a component, by index.
    fn staged(&self, _component: usize) -> StagedChange {
        StagedChange::Unchanged
    }
    /// Does it.
    fn apply(self, world: &mut W, entity: Entity, origin: Origin);
}

/// Makes an entity live.
pub(super) struct Spawn<P>(pub(super) P);
/// Gives components.
pub(super) struct Insert<P>(pub(super) P);
/// Gives components if none of them is there.
pub(super) struct TryInsert<P>(pub(super) P);
/// Takes components away.
pub(super) struct Remove<P>(PhantomData<fn() -> P>);
/// Ends a life.
pub(super) struct Despawn;
/// Ends a life, if it has not ended.
pub(super) struct TryDespawn;
/// Anything.
pub(super) struct Run<F>(pub(super) F);

impl<P> Remove<P> {
    pub(super) const NEW: Self = Self(PhantomData);
}

fn given<W: World, P: BundleComponents<W>>(
    parts: &P,
    component: usize,
    otherwise: StagedChange,
) -> StagedChange {
    match parts.value(component) {
        Some(value) => StagedChange::Value(value),
        None if P::SET.contains(component) => StagedChange::Required,
        None => otherwise,
    }
}

// SAFETY: the value is that of the parts, and parts are `Send` and `Sync` by the contract of `BundleComponents`.
unsafe impl<W: World, P: BundleComponents<W>> Command<W> for Spawn<P> {
    const SPAWNS: bool = true;
    fn staged(&self, component: usize) -> StagedChange {
        given(&self.0, component, StagedChange::Spawned)
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        if !unsafe { WorldCell::new(world).entities_mut() }.revive(entity) {
            return failed_command::report(world, entity, "spawn", type_name::<P>(), None, origin);
        }
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        match unsafe { self.0.refuse(WorldCell::new(world), Some(entity)) } {
            // SAFETY: as above.
            None => unsafe { put_new(WorldCell::new(world), entity, self.0) },
            Some(refused) => {
                // without one of its components it is not what was to be spawned
                let _ = world.despawn(entity);
                failed_command::report(world, entity, "spawn", type_name::<P>(), Some(refused), origin);
            }
        }
    }
}

// SAFETY: as above.
unsafe impl<W: World, P: BundleComponents<W>> Command<W> for Insert<P> {
    fn staged(&self, component: usize) -> StagedChange {
        given(&self.0, component, StagedChange::Unchanged)
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        let lives = world.contains(entity);
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        match unsafe { self.0.refuse(WorldCell::new(world), Some(entity)) } {
            // SAFETY: as above.
            None if lives => drop(unsafe { put(WorldCell::new(world), entity, self.0) }),
            refused => failed_command::report(
                world,
                entity,
                "insert",
                type_name::<P>(),
                refused.filter(|_| lives),
                origin,
            ),
        }
    }
}

// SAFETY: as above.
unsafe impl<W: World, P: BundleComponents<W>> Command<W> for TryInsert<P> {
    fn staged(&self, component: usize) -> StagedChange {
        given(&self.0, component, StagedChange::Unchanged)
    }
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        // SAFETY: the world is borrowed mutably, and nothing of it is lent.
        let has_any = unsafe { P::find(WorldCell::new(world), entity.slot(), true) };
        let free = world.contains(entity) && has_any.is_none();
        // SAFETY: as above.
        match unsafe { self.0.refuse(WorldCell::new(world), Some(entity)) } {
            // SAFETY: as above.
            None if free => drop(unsafe { put(WorldCell::new(world), entity, self.0) }),
            refused => failed_command::report(
                world,
                entity,
                "try_insert",
                type_name::<P>(),
                refused.filter(|_| free),
                origin,
            ),
        }
    }
}

// SAFETY: it gives no address, and holds nothing.
unsafe impl<W: World, P: BundleComponents<W>> Command<W> for Remove<P> {
    fn staged(&self, component: usize) -> StagedChange {
        if P::OWN.contains(component) { StagedChange::Removed } else { StagedChange::Unchanged }
    }
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        if world.contains(entity) {
            // SAFETY: the world is borrowed mutably, and nothing of it is lent.
            drop(unsafe { P::take(WorldCell::new(world), entity.slot()) });
        } else {
            failed_command::report(world, entity, "remove", type_name::<P>(), None, origin);
        }
    }
}

// SAFETY: as above.
unsafe impl<W: World> Command<W> for Despawn {
    fn staged(&self, _: usize) -> StagedChange {
        StagedChange::Despawned
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, origin: Origin) {
        if world.despawn(entity).is_err() {
            failed_command::report(world, entity, "despawn", "", None, origin);
        }
    }
}

// SAFETY: as above.
unsafe impl<W: World> Command<W> for TryDespawn {
    fn staged(&self, _: usize) -> StagedChange {
        StagedChange::Despawned
    }
    #[inline]
    fn apply(self, world: &mut W, entity: Entity, _: Origin) {
        let _ = world.despawn(entity); // that it is gone is what was asked for
    }
}

// SAFETY: it gives no address, and the closure is `Send` and `Sync`.
unsafe impl<W: World, F: FnOnce(&mut W) + Send + Sync + 'static> Command<W> for Run<F> {
    fn apply(self, world: &mut W, _: Entity, _: Origin) {
        // it may run systems, which see what was added before; what it does itself is not deferred
        discard::set_flushing(world, false);
        (self.0)(world);
        discard::set_flushing(world, true);
    }
}

/// A word of the buffer.
type Word = MaybeUninit<u64>;

/// What to do with a record.
struct CommandVTable<W> {
    /// Words behind the head.
    words: u32,
    spawns: bool,
    /// Moves the command out and does it.
    apply: unsafe fn(*mut Word, &mut W, Entity, Origin),
    /// Drops the command in place.
    discard: unsafe fn(*mut Word),
    staged: unsafe fn(*const Word, usize) -> StagedChange,
}

/// What stands before each record.
struct CommandHeader<W: 'static> {
    vtable: &'static CommandVTable<W>,
    entity: Entity,
    /// Where the record of the same entity before it is, if the queue has an index.
    previous: u32,
}

impl<W> Clone for CommandHeader<W> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<W> Copy for CommandHeader<W> {}

const NONE: u32 = u32::MAX;

/// Whose record a command about no entity is.
pub(super) const NO_ENTITY: Entity = Entity::new(u32::MAX, NonZeroU32::MAX);

/// Commands, one after the other.
///
/// # Invariants
/// From `start` to `words.len()` the buffer is filled by records, each a [`CommandHeader`] and then as many words as its vtable
/// says, which hold the command of the type that the vtable is for (or the address of one in a box): initialised, and
/// owned by the queue.
pub(super) struct CommandQueue<W: World> {
    words: Vec<Word>,
    /// The first record that was not taken out.
    start: usize,
    len: usize,
    /// Where the last record of each entity is, if somebody asked.
    index: Option<BTreeMap<Entity, u32>>,
    owns: PhantomData<W>,
}

// SAFETY: it holds commands, which are `Send` and `Sync` by the contract of `Command`.
unsafe impl<W: World> Send for CommandQueue<W> {}
// SAFETY: as above.
unsafe impl<W: World> Sync for CommandQueue<W> {}

/// Drops an index: a function of its own, so that it is compiled with the library, once for all worlds.
fn forget(index: &mut Option<BTreeMap<Entity, u32>>) {
    *index = None;
}

struct VTableOf<W, O>(PhantomData<(W, O)>);

impl<W: World, O: Command<W>> VTableOf<W, O> {
    /// Whether a command lies in the buffer itself: the buffer is aligned like its words.
    const INLINE: bool = align_of::<O>() <= align_of::<Word>();
    const WORDS: usize = if Self::INLINE { size_of::<O>().div_ceil(size_of::<Word>()) } else { 1 };
    const VTABLE: &'static CommandVTable<W> = &CommandVTable {
        words: Self::WORDS as u32,
        spawns: O::SPAWNS,
        apply: Self::apply,
        discard: Self::discard,
        staged: Self::staged,
    };

    /// # Safety
    /// A command of type `O` was written there by `write`; it is owned by the caller from now on.
    unsafe fn read(at: *mut Word) -> O {
        // SAFETY: the caller's promise.
        unsafe {
            if Self::INLINE { at.cast::<O>().read() } else { *Box::from_raw(at.cast::<*mut O>().read()) }
        }
    }

    /// # Safety
    /// `WORDS` words from `at` on may be written.
    unsafe fn write(at: *mut Word, command: O) {
        // SAFETY: the caller's promise; the buffer is aligned like its words.
        unsafe {
            if Self::INLINE {
                at.cast::<O>().write(command);
            } else {
                at.cast::<*mut O>().write(Box::into_raw(Box::new(command)));
            }
        }
    }

    unsafe fn apply(at: *mut Word, world: &mut W, entity: Entity, origin: Origin) {
        // SAFETY: the caller's promise.
        unsafe { Self::read(at) }.apply(world, entity, origin);
    }

    unsafe fn discard(at: *mut Word) {
        // SAFETY: the caller's promise.
        drop(unsafe { Self::read(at) });
    }

    unsafe fn staged(at: *const Word, component: usize) -> StagedChange {
        // SAFETY: the caller's promise; it is lent only.
        let command = unsafe { if Self::INLINE { &*at.cast::<O>() } else { &**at.cast::<*const O>() } };
        command.staged(component)
    }
}

impl<W: World> CommandQueue<W> {
    const HEAD: usize = size_of::<CommandHeader<W>>().div_ceil(size_of::<Word>());

    pub(super) const fn new() -> Self {
        const { assert!(align_of::<CommandHeader<W>>() <= align_of::<Word>()) };
        Self { words: Vec::new(), start: 0, len: 0, index: None, owns: PhantomData }
    }

    /// How many commands there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a command.
    #[inline]
    pub(super) fn push<O: Command<W>>(&mut self, entity: Entity, command: O) {
        let (at, words) = (self.words.len(), Self::HEAD + VTableOf::<W, O>::WORDS);
        self.words.reserve(words);
        assert!(at + words < NONE as usize, "too many commands in one stage of world `{}`", W::NAME);
        let previous = match &mut self.index {
            Some(index) => index.insert(entity, at as u32).unwrap_or(NONE),
            None => NONE,
        };
        let head = CommandHeader { vtable: VTableOf::<W, O>::VTABLE, entity, previous };
        // SAFETY: that much was reserved; head and command are written before they count.
        unsafe {
            let start = self.words.as_mut_ptr().add(at);
            start.cast::<CommandHeader<W>>().write(head);
            VTableOf::<W, O>::write(start.add(Self::HEAD), command);
            self.words.set_len(at + words);
        }
        self.len += 1;
    }

    /// The head of the record at a word.
    ///
    /// # Safety
    /// A record begins there.
    unsafe fn head(&self, at: usize) -> CommandHeader<W> {
        // SAFETY: the caller's promise.
        unsafe { *self.words.as_ptr().add(at).cast::<CommandHeader<W>>() }
    }

    /// The places of all records.
    fn records(&self) -> impl Iterator<Item = (usize, CommandHeader<W>)> {
        let mut at = self.start;
        core::iter::from_fn(move || {
            (at < self.words.len()).then(|| {
                // SAFETY: records follow each other from the start to the end.
                let (here, head) = (at, unsafe { self.head(at) });
                at += Self::HEAD + head.vtable.words as usize;
                (here, head)
            })
        })
    }

    /// What the commands say of a component of an entity; of the entity itself, if no component has the index.
    pub(super) fn staged(&mut self, entity: Entity, component: usize) -> StagedChange {
        if self.index.is_none() {
            self.make_index();
        }
        let mut answer = StagedChange::Unchanged;
        let mut at = self.index.as_ref().and_then(|index| index.get(&entity)).copied().unwrap_or(NONE);
        while at != NONE {
            // SAFETY: the index knows only places of records.
            let head = unsafe { self.head(at as usize) };
            // SAFETY: behind the head is a command of the vtable's type.
            let staged =
                unsafe { (head.vtable.staged)(self.words.as_ptr().add(at as usize + Self::HEAD), component) };
            match (&answer, staged) {
                (_, StagedChange::Despawned) => return StagedChange::Despawned, // for ever, whatever was asked for later
                (StagedChange::Unchanged, staged) => answer = staged,
                _ => {}
            }
            at = head.previous;
        }
        answer
    }

    fn make_index(&mut self) {
        let mut index = BTreeMap::new();
        let places: Vec<(usize, Entity)> = self.records().map(|(at, head)| (at, head.entity)).collect();
        for (at, entity) in places {
            let previous = index.insert(entity, at as u32).unwrap_or(NONE);
            // SAFETY: a record begins there.
            unsafe { (*self.words.as_mut_ptr().add(at).cast::<CommandHeader<W>>()).previous = previous };
        }
        self.index = Some(index);
    }

    /// Takes the next command out: what to do with it, where it lies until the queue changes, and whose it is.
    ///
    /// # Safety
    /// The caller does with it what the vtable says, once.
    #[inline]
    unsafe fn next(&mut self) -> Option<(&'static CommandVTable<W>, *mut Word, Entity)> {
        if self.start == self.words.len() {
            return None;
        }
        // SAFETY: a record begins at `start`, and its words follow its head.
        unsafe {
            let head = self.head(self.start);
            let at = self.words.as_mut_ptr().add(self.start + Self::HEAD);
            self.start += Self::HEAD + head.vtable.words as usize;
            self.len -= 1;
            Some((head.vtable, at, head.entity))
        }
    }

    /// Does all commands, in order. If one panics, those after it are still there.
    pub(super) fn apply(&mut self, world: &mut W, origin: Origin) {
        forget(&mut self.index);
        // SAFETY: each is moved out and done, once.
        while let Some((vtable, at, entity)) = unsafe { self.next() } {
            // SAFETY: as above; the queue does not change meanwhile.
            unsafe { (vtable.apply)(at, world, entity, origin) };
        }
        self.words.clear();
        self.start = 0;
    }

    /// Gives up the ids of what would have been spawned.
    pub(super) fn give_up(&self, entities: &mut Entities) {
        let mut at = self.start;
        while at < self.words.len() {
            // SAFETY: records follow each other from the start to the end.
            let head = unsafe { self.head(at) };
            if head.vtable.spawns {
                entities.give_up(head.entity);
            }
            at += Self::HEAD + head.vtable.words as usize;
        }
    }

    /// Drops all commands. If a drop panics the rest is dropped all the same.
    pub(super) fn clear(&mut self) {
        struct DropRemaining<'q, W: World>(&'q mut CommandQueue<W>);
        impl<W: World> DropRemaining<'_, W> {
            fn run(&mut self) {
                // SAFETY: each is dropped, once.
                while let Some((vtable, at, _)) = unsafe { self.0.next() } {
                    // SAFETY: as above.
                    unsafe { (vtable.discard)(at) };
                }
                self.0.words.clear();
                self.0.start = 0;
            }
        }
        impl<W: World> Drop for DropRemaining<'_, W> {
            fn drop(&mut self) {
                self.run();
            }
        }
        forget(&mut self.index);
        DropRemaining(self).run();
    }
}

impl<W: World> Drop for CommandQueue<W> {
    fn drop(&mut self) {
        self.clear();
    }
}
