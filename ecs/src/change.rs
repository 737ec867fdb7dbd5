//! Changes of tracked components: what a query hands out for them, and the ticks by which a change is earlier or later.
//!
//! A component with `#[component(tracked)]` remembers for each value when it was added and when it was changed last.
//! A query asks for [`Ref`] and [`Mut`] of it; the filters [`Changed`](crate::Changed) and [`Added`](crate::Added)
//! pass what is later than the last run of the system at this place. Where the ticks are kept: `storage/stamps.rs`.

use core::fmt;
use core::ops::{Deref, DerefMut};

use crate::base::tick::Ticks;
use crate::component::Component;
use crate::component::kind::Unseen;
use crate::storage::stamps::{Stamps, Word};

/// As a query element: a tracked component, read, and when it was changed.
///
/// In a system, new is what is later than the system's last run at this place in a schedule, or all if there was none.
/// Outside of systems, where there is no last run, everything is new.
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
    seen: Seen<'w>,
}

/// What tells whether a value is new.
#[derive(Clone, Copy)]
enum Seen<'w> {
    /// The slot's stamps, and the tick after which they are new.
    Since { word: &'w Word, bit: usize, last_run: u64 },
    /// It was said.
    Known { added: bool, changed: bool },
}

impl Seen<'_> {
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

impl<'w, T> Ref<'w, T> {
    /// For calling a system as the function it is.
    pub const fn new(value: &'w T, added: bool, changed: bool) -> Self {
        Self { value, seen: Seen::Known { added, changed } }
    }

    /// `bit` is the slot's in its word.
    #[inline(always)]
    pub(crate) fn of(value: &'w T, word: &'w Word, bit: usize, ticks: Ticks) -> Self {
        Self { value, seen: Seen::Since { word, bit, last_run: ticks.last_run } }
    }

    /// Whether it was added since the last run.
    #[inline]
    pub fn is_added(self) -> bool {
        self.seen.is_added()
    }

    /// Whether it was changed, or added, since the last run.
    #[inline]
    pub fn is_changed(self) -> bool {
        self.seen.is_changed()
    }

    /// The value for as long as the world is borrowed.
    pub const fn into_inner(self) -> &'w T {
        self.value
    }
}

impl<T> Clone for Ref<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<'_, T> {}

impl<T> Deref for Ref<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.value
    }
}

/// As a query element: a tracked component that can be changed. Borrowing its value mutably marks it as changed.
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
///         health.0 += 1; // marks it; that it was looked at does not
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
/// assert_eq!(game.resource::<Changes>().0, 3); // all are new to a system that has not run
/// game.query_mut::<Mut<Health>>().for_each(|mut health| {
///     health.set_if_neq(Health(3));
/// });
/// game.tick();
/// assert_eq!(game.resource::<Changes>().0, 1);
/// ```
pub struct Mut<'w, T> {
    value: &'w mut T,
    marks: ChangeTarget<'w>,
}

/// Where a change is noted.
enum ChangeTarget<'w> {
    Slot { stamps: &'w Stamps, word: &'w Word, slot: usize, ticks: Ticks },
    Flag(&'w mut bool),
}

impl<'w, T> Mut<'w, T> {
    /// For calling a system as the function it is: `changed` is what is told, and becomes `true` with a change.
    pub const fn new(value: &'w mut T, changed: &'w mut bool) -> Self {
        Self { value, marks: ChangeTarget::Flag(changed) }
    }

    /// `word` is the one of the slot in these stamps.
    #[inline(always)]
    pub(crate) fn of(
        value: &'w mut T,
        stamps: &'w Stamps,
        word: &'w Word,
        slot: usize,
        ticks: Ticks,
    ) -> Self {
        Self { value, marks: ChangeTarget::Slot { stamps, word, slot, ticks } }
    }

    /// Whether it was added since the last run.
    #[inline]
    pub fn is_added(&self) -> bool {
        match &self.marks {
            ChangeTarget::Slot { word, slot, ticks, .. } => word.added(slot % 64) > ticks.last_run,
            ChangeTarget::Flag(_) => false,
        }
    }

    /// Whether it was changed, or added, since the last run; also if that was done through this very borrow.
    #[inline]
    pub fn is_changed(&self) -> bool {
        match &self.marks {
            ChangeTarget::Slot { word, slot, ticks, .. } => word.changed(slot % 64) > ticks.last_run,
            ChangeTarget::Flag(changed) => **changed,
        }
    }

    /// ChangeTarget it as changed.
    #[inline(always)]
    pub fn set_changed(&mut self) {
        match &mut self.marks {
            ChangeTarget::Slot { stamps, word, slot, ticks } => stamps.change(word, *slot, ticks.this_run),
            ChangeTarget::Flag(changed) => **changed = true,
        }
    }

    /// The value, mutable, without a mark: for what nobody needs to react to. Not of an indexed
    /// component, whose index would not find it any more.
    #[inline(always)]
    pub fn bypass_change_detection(&mut self) -> &mut T
    where
        T: Component<Kind: Unseen<T>>,
    {
        if let ChangeTarget::Slot { stamps, word, slot, .. } = &self.marks {
            stamps.touch(word, *slot); // snapshots react to it
        }
        self.value
    }

    /// Changes the value unless it is equal already; whether it was changed.
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

    /// The value for as long as the world is borrowed, marked as changed.
    #[inline]
    pub fn into_inner(mut self) -> &'w mut T {
        self.set_changed();
        self.value
    }

    /// The same for a shorter time.
    #[inline]
    pub const fn reborrow(&mut self) -> Mut<'_, T> {
        let marks = match &mut self.marks {
            ChangeTarget::Slot { stamps, word, slot, ticks } => {
                ChangeTarget::Slot { stamps, word, slot: *slot, ticks: *ticks }
            }
            ChangeTarget::Flag(changed) => ChangeTarget::Flag(changed),
        };
        Mut { value: self.value, marks }
    }
}

impl<T> Deref for Mut<'_, T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        self.value
    }
}

impl<T> DerefMut for Mut<'_, T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        self.set_changed();
        self.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Ref<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<T: fmt::Debug> fmt::Debug for Mut<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}
