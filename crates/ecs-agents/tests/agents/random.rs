//! Random numbers: the same for each seed, whatever the order and the threads.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Wealth(u64);

world! {
    #[derive(Serialize, Deserialize, Clone)]
    struct Town {
        include ecs_agents::random::random;
        components { Wealth }
    }
    schedule step { include ecs_agents::random::next_step; earn; spend }
    schedule other_step { include ecs_agents::random::next_step; earn_in_order; spend }
}

#[system(Town, par)]
fn earn(entity: Entity, wealth: &mut Wealth, random: Res<Random>) {
    wealth.0 += random.of("earn", entity).random_range(0..100_u64);
}

/// As `earn`, in the opposite order and with draws of other systems between.
#[system(Town)]
fn earn_in_order(agents: Query<Entity, With<Wealth>>, mut wealths: Query<&mut Wealth>, random: Res<Random>) {
    let mut agents: Vec<Entity> = agents.iter().collect();
    agents.reverse();
    for agent in agents {
        _ = random.of("something else", agent).next_u64();
        wealths.get_mut(agent).unwrap().0 += random.of("earn", agent).random_range(0..100_u64);
    }
}

#[system(Town)]
fn spend(mut wealths: Query<&mut Wealth>, agents: Query<Entity, With<Wealth>>, mut random: ResMut<Random>) {
    for agent in random.shuffled(agents.iter()) {
        let spent = random.random_range(0..10_u64);
        let wealth = wealths.get_mut(agent).unwrap();
        wealth.0 = wealth.0.saturating_sub(spent);
    }
}

fn town(seed: u64, agents: u64) -> Town {
    let mut town = Town::new(Random::new(seed));
    town.spawn_batch((0..agents).map(Wealth));
    town
}

#[test]
fn the_state_after_some_steps_is_the_same_on_any_number_of_threads_and_in_any_order() {
    let after = |threads: usize, step: fn(&mut Town)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut town = town(7, 5000);
        town.set_parallelism(if threads == 1 { Parallelism::Never } else { Parallelism::Always });
        pool.install(|| (0..5).for_each(|_| step(&mut town)));
        town.hash()
    };
    assert_eq!(after(1, Town::step), after(2, Town::step));
    assert_eq!(after(1, Town::step), after(4, Town::step));
    assert_eq!(after(1, Town::step), after(1, Town::other_step));
}

#[test]
fn a_loaded_and_a_cloned_world_go_on_with_the_same_numbers() {
    let mut town = town(1, 100);
    town.step();
    let (mut clone, mut loaded) = (town.clone(), Town::load(&town.to_bytes().unwrap()).unwrap());
    for world in [&mut town, &mut clone, &mut loaded] {
        world.step();
        world.step();
    }
    assert_eq!(town.hash(), clone.hash());
    assert_eq!(town.hash(), loaded.hash());
}

#[test]
fn draws_follow_from_seed_purpose_agent_and_step() {
    let mut town = town(1, 2);
    let [a, b] = [0, 1].map(|i| town.query::<Entity>().iter().nth(i).unwrap());
    let draw = |town: &Town, purpose: &str, agent| town.resource::<Random>().of(purpose, agent).next_u64();
    let first = draw(&town, "earn", a);
    assert_eq!(first, draw(&town, "earn", a));
    assert_ne!(first, draw(&town, "spend", a));
    assert_ne!(first, draw(&town, "earn", b));
    town.step();
    assert_ne!(first, draw(&town, "earn", a));
    assert_ne!(first, draw(&self::town(2, 2), "earn", a));
}

/// The numbers of seeds do not change with a version of a crate.
#[test]
fn numbers_are_those_that_were_fixed() {
    let mut random = Random::new(1);
    let drawn = [random.next_u64(), random.next_u64(), random.next_u64()];
    let of = [random.of("move", 5).next_u64(), random.of("move", 6).next_u64()];
    assert_eq!(drawn, [16_389_394_364_109_083_040, 17_706_552_906_046_681_458, 9_786_089_092_530_174_810]);
    assert_eq!(of, [7_171_188_881_481_539_266, 13_887_694_424_381_228_516]);
}

/// Means, variances and correlations of 200,000 agents, within five standard errors.
#[test]
fn draws_of_agents_and_of_steps_are_independent() {
    const NUMBER: u64 = 200_000;
    let mut random = Random::new(3);
    let centred = |bits: u64| (bits >> 11) as f64 / (1_u64 << 53) as f64 - 0.5;
    let mut sums = [0.0; 4];
    let mut previous = 0.0;
    for agent in 0..NUMBER {
        let mut draws = random.of("walk", agent);
        let (x, y, z) = (centred(draws.next_u64()), centred(draws.next_u64()), centred(random.next_u64()));
        for (sum, value) in sums.iter_mut().zip([x, x * x - 1.0 / 12.0, x * y, x * previous + z]) {
            *sum += value;
        }
        previous = x;
    }
    let deviations = [1.0 / 12.0_f64, 1.0 / 180.0, 1.0 / 144.0, 1.0 / 144.0 + 1.0 / 12.0];
    for (sum, variance) in sums.iter().zip(deviations) {
        let mean = sum / NUMBER as f64;
        assert!(mean.abs() < 5.0 * (variance / NUMBER as f64).sqrt(), "{sums:?}");
    }
}
