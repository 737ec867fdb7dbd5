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

/// The contacts of each of `number` people: the network of Barabási and Albert, "Emergence of
/// scaling in random networks", 1999, in which each new person meets `links` others.
pub fn network(number: usize, links: usize, random: &mut Random) -> Vec<Vec<u32>> {
    let mut contacts = vec![Vec::new(); number];
    // each person as often as it has contacts
    let mut ends: Vec<u32> = (0..links as u32).collect();
    for new in links..number {
        let mut met = Vec::with_capacity(links);
        while met.len() < links {
            let other = ends[random.random_range(0..ends.len())];
            if !met.contains(&other) {
                met.push(other);
            }
        }
        for other in met {
            contacts[new].push(other);
            contacts[other as usize].push(new as u32);
            ends.extend([other, new as u32]);
        }
    }
    contacts
}

pub fn town(seed: u64, number: usize, rules: Rules) -> Town {
    let mut random = Random::new(seed);
    let contacts = network(number, 3, &mut random);
    let mut town = Town::new(random, rules);
    let first = number / 100;
    let health = |i| if i < first { Health::Infected } else { Health::Susceptible };
    let people: Vec<Entity> = town.spawn_batch((0..number).map(health)).collect();
    for (person, contacts) in people.iter().zip(contacts) {
        let contacts = contacts.into_iter().map(|other| people[other as usize]).collect();
        town.insert(*person, Contacts(contacts)).expect("it was spawned");
    }
    town
}
