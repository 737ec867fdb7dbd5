//! Traits of the user, implemented for every type, with items named like those of the library's traits.
use ecs::prelude::*;
use ecs::{Aspect, Entered, MetaAspect, Removed, Storage};

macro_rules! described {
    ($($constant:ident)*; $($ty:ident)*; $($function:ident)*) => {
        trait Described {
            $(const $constant: u8;)*
            $(type $ty;)*
            $(fn $function(&self) -> u8 { 0 })*
        }
        impl<T> Described for T {
            $(const $constant: u8 = 0;)*
            $(type $ty = ();)*
        }
    };
}
described! {
    NAME IDENTITY DERIVED INDEX PART GONE STORED KIND DIRECT EXCLUSION SHARED BOUND IS_KEY DEFAULT_PART ACYCLIC SYMMETRIC MARK VALUE ACCESS
    PARAMS COMPONENTS ALTERNATIVES KEY UNCHECKED;
    Kind Slot Key Columns Base Item ReadOnly Stored Out Parts Target State At Bits;
    target key fill make fresh_one mark with_target into_components from_components edges twin filter drive
}

#[derive(Component, Clone, Default)]
#[component(requires(Mass), excludes(Ghost), tracked, removed)]
struct Body(u32);
#[derive(Component, Clone, Default)]
#[component(deref)]
struct Mass(u32);
#[derive(Component, Clone)]
#[component(excludes(Body))]
struct Ghost;
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(index)]
struct Team(u8);
#[derive(Component, Clone, PartialEq, Eq, Hash)]
#[component(key = number)]
struct Seat {
    number: u8,
}
#[derive(Component, Clone)]
#[component(unique)]
struct Camera(u8);
#[derive(Component, Clone, Default)]
struct CleanUp;
#[derive(Relation, Clone)]
#[relation(exclusive, gone = mark(CleanUp), symmetric)]
struct Likes(Entity);
#[derive(Relation, Clone)]
#[relation(many, gone = cascade)]
struct Owes {
    #[target]
    to: Entity,
    amount: u32,
}
#[derive(Resource, Clone, Default)]
struct Clock(u32);
#[derive(Event, Clone)]
struct Bumped(u32);
#[derive(Bundle)]
struct Pair {
    body: Body,
    team: Team,
}
#[derive(Aspect)]
struct Monster {
    #[aspect(.0 = 3)]
    body: Body,
    #[aspect(default = Team(1))]
    team: Team,
}
#[derive(MetaAspect)]
enum Mind {
    Monster(Monster),
    Mass(Mass),
}
#[derive(Query)]
struct Mover<'a> {
    body: Mut<'a, Body>,
    mass: &'a Mass,
    entity: Entity,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Body, Mass, Ghost, Team, Seat, Camera, CleanUp, Likes, owes: Many<Owes> }
        resources { clock: Clock = Clock(1) }
        events { Bumped(external, keep = 3) }
    }
    schedule tick { one, two if three; four::<Mass>; five }
    schedule fails -> Result { six }
}

#[system(Game)]
fn one(mut body: Mut<Body>, mass: &Mass, clock: Res<Clock>) {
    body.0 += mass.0 + clock.0;
}
#[system(Game)]
fn two(mut movers: Query<Mover, Without<Ghost>>, mut count: Local<u32>, mut out: EventWriter<Bumped>, mut commands: Commands<Game>) {
    for mover in &mut movers {
        *count += mover.mass.0;
        commands.despawn_if_alive(mover.entity);
    }
    out.send(Bumped(*count));
}
#[system]
fn three() -> bool {
    true
}
#[system]
fn four<T: Component>(_: Entity, _: &T) {}
#[system(Game)]
fn five(_: Related<Likes>, _: Storage<Mass>, _: Removed<Body>, _: Entered<With<Body>>, _: Lookup<Team>) {}
#[system(Game)]
fn six(_: EventReader<Bumped>) -> Result<(), std::fmt::Error> {
    Ok(())
}
#[system]
fn nothing() {}
parts! { physics { components { Mass } schedule step { nothing } } }

/// A trait with constants that have the names of the library's constants, for types with the library's derives.
trait Named {
    const NAME: &'static str;
    const INDEX: usize = 1;
    const GONE: u8 = 1;
    const SYMMETRIC: u8 = 1;
    const ACYCLIC: u8 = 1;
    const KIND: u8 = 1;
    const IDENTITY: u8 = 1;
    fn make() -> u8 {
        1
    }
    fn key(&self) -> u8 {
        1
    }
}
macro_rules! named {
    ($($ty:ident)*) => {$(
        impl Named for $ty {
            const NAME: &'static str = stringify!($ty);
        }
    )*};
}
mod names {
    use super::{Body, Bumped, Clock, Likes, Mind, Monster, Named, Pair};
    use ecs::prelude::*;

    named!(Body Likes Clock Bumped Monster Mind Pair);

    fn of<T: Component + Named>() -> &'static str {
        T::NAME
    }

    pub fn use_them() {
        let _ = (Body::INDEX, Body::GONE, Body::SYMMETRIC, Body::ACYCLIC, Body::KIND, Body::IDENTITY);
        let _ = (Likes::INDEX, Likes::GONE, Likes::SYMMETRIC, Likes::ACYCLIC, Likes::KIND, Likes::IDENTITY);
        assert_eq!([Body::NAME, Likes::NAME, Clock::NAME, Bumped::NAME], ["Body", "Likes", "Clock", "Bumped"]);
        assert_eq!([Monster::NAME, Mind::NAME, Pair::NAME, of::<Body>()], ["Monster", "Mind", "Pair", "Body"]);
        assert_eq!(Body::make() + Body(1).key(), 2);
    }
}

pub fn main() {
    names::use_them();
    let mut game = Game::new();
    let entity = game.spawn(Pair { body: Body(1), team: Team(1) });
    game.tick();
    game.fails().unwrap();
    let entity = if game.contains(entity) { entity } else { game.spawn(()) };
    game.add_aspect(entity, Monster::fresh_with(|monster| monster.team = Team(2))).unwrap();
    assert!(game.find::<Team>(&Team(2)).eq([entity]));
    let other = game.spawn(());
    game.relate(entity, Owes { to: other, amount: 1 }).unwrap();
    assert!(matches!(game.take_one_of::<Mind>(entity), Ok(Mind::Monster(_))));
}
