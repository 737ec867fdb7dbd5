//! Change detection: [`Ref`] and [`Mut`], the query elements for tracked components.
//!
//! A component with `#[component(tracked)]` stores for each value the ticks at which it was added
//! and last changed. The filters [`Changed`](crate::Changed) and [`Added`](crate::Added) match
//! values whose tick is later than the last run of the system. `storage/stamps.rs` stores the
//! ticks.

use core::sync::atomic::{AtomicU64, Ordering};

use crate::base::tick::{Tick, Ticks};
use crate::storage::stamps::{StampWord, Stamps};

/// A query element: a tracked component, shared, that tells whether it was added or changed.
///
/// In a system, a value counts as changed if it was changed after the last run of the system at
/// this place in the schedule. In the first run, and outside of systems, every value counts as
/// added and changed.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)]
/// #[component(tracked)]
/// struct Health(u32);
///
/// world! {
///     struct Game { components { Health } resources { Log } }
///     schedule tick { watch }
/// }
///
/// #[derive(Resource, Default)]
/// struct Log(Vec<(u32, bool)>);
///
/// #[system(Game)]
/// fn watch(health: Ref<Health>, mut log: ResMut<Log>) {
///     log.0.push((health.0, health.is_changed()));
/// }
///
/// let mut game = Game::new(Log::default());
/// let hero = game.spawn(Health(3));
/// game.tick();
/// game.tick();
/// game.get_tracked::<Health>(hero).unwrap().0 = 2;
/// game.tick();
/// assert_eq!(game.resource::<Log>().0, [(3, true), (3, false), (2, true)]);
/// ```
pub struct Ref<'w, T> {
    value: &'w T,
    change: Change<'w>,
}

/// The source of the answers of [`Ref::is_added`] and [`Ref::is_changed`].
#[derive(Clone, Copy)]
enum Change<'w> {
    /// The stamps of the slot, compared with the tick of the last run.
    Since { word: &'w StampWord, bit: usize, last_run: u64 },
    /// Given by the caller of [`Ref::new`].
    Known { added: bool, changed: bool },
}

impl Change<'_> {
    #[inline]
    fn is_added(self) -> bool {
        match self {
            Self::Since { word, bit, last_run } => word.added(bit) > last_run,
            Self::Known { added, .. } => added,
        }
    }

    #[inline]
    fn is_changed(self) -> bool {
        match self {
            Self::Since { word, bit, last_run } => word.changed(bit) > last_run,
            Self::Known { added, changed } => added || changed,
        }
    }
}

/// The tick of the last change of a tracked resource, and the ticks of the system that borrows the
/// resource.
#[derive(Clone, Copy)]
pub(crate) struct ResourceChange<'w> {
    pub(crate) changed: &'w AtomicU64,
    pub(crate) ticks: Ticks,
}

impl ResourceChange<'_> {
    #[inline]
    pub(crate) fn is_changed(self) -> bool {
        self.changed_since(Tick(self.ticks.last_run))
    }

    #[inline]
    pub(crate) fn changed_since(self, tick: Tick) -> bool {
        self.changed.load(Ordering::Relaxed) > tick.0
    }

    /// Records a change by this run of the system.
    #[inline(always)]
    pub(crate) fn mark(self) {
        self.changed.store(self.ticks.this_run, Ordering::Relaxed);
    }
}

impl<'w, T> Ref<'w, T> {
    /// Creates a `Ref` without a world, for example to call a system as a function in a test.
    pub const fn new(value: &'w T, added: bool, changed: bool) -> Self {
        Self { value, change: Change::Known { added, changed } }
    }

    /// The `Ref` of a slot, whose stamps are those of `bit` in `word`.
    #[inline(always)]
    pub(crate) fn of(value: &'w T, word: &'w StampWord, bit: usize, ticks: Ticks) -> Self {
        Self { value, change: Change::Since { word, bit, last_run: ticks.last_run } }
    }

    /// Whether the value was added since the last run of the system.
    #[inline]
    pub fn is_added(self) -> bool {
        self.change.is_added()
    }

    /// Whether the value was added or changed since the last run of the system.
    #[inline]
    pub fn is_changed(self) -> bool {
        self.change.is_changed()
    }

    /// The value, borrowed for as long as the world is.
    pub const fn into_inner(self) -> &'w T {
        self.value
    }
}

