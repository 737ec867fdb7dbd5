//! SIR: the contacts of a person are a list in a component.

use bevy_ecs::prelude::*;
use ecs_agents::prelude::{Grid, Network, Random, RngExt};

use super::{Draws, run};
use crate::sir::Rules;

#[derive(Component, Clone, Copy, PartialEq)]
enum Health {
    Susceptible,
    Infected,
    Recovered,
}
#[derive(Component)]
struct Contacts(Vec<Entity>);
#[derive(Resource)]
struct Probabilities(Rules);

fn spread(
    mut people: Query<(&mut Health, &Contacts)>,
    (rules, mut draws): (Res<Probabilities>, ResMut<Draws>),
    mut infected: Local<Vec<Entity>>,
) {
    let (rules, random) = (&rules.0, &mut draws.0);
    for (_, contacts) in people.iter().filter(|(health, _)| **health == Health::Infected) {
        infected.extend(contacts.0.iter().filter(|_| random.random_bool(rules.infection)));
    }
    for (mut health, _) in people.iter_mut().filter(|(health, _)| **health == Health::Infected) {
        if random.random_bool(rules.recovery) {
            *health = Health::Recovered;
        }
    }
    for person in infected.drain(..) {
        if let Ok((mut health, _)) = people.get_mut(person)
            && *health == Health::Susceptible
        {
            *health = Health::Infected;
        }
    }
}

pub(crate) fn sir(seed: u64, number: u32, rules: Rules, steps: u32) -> Vec<u64> {
    let (mut random, mut world) = (Random::new(seed), World::new());
    let network = Network::barabasi_albert(number, 3, &mut random);
    let health = |i| if i < number / 100 { Health::Infected } else { Health::Susceptible };
    let people: Vec<Entity> = (0..number).map(|i| world.spawn(health(i)).id()).collect();
    for (&person, node) in people.iter().zip(0..) {
        let contacts = network.neighbours(node).iter().map(|&other| people[other as usize]).collect();
        world.entity_mut(person).insert(Contacts(contacts));
    }
    world.insert_resource(Probabilities(rules));
    run(&mut world, Grid::torus(1, 1), random, steps, spread);
    people.iter().map(|&person| *world.get::<Health>(person).unwrap() as u64).collect()
}
