//! An epidemic in a network: who is infected may infect each contact, and recovers in the end.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub enum Health {
    Susceptible,
    Infected,
    Recovered,
}

/// The people that a person meets: a list is faster than a relation, and right as long as nobody is despawned.
#[derive(Component, Serialize, Deserialize)]
pub struct Contacts(pub Vec<Entity>);

/// Probabilities in a step.
#[derive(Resource, Serialize, Deserialize, Clone, Copy)]
pub struct Rules {
    pub infection: f64,
    pub recovery: f64,
}

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Town {
        include ecs_agents::random::random;
        components { Health, Contacts }
        resources { Rules }
    }
    schedule step { include ecs_agents::random::next_step; spread }
}

/// All at once: who is infected in this step infects others from the next one on.
#[system(Town)]
fn spread(
    mut people: Query<(&mut Health, &Contacts)>,
    (rules, mut random): (Res<Rules>, ResMut<Random>),
    mut infected: Local<Vec<Entity>>,
) {
    for (_, contacts) in people.iter().filter(|(health, _)| **health == Health::Infected) {
        infected.extend(contacts.0.iter().filter(|_| random.random_bool(rules.infection)));
    }
    for (health, _) in people.iter_mut().filter(|(health, _)| **health == Health::Infected) {
        if random.random_bool(rules.recovery) {
            *health = Health::Recovered;
        }
    }
    for person in infected.drain(..) {
        if let Some((health @ Health::Susceptible, _)) = people.get_mut(person) {
            *health = Health::Infected;
        }
    }
}

/// A town whose network is that of Barabási and Albert, in which each new person meets three others.
pub fn town(seed: u64, number: u32, rules: Rules) -> Town {
    let mut random = Random::new(seed);
    let network = Network::barabasi_albert(number, 3, &mut random);
    let mut town = Town::new(random, rules);
    let health = |i| if i < number / 100 { Health::Infected } else { Health::Susceptible };
    let people: Vec<Entity> = town.spawn_batch((0..number).map(health)).collect();
    for (&person, node) in people.iter().zip(0..) {
        let contacts = network.neighbours(node).iter().map(|&other| people[other as usize]);
        town.insert(person, Contacts(contacts.collect())).expect("it was spawned");
    }
    town
}
