//! Generic parts, and several instances of one library in a world.

use std::marker::PhantomData;

use ecs::prelude::*;
use parts_library::pool::{
    Census, Full, Limit, Pool, Runs, Stamina, Supply, census, pool, refill, take_census,
};

#[derive(Clone)]
struct Mana;
#[derive(Clone)]
struct Health;

impl Supply for Mana {
    const GAIN: u32 = 2;
}

impl Supply for Health {
    const GAIN: u32 = 3;
}

#[derive(Component, Clone)]
struct Goblin;

#[derive(Resource, Clone, Default)]
struct Heard(Vec<&'static str>);

world! {
    #[derive(Clone)]
    struct Game {
        include pool::<Mana> as mana { limit as cap };
        include pool::<Health, 2> as health { limit = Limit(7, PhantomData), Runs as refills = Runs(100) };
        include census::<Goblin>;
        resources { heard: Heard = Heard::default() }
    }
    schedule tick {
        include refill::<Mana>, include refill::<Health, 2>, include take_census::<Goblin>;
        hear
    }
}

#[system(Game)]
fn hear(mut mana: EventReader<Full<Mana>>, mut health: EventReader<Full<Health>>, mut heard: ResMut<Heard>) {
    heard.0.extend(mana.iter().map(|_| "mana"));
    heard.0.extend(health.iter().map(|_| "health"));
}

#[test]
fn instances_have_fields_schedules_and_values_of_their_own() {
    let mut game = Game::new();
    let both = game.spawn((Pool::<Mana>::of(0), Pool::<Health>::of(0), Goblin));
    game.tick();
    assert_eq!(game.get::<Pool<Mana>>(both).map(|pool| pool.now), Some(2));
    assert_eq!(game.get::<Pool<Health>>(both).map(|pool| pool.now), Some(6));
    game.tick();
    assert_eq!(game.get::<Pool<Health>>(both).map(|pool| pool.now), Some(7), "the world gave the limit");
    assert_eq!(game.resource::<Heard>().0, ["health"]);
    assert_eq!(game.resource::<Census<Goblin>>().0, 1);
    let columns = game.columns();
    assert_eq!((columns.mana_pool.len(), columns.health_pool.len(), columns.goblin.len()), (1, 1, 1));
    assert_eq!((game.cap.0, game.health_limit.0), (20, 7));
}

#[test]
fn an_entry_without_parameters_is_one_for_all_instances() {
    let mut game = Game::new();
    game.tick();
    assert_eq!((game.resource::<Runs>(), &game.refills), (&Runs(102), &Runs(102)));
    assert_eq!(
        <Game as World>::RESOURCES,
        ["Limit<Mana>", "Runs", "Limit<Health>", "Census<Goblin>", "Heard"]
    );
    assert_eq!(<Game as World>::EVENTS, ["Full<Mana>", "Full<Health>"]);
}

#[test]
fn the_systems_of_an_instance_are_named_with_its_arguments() {
    let mut game = Game::new();
    game.time_systems(true);
    game.tick();
    let names: Vec<_> = game.timings().iter().map(|timing| timing.system).collect();
    let of_mana = ["count_runs::<Mana>", "grow::<Mana, 1>"];
    let of_health = ["announce::<Mana>", "count_runs::<Health>", "grow::<Health, 2>"];
    let last = ["announce::<Health>", "census_of::<Goblin>", "hear"];
    assert_eq!(names, of_mana.into_iter().chain(of_health).chain(last).collect::<Vec<_>>());
}

/// A world that gives no arguments.
mod defaults {
    use super::*;

    world! {
        struct Runner { include pool; }
        schedule tick { include refill }
    }

    #[test]
    fn a_parameter_that_is_not_given_is_its_default() {
        let mut runner = Runner::new();
        let one = runner.spawn(Pool::<Stamina>::of(9));
        runner.tick();
        runner.tick();
        assert_eq!(runner.get::<Pool<Stamina>>(one).map(|pool| pool.now), Some(10));
        assert_eq!(runner.limit.0, 10);
    }
}

/// Libraries and a world that include one instance: `walking` includes the pool of stamina.
mod shared {
    use super::*;
    use parts_library::pool::Stamina as Breath;
    use parts_library::shared::{Steps, walk, walking};

    parts! {
        /// Bodies that swim, with the same stamina as those that walk.
        swimming {
            include parts_library::pool::pool::<parts_library::pool::Stamina> as swimming;
        }
    }

    parts! {
        /// A pool of anything, and of stamina for everybody.
        two_pools<T: Supply = Mana> {
            include pool::<T> as first;
            include pool as second;
        }
    }

    world! {
        struct Game {
            include swimming;
            include walking;
            include two_pools::<Health>;
            include pool::<parts_library::pool::Stamina> as own { limit = Limit(50, PhantomData) };
            include pool::<Health, 7> as fast;
        }
        schedule tick { include walk, include refill, include refill::<Health> }
    }

    #[test]
    fn an_instance_that_several_libraries_include_is_one() {
        assert_eq!(
            <Game as World>::COMPONENTS,
            ["Pool<parts_library::pool::Stamina>", "Position", "Velocity", "Resting", "Pool<Health>"]
        );
        let mut game = Game::new(parts_library::Bounces(0));
        let one = game.spawn((Pool::<Breath>::of(3), Pool::<Health>::of(0), parts_library::Position(0.0)));
        game.tick();
        assert_eq!(
            game.get::<Pool<Breath>>(one).map(|pool| pool.now),
            Some(3),
            "one was used, one was refilled"
        );
        assert_eq!(game.resource::<Steps>().0, 1);
        assert_eq!(game.resource::<Limit<Breath>>().0, 50, "each include can change the shared entry");
        assert_eq!(game.columns().swimming_pool.len(), 1);
    }

    mod one {
        #[derive(Clone)]
        pub(super) struct Ore;
        impl super::Supply for Ore {
            const GAIN: u32 = 1;
        }
    }
    mod other {
        #[derive(Clone)]
        pub(super) struct Ore;
        impl super::Supply for Ore {
            const GAIN: u32 = 2;
        }
    }

    world! {
        struct Mine {
            include pool::<one::Ore> as one;
            include pool::<other::Ore> as other;
        }
        schedule tick { include refill::<one::Ore>, include refill::<other::Ore> }
    }

    #[test]
    fn instances_of_one_text_are_told_apart_by_the_paths_in_it() {
        let mut mine = Mine::new();
        let both = mine.spawn((Pool::<one::Ore>::of(0), Pool::<other::Ore>::of(0)));
        mine.tick();
        let now =
            (mine.get::<Pool<one::Ore>>(both).unwrap().now, mine.get::<Pool<other::Ore>>(both).unwrap().now);
        assert_eq!(now, (1, 2));
    }
}

/// Generic parts in this crate, with a where clause and generic arguments.
mod here {
    use super::*;

    #[derive(Component)]
    struct Pair<A: Send + Sync + 'static, B: Send + Sync + 'static>(A, B);

    parts! {
        pairs<A, B: Clone> where A: Default + Send + Sync + 'static, B: Send + Sync + 'static {
            components { Pair<A, Vec<B>> }
            schedule empty { clear_pairs::<A, B> }
        }
    }

    #[system]
    fn clear_pairs<A: Default + Send + Sync + 'static, B: Clone + Send + Sync + 'static>(
        pair: &mut Pair<A, Vec<B>>,
    ) {
        pair.0 = A::default();
        pair.1.clear();
    }

    world! {
        struct Game {
            include pairs::<Option<u8>, super::Mana>;
            include pairs::<u32, &'static str> as second;
        }
        schedule tick { include empty::<Option<u8>, super::Mana>, include empty::<u32, &'static str> }
    }

    #[test]
    fn parameters_have_bounds_and_arguments_are_any_types() {
        let mut game = Game::new();
        let one = game.spawn((Pair(Some(3), vec![Mana]), Pair(4, vec!["a"])));
        game.tick();
        let pair = game.get::<Pair<u32, Vec<&str>>>(one).map(|pair| (pair.0, pair.1.len()));
        assert_eq!((pair, game.columns().second_pair.len()), (Some((0, 0)), 1));
        assert_eq!(
            <Game as World>::COMPONENTS,
            ["Pair<Option<u8>, Vec<super::Mana>>", "Pair<u32, Vec<&'static str>>"]
        );
    }
}

/// A world of two instances that is saved.
mod saved {
    use super::*;
    use ecs::save::Saved;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    #[serde(bound = "")]
    struct Counter<T: Send + Sync + 'static>(u32, PhantomData<T>);
    #[derive(Resource, Clone, Serialize, Deserialize, PartialEq, Debug)]
    #[serde(bound = "")]
    struct Step<T: Send + Sync + 'static>(u32, PhantomData<T>);

    parts! {
        counter<T> where T: Send + Sync + 'static {
            components { Counter<T> }
            resources { Step<T> = Step(1, PhantomData) }
            schedule count { counted::<T> }
        }
    }

    #[system]
    fn counted<T: Send + Sync + 'static>(counter: &mut Counter<T>, step: Res<Step<T>>, mut runs: Local<u32>) {
        *runs += 1;
        counter.0 += step.0 * *runs;
    }

    world! {
        #[derive(Clone, Serialize, Deserialize)]
        struct Game {
            include counter::<u8> as small;
            include counter::<u16> as large { Step as large_step = Step(10, PhantomData) };
        }
        schedule tick { include count::<u8>, include count::<u16> }
    }

    world! {
        #[world(alias = "Game")]
        #[derive(Clone, Serialize, Deserialize)]
        struct Swapped {
            include counter::<u16> as one;
            include counter::<u8> as another;
        }
        schedule tick { include count::<u16>, include count::<u8> }
    }

    fn counters<W: World + Has<Counter<u8>> + Has<Counter<u16>>>(world: &W, entity: Entity) -> (u32, u32) {
        let small = world.get::<Counter<u8>>(entity).map_or(0, |counter| counter.0);
        (small, world.get::<Counter<u16>>(entity).map_or(0, |counter| counter.0))
    }

    #[test]
    fn instances_are_distinct_in_files_whatever_their_order_and_fields() {
        let mut game = Game::new();
        let one = game.spawn((Counter::<u8>(0, PhantomData), Counter::<u16>(0, PhantomData)));
        game.tick();
        game.tick();
        assert_eq!(counters(&game, one), (3, 30));
        let bytes = game.to_bytes().unwrap();
        let mut loaded = Game::load(&bytes).unwrap();
        let mut swapped = Swapped::load(&bytes).unwrap();
        assert_eq!((counters(&loaded, one), counters(&swapped, one)), ((3, 30), (3, 30)));
        loaded.tick();
        swapped.tick();
        assert_eq!((counters(&loaded, one), counters(&swapped, one)), ((6, 60), (6, 60)));
        let text = serde_json::to_string(&game).unwrap();
        for name in
            ["Counter<u8>", "Counter<u16>", "Step<u8>", "Step<u16>", "counted::<u8>", "counted::<u16>"]
        {
            assert!(text.contains(name), "{name}: {text}");
        }
        let again: Game = serde_json::from_str(&text).unwrap();
        assert_eq!(again.to_bytes().unwrap(), bytes);
    }
}
