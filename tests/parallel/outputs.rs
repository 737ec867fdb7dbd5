//! Output of systems that are marked `par`: events, commands and sums are those of one thread, in
//! the order of the slots.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Accumulate, Accumulator};
use ecs_tests::fuse::panic_message;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Mass(f32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Child;
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Parent(Entity);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Name(String);
#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Split(Entity, f32);
#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Heard(Entity, String);
#[derive(Resource, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Total(f32);
#[derive(Resource, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Order(Vec<u32>);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Bomb(f32);

impl Accumulate for Total {
    type Value = f32;
    fn accumulate(&mut self, mass: f32) {
        self.0 += mass;
    }
}
impl Accumulate for Order {
    type Value = u32;
    fn accumulate(&mut self, slot: u32) {
        self.0.push(slot);
    }
}

/// A world and its systems, with `par` or without.
macro_rules! game {
    ($module:ident $(, $par:ident)?) => {
        #[allow(dead_code, reason = "one of the worlds has no test for panics")]
        mod $module {
            use super::*;

            world! {
                #[derive(Clone, Serialize, Deserialize)]
                pub(super) struct Game {
                    components { Mass, Child, Parent, Name }
                    resources { Total, Order, Bomb }
                    events { Split(external, keep = all), Heard(external, keep = all) }
                }
                schedule tick { split, listen; grow }
                schedule breaks { explode; listen }
            }

            /// Everything that a system may write, in an amount that depends on the entity.
            #[system(Game $(, $par)?)]
            fn split(
                entity: Entity,
                mass: &mut Mass,
                mut commands: ParCommands<Game>,
                mut splits: EventWriter<Split>,
                mut total: Accumulator<Total>,
            ) {
                total.add(mass.0 / 3.0);
                if entity.slot().is_multiple_of(3) {
                    splits.send(Split(entity, mass.0));
                    commands.spawn_then((Child, Mass(mass.0 / 2.0)), move |game, child| {
                        game.insert(child, Parent(entity)).unwrap();
                    });
                    mass.0 /= 2.0;
                }
                if entity.slot() % 5 == 1 {
                    commands.spawn((Name(format!("of {entity}")), Child));
                    commands.insert(entity, Name(format!("{}", entity.slot())));
                    splits.extend((0..entity.slot() % 4).map(|n| Split(entity, n as f32)));
                }
                match entity.slot() % 31 {
                    2 => commands.despawn(entity),
                    4 => commands.remove::<Mass>(entity),
                    5 => commands.despawn_if_alive(entity),
                    6 => commands.run(move |game| game.send(Split(entity, -1.0))),
                    _ => {}
                }
            }
            #[system(Game $(, $par)?)]
            fn listen(entity: Entity, name: &Name, mut heard: EventWriter<Heard>, mut order: Accumulator<Order>) {
                heard.send(Heard(entity, name.0.clone()));
                order.add(entity.slot());
            }
            #[system(Game)]
            fn grow(masses: Query<(Entity, &mut Mass)>, order: ResMut<Order>) {
                super::grow(masses, order, stringify!($($par)?) == "par");
            }
            #[system(Game $(, $par)?)]
            fn explode(
                entity: Entity,
                mass: &mut Mass,
                bomb: Res<Bomb>,
                mut commands: ParCommands<Game>,
                mut heard: EventWriter<Heard>,
                mut total: Accumulator<Total>,
            ) {
                commands.spawn((Child, Name("never".into())));
                heard.send(Heard(entity, "never".into()));
                total.add(1.0);
                assert!(mass.0 < bomb.0, "too heavy: {}", mass.0);
                mass.0 = 0.0;
            }

            pub(super) fn game(len: u16) -> Game {
                let mut game = Game::default();
                let all: Vec<Entity> = (0..len).map(|i| game.spawn(Mass(f32::from(i) * 0.37))).collect();
                for entity in all.iter().filter(|entity| entity.slot() % 7 == 3) {
                    game.despawn(*entity).unwrap();
                }
                game
            }

            /// Everything that can be seen.
            pub(super) fn picture(game: &mut Game) -> String {
                let all = game.query::<(Entity, Option<&Mass>, Option<&Parent>, Option<&Name>, Is<Child>)>();
                let all = format!("{:?}", all.iter().collect::<Vec<_>>());
                let (splits, heard) = (game.drain::<Split>(), game.drain::<Heard>());
                let events = format!("{:?} {:?}", splits.collect::<Vec<_>>(), heard.collect::<Vec<_>>());
                format!("{all} {events} {:?} {:?}", game.resource::<Total>(), game.resource::<Order>())
            }
        }
    };
}

game!(many, par);
game!(alone);

use many::{game, picture};

fn grow(mut masses: Query<(Entity, &mut Mass)>, mut order: ResMut<Order>, par: bool) {
    let visit = |(entity, mass): (Entity, &mut Mass)| {
        mass.0 += 0.1;
        entity.slot()
    };
    let heavy = |(entity, mass): (Entity, &mut Mass)| (mass.0 > 100.0).then_some(entity.slot());
    if par {
        order.0 = masses.par_map(visit);
        order.0.extend(masses.par_filter_map(heavy));
    } else {
        order.0.clear();
        order.0.extend(masses.iter_mut().map(visit));
        order.0.extend(masses.iter_mut().filter_map(heavy));
    }
}

fn pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap()
}