copy!([T] Ref<'_, T>);

deref!([T] Ref<'_, T> => T, |this| this.value);

/// A query element: a tracked component, mutable. A mutable borrow of its value marks it as
/// changed.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Debug)]
/// #[component(tracked)]
/// struct Health(u32);
///
/// world! {
///     struct Game { components { Health } resources { Changes } }
///     schedule tick { heal, count }
/// }
///
/// #[derive(Resource, Default)]
/// struct Changes(usize);
///
/// #[system(Game)]
/// fn heal(mut health: Mut<Health>) {
///     if health.0 < 3 {
///         health.0 += 1; // marks the value as changed; reading it does not
///     }
/// }
///
/// #[system(Game)]
/// fn count(changed: Query<&Health, Changed<Health>>, mut changes: ResMut<Changes>) {
///     changes.0 = changed.len();
/// }
///
/// let mut game = Game::new(Changes(0));
/// game.spawn_batch([2, 3, 4].map(Health));
/// game.tick();
/// assert_eq!(game.resource::<Changes>().0, 3); // in the first run of a system, all values count as changed
/// game.query_mut::<Mut<Health>>().for_each(|mut health| {
///     health.set_if_neq(Health(3));
/// });
/// game.tick();
/// assert_eq!(game.resource::<Changes>().0, 1);
/// ```
pub struct Mut<'w, T> {
    value: &'w mut T,
    target: ChangeTarget<'w>,
}

/// The place where [`Mut`] marks a change.
enum ChangeTarget<'w> {
    /// The stamps of the slot.
    Slot { stamps: &'w Stamps, word: &'w StampWord, slot: usize, ticks: Ticks },
    /// The flag that the caller of [`Mut::new`] has given.
    Flag(&'w mut bool),
}

impl<'w, T> Mut<'w, T> {
    /// Creates a `Mut` without a world, for example to call a system as a function in a test.
    /// `changed` is the result of [`is_changed`](Self::is_changed), and a change sets it to `true`.
    pub const fn new(value: &'w mut T, changed: &'w mut bool) -> Self {
        Self { value, target: ChangeTarget::Flag(changed) }
    }

    /// The `Mut` of a slot, whose stamps are in `word` of `stamps`.
    #[inline(always)]
    pub(crate) fn of(
        value: &'w mut T,
        stamps: &'w Stamps,
        word: &'w StampWord,
        slot: usize,
        ticks: Ticks,
    ) -> Self {
        Self { value, target: ChangeTarget::Slot { stamps, word, slot, ticks } }
    }

    /// Whether the value was added since the last run of the system.
    #[inline]
    pub fn is_added(&self) -> bool {
        match &self.target {
            ChangeTarget::Slot { word, slot, ticks, .. } => word.added(slot % 64) > ticks.last_run,
            ChangeTarget::Flag(_) => false,
        }
    }

    /// Whether the value was added or changed since the last run of the system, changes through
    /// this `Mut` included.
    #[inline]
    pub fn is_changed(&self) -> bool {
        match &self.target {
            ChangeTarget::Slot { word, slot, ticks, .. } => word.changed(slot % 64) > ticks.last_run,
            ChangeTarget::Flag(changed) => **changed,
        }
    }

    /// Marks the value as changed.
    #[inline(always)]
    pub fn set_changed(&mut self) {
        match &mut self.target {
            ChangeTarget::Slot { stamps, word, slot, ticks } => stamps.change(word, *slot, ticks.this_run),
            ChangeTarget::Flag(changed) => **changed = true,
        }
    }

    /// The mutable value, without marking it as changed. The next snapshot copies its page.
    #[inline(always)]
    pub(crate) fn bypass(&mut self) -> &mut T {
        if let ChangeTarget::Slot { stamps, slot, .. } = &self.target {
            stamps.touch(*slot);
        }
        self.value
    }

    /// Sets the value unless it is already equal. Returns whether it was changed.
    #[inline]
    pub fn set_if_neq(&mut self, value: T) -> bool
    where
        T: PartialEq,
    {
        let differs = *self.value != value;
        if differs {
            **self = value;
        }
        differs
    }

    /// The mutable value, borrowed for as long as the world is. Marks it as changed.
    #[inline]
    pub fn into_inner(mut self) -> &'w mut T {
        self.set_changed();
        self.value
    }

    /// A `Mut` of the same value with a shorter lifetime.
    #[inline]
    pub const fn reborrow(&mut self) -> Mut<'_, T> {
        let target = match &mut self.target {
            ChangeTarget::Slot { stamps, word, slot, ticks } => {
                ChangeTarget::Slot { stamps, word, slot: *slot, ticks: *ticks }
            }
            ChangeTarget::Flag(changed) => ChangeTarget::Flag(changed),
        };
        Mut { value: self.value, target }
    }
}

/// A slice of tracked values, a chunk of the query data [`Mut<T>`](Mut): see
/// [`Query::chunks_mut`](crate::Query::chunks_mut). Borrowed mutably, it marks all of its values as
/// changed, at most 64.
pub struct MutSlice<'w, T> {
    values: &'w mut [T],
    stamps: &'w Stamps,
    word: &'w StampWord,
    /// The slot of the first value.
    first: usize,
    ticks: Ticks,
    is_marked: bool,
}

impl<'w, T> MutSlice<'w, T> {
    /// The values of slots of one word, whose stamps are in `word` of `stamps`.
    pub(crate) fn of(
        values: &'w mut [T],
        stamps: &'w Stamps,
        word: &'w StampWord,
        first: usize,
        ticks: Ticks,
    ) -> Self {
        Self { values, stamps, word, first, ticks, is_marked: false }
    }

    /// Marks all values as changed.
    pub fn set_changed(&mut self) {
        if !self.is_marked {
            self.stamps.change_run(self.word, self.first, self.values.len(), self.ticks.this_run);
            self.is_marked = true;
        }
    }

    /// The values, borrowed for as long as the world is. Marks all of them as changed.
    pub fn into_inner(mut self) -> &'w mut [T] {
        self.set_changed();
        self.values
    }
}

deref!([T] MutSlice<'_, T> => [T], |this| this.values);

deref_mut!([T] MutSlice<'_, T>, |this| { this.set_changed(); this.values });

debug!([T: core::fmt::Debug] MutSlice<'_, T>, |this, f| this.values.fmt(f));

deref!([T] Mut<'_, T> => T, |this| this.value);

deref_mut!([T] Mut<'_, T>, |this| { this.set_changed(); this.value });

debug!([T: core::fmt::Debug] Ref<'_, T>, |this, f| (**this).fmt(f));
debug!([T: core::fmt::Debug] Mut<'_, T>, |this, f| (**this).fmt(f));
