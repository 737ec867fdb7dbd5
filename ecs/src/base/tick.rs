//! Ticks: the numbers that order changes and the runs of systems.

/// The distance between the ticks of two successive turns of systems. The tick between them is that
/// of values inserted into an indexed column: it is later than the turn before, and earlier than
/// changes in this turn.
pub(crate) const TURN: u64 = 2;

/// A point in the history of a world: [`Query::since`](crate::Query::since) and the methods of
/// [`ChangesSince`](crate::query::ChangesSince) tell what was added or changed after it.
///
/// Ticks only grow, by one run of a system at a time; they do not depend on clocks, on threads or
/// on other worlds. They are saved with the world, a clone of the world has them, and
/// [`restore`](crate::World::restore) sets them back: a tick that was taken after the snapshot says
/// nothing about the restored world, so take a new one.
///
/// Outside of systems, [`change_tick`](crate::query::ChangesSince::change_tick) and
/// [`advance_tick`](crate::query::ChangesSince::advance_tick) return a tick. A system takes one as
/// a parameter, for the tick of this run: changes that the system makes in this run, and those that
/// it could see in this run, are not later. Take the tick in the system that has the query: systems
/// that share no data may run in another order than that of the text, and so do their ticks.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::system::Tick;
///
/// #[derive(Component)]
/// #[component(tracked)]
/// struct Health(u32);
///
/// world! {
///     struct Game { components { Health } resources { Client } }
///     schedule tick { send }
/// }
///
/// /// The messages to a client, and the tick up to which it knows all changes.
/// #[derive(Resource, Default)]
/// struct Client { knows: Tick, messages: Vec<(Entity, u32)> }
///
/// #[system(Game)]
/// fn send(changed: Query<(Entity, &Health), Changed<Health>>, now: Tick, mut client: ResMut<Client>) {
///     let changed = changed.since(client.knows);
///     client.messages.extend(changed.iter().map(|(entity, health)| (entity, health.0)));
///     client.knows = now;
/// }
///
/// let mut game = Game::new(Client::default());
/// let hero = game.spawn(Health(3));
/// game.tick();
/// game.tick();
/// assert_eq!(game.resource::<Client>().messages, [(hero, 3)]);
/// game.resource_mut::<Client>().knows = Tick::START; // the client has lost all, and gets it again
/// game.tick();
/// assert_eq!(game.resource::<Client>().messages, [(hero, 3), (hero, 3)]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tick(pub(crate) u64);

impl Tick {
    /// The tick before all changes: everything is later. It is the default.
    pub const START: Self = Self(0);

    /// The tick as a number, for example to send it to another process.
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The tick with this number, as [`to_bits`](Self::to_bits) returns it. Every number is a tick.
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }
}

/// The ticks of one run of a system. The system sees a change if its tick is later than `last_run`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ticks {
    /// The tick of the last run at this place; 0 if there was none.
    pub(crate) last_run: u64,
    /// The tick of this run, later than the ticks of all runs before it.
    pub(crate) this_run: u64,
}

impl Ticks {
    /// The ticks for a system that does not use them.
    pub(crate) const UNTOLD: Self = Self { last_run: 0, this_run: 0 };
}