#[test]
fn events_commands_and_sums_are_those_of_one_thread() {
    for len in [0, 1, 63, 1_000, 5_000] {
        let mut first = game(len);
        first.set_parallelism(Parallelism::Never);
        let expected: Vec<_> = (0..4)
            .map(|_| {
                first.tick();
                (first.hash(), first.to_bytes().unwrap())
            })
            .collect();
        let mut alone = alone::game(len);
        (0..4).for_each(|_| alone.tick());
        let alone = alone::picture(&mut alone);
        for threads in [1, 2, 3, 8] {
            for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
                let mut many = game(len);
                many.set_parallelism(parallelism);
                pool(threads).install(|| {
                    for (hash, bytes) in &expected {
                        many.tick();
                        let context = format!("{len} entities, {threads} threads, {parallelism:?}");
                        assert_eq!(many.hash(), *hash, "{context}");
                        assert!(many.to_bytes().unwrap() == *bytes, "{context}");
                    }
                });
                assert!(picture(&mut many) == alone, "{len} entities, {threads} threads, {parallelism:?}");
            }
        }
    }
}

#[test]
fn a_panic_drops_the_output_and_visits_all_others() {
    for threads in [1, 2, 8] {
        for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
            let mut game = game(2_000);
            game.set_parallelism(parallelism);
            game.resource_mut::<Bomb>().0 = 400.0;
            let entities = game.entities().len();
            let message = pool(threads).install(|| panic_message(|| game.breaks()));
            assert_eq!(
                message,
                "system `explode` of schedule `breaks` of world `Game` panicked: too heavy: 400.34"
            );
            assert_eq!(game.entities().len(), entities, "no command was applied");
            assert_eq!(game.drain::<Heard>().count(), 0);
            assert_eq!(game.resource::<Total>().0, 0.0);
            let left = game.query::<&Mass>().iter().filter(|mass| mass.0 != 0.0).count();
            let heavy = game.query::<&Mass>().iter().filter(|mass| mass.0 >= 400.0).count();
            assert_eq!(left, heavy);
            // the world goes on
            game.resource_mut::<Bomb>().0 = f32::MAX;
            pool(threads).install(|| game.breaks());
            assert_eq!(game.resource::<Total>().0, game.query::<&Mass>().iter().count() as f32);
            assert!(game.entities().len() > entities);
        }
    }
}

/// A list whose `accumulate` panics.
#[derive(Resource, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct Fragile(Vec<u32>);

impl Accumulate for Fragile {
    type Value = u32;
    fn accumulate(&mut self, slot: u32) {
        assert!(slot != 300, "slot 300");
        self.0.push(slot);
    }
}

world! {
    struct Brittle { components { Mass } resources { before: Order, Fragile, After } }
    schedule tick { collect }
}

#[derive(Resource, Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
struct After(Vec<u32>);

impl Accumulate for After {
    type Value = u32;
    fn accumulate(&mut self, slot: u32) {
        self.0.push(slot);
    }
}

#[system(Brittle, par)]
fn collect(
    entity: Entity,
    _: With<Mass>,
    mut before: Accumulator<Order>,
    mut fragile: Accumulator<Fragile>,
    mut after: Accumulator<After>,
) {
    before.add(entity.slot());
    fragile.add(entity.slot());
    after.add(entity.slot());
}

#[test]
fn a_panic_of_accumulate_leaves_the_same_for_any_division() {
    for threads in [1, 2, 8] {
        for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
            let mut brittle = Brittle::default();
            brittle.set_parallelism(parallelism);
            brittle.spawn_batch((0..1_000_u16).map(|i| Mass(f32::from(i))));
            let message = pool(threads).install(|| panic_message(|| brittle.tick()));
            assert_eq!(message, "system `collect` of schedule `tick` of world `Brittle` panicked: slot 300");
            assert_eq!(brittle.resource::<Order>().0, (0..1_000).collect::<Vec<_>>());
            assert_eq!(brittle.resource::<Fragile>().0, (0..300).collect::<Vec<_>>());
            assert_eq!(brittle.resource::<After>().0, [0; 0]);
        }
    }
}
