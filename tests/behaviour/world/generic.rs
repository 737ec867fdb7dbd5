//! Systems that are generic over their world, and over types.

use ecs::prelude::*;

mod library {
    use ecs::prelude::*;

    #[derive(Component, PartialEq, Debug)]
    pub struct Health(pub i32);
    #[derive(Resource, Default)]
    pub struct Deaths(pub u32);
    #[derive(Event)]
    pub struct Died(#[allow(dead_code)] pub Entity);

    pub trait Harm: Component {
        const DAMAGE: i32;
    }

    /// A system for every world with both components, and for every kind of harm.
    #[system]
    pub fn damage<T: Harm>(health: &mut Health, _harm: &T) {
        health.0 -= T::DAMAGE;
    }

    #[system]
    pub fn report(bodies: Query<(Entity, &Health)>, mut died: EventWriter<Died>, mut deaths: ResMut<Deaths>) {
        for (entity, _) in bodies.iter().filter(|(_, health)| health.0 <= 0) {
            died.send(Died(entity));
            deaths.0 += 1;
        }
    }

    /// A system with a type parameter for its world, with its own bounds.
    #[system(W)]
    pub fn bury<W: World + Has<Health>>(world: &mut W) {
        let is_dead = |&entity: &Entity| world.get::<Health>(entity).is_some_and(|health| health.0 <= 0);
        let dead: Vec<Entity> = world.entities().iter().filter(is_dead).collect();
        for entity in dead {
            world.despawn(entity).unwrap();
        }
    }

    #[system]
    pub fn count_all<T: Component, const STEP: u32>(values: Query<&T>, mut count: Local<u32>) -> u32 {
        *count += STEP * values.len() as u32;
        *count
    }

    #[system]
    pub fn heard(mut died: EventReader<Died>) -> bool {
        died.iter().next().is_some()
    }
}

use library::{Deaths, Died, Harm, Health};

#[derive(Component)]
struct Fire;
#[derive(Component)]
struct Frost(#[allow(dead_code)] u8);

impl Harm for Fire {
    const DAMAGE: i32 = 3;
}
impl Harm for Frost {
    const DAMAGE: i32 = 5;
}

world! {
    struct Game {
        components { Health, Fire, Frost }
        resources { Deaths }
        events { Died }
    }
    schedule tick { library::damage::<Fire>, library::damage::<Frost>; library::report; hear; library::bury }
}

world! {
    struct Small { components { Fire, health: Health } }
    schedule burn { library::damage::<Fire>; library::bury }
}

#[system(Game)]
fn hear(mut died: EventReader<Died>) {
    died.clear();
}

#[test]
fn generic_systems_are_scheduled_with_their_types() {
    let mut game = Game::default();
    let entities = [
        game.spawn((Health(10), Fire)),
        game.spawn((Health(10), Frost(1))),
        game.spawn((Health(10), Fire, Frost(1))),
        game.spawn(Health(10)),
    ];
    game.tick();
    let health = |game: &Game| entities.map(|entity| game.get::<Health>(entity).map(|health| health.0));
    assert_eq!(health(&game), [Some(7), Some(5), Some(2), Some(10)]);
    game.tick();
    assert_eq!(health(&game), [Some(4), None, None, Some(10)]);
    assert_eq!(game.resource::<Deaths>().0, 2);
}

#[test]
fn one_generic_system_serves_several_worlds() {
    let mut small = Small::new();
    let entity = small.spawn((Health(4), Fire));
    small.burn();
    assert_eq!(small.get(entity), Some(&Health(1)));
    small.burn();
    assert!(!small.contains(entity));
}

#[test]
fn generic_systems_run_once_too() {
    let mut game = Game::default();
    game.spawn_batch((0..5).map(|_| (Health(1), Fire)));
    assert_eq!(game.run::<library::count_all<Fire, 2>>(), 10);
    assert_eq!(game.run::<library::count_all<Frost, 2>>(), 0);
    game.run::<library::damage<Fire>>();
    assert!(!game.run::<library::heard>());
    game.run::<library::report>();
    assert!(game.run::<library::heard>());
    game.run::<library::bury>();
    assert_eq!(game.entities().len(), 0);
}

#[test]
fn a_generic_system_is_called_as_a_function() {
    let mut health = Health(10);
    library::damage(&mut health, &Frost(0));
    assert_eq!(health, Health(5));
}

#[test]
fn generic_code_uses_the_verbs() {
    fn revive<W: World + Has<Health>>(world: &mut W, count: i32) -> Vec<Entity>
    where
        Health: Bundle<W>,
    {
        (0..count).map(|n| world.spawn(Health(n))).collect()
    }
    fn hurt<W>(world: &mut W, entity: Entity)
    where
        W: Has<Health> + Has<Fire>,
        (Health, Fire): Bundle<W>,
    {
        world.insert(entity, (Health(1), Fire)).unwrap();
    }
    let mut small = Small::new();
    let entities = revive(&mut small, 3);
    hurt(&mut small, entities[2]);
    assert_eq!((small.get(entities[2]), small.has::<Fire>(entities[2])), (Some(&Health(1)), true));
    assert_eq!(revive(&mut Game::default(), 5).len(), 5);
}

#[test]
fn code_that_is_generic_over_the_component_changes_one() {
    fn exchange<T: Component, W: World + Has<T>>(world: &mut W, entities: [Entity; 2]) {
        let [one, two] = entities;
        let Some(value) = world.remove_one::<T>(one).unwrap() else { return };
        if let Some(other) = world.insert_one(two, value).unwrap() {
            assert!(world.insert_one(one, other).unwrap().is_none());
        }
    }
    let mut game = Game::default();
    let entities = [game.spawn((Health(1), Fire)), game.spawn(Health(2))];
    exchange::<Health, _>(&mut game, entities);
    assert_eq!(entities.map(|entity| game.get::<Health>(entity).unwrap().0), [2, 1]);
    exchange::<Fire, _>(&mut game, entities);
    assert_eq!(entities.map(|entity| game.has::<Fire>(entity)), [false, true]);
    game.despawn(entities[1]).unwrap();
    assert!(game.insert_one(entities[1], Fire).is_err() && game.remove_one::<Fire>(entities[1]).is_err());
    assert!(game.query::<&Fire>().is_empty(), "what was inserted was despawned too");
}

#[test]
fn one_component_inserts_its_required_components() {
    #[derive(Component, Default)]
    struct Shadow;
    #[derive(Component)]
    #[component(requires(Shadow))]
    struct Body;
    world! {
        struct Stage { components { Body, Shadow } }
    }
    let mut stage = Stage::new();
    let entity = stage.spawn(());
    assert!(stage.insert_one(entity, Body).unwrap().is_none());
    assert!(stage.has::<Shadow>(entity));
}
