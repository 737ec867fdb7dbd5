use ecs_agents::prelude::*;

pub const SUSCEPTIBLE: u8 = 0;
pub const INFECTED: u8 = 1;
pub const RECOVERED: u8 = 2;

pub struct Town {
    random: Random,
    infection: f64,
    recovery: f64,
    pub health: Vec<u8>,
    contacts: Vec<Vec<u32>>,
    infected: Vec<u32>,
}

pub fn town(seed: u64, number: u32, [infection, recovery]: [f64; 2]) -> Town {
    let mut random = Random::new(seed);
    let network = Network::barabasi_albert(number, 3, &mut random);
    let contacts = (0..number).map(|person| network.neighbours(person).to_vec()).collect();
    let health = (0..number).map(|i| if i < number / 100 { INFECTED } else { SUSCEPTIBLE }).collect();
    Town { random, infection, recovery, health, contacts, infected: Vec::new() }
}

impl Town {
    pub fn step(&mut self) {
        let Self { random, infection, recovery, health, contacts, infected } = self;
        for (_, contacts) in health.iter().zip(contacts).filter(|(health, _)| **health == INFECTED) {
            for &other in &*contacts {
                if random.random_bool(*infection) {
                    infected.push(other);
                }
            }
        }
        for health in health.iter_mut().filter(|health| **health == INFECTED) {
            if random.random_bool(*recovery) {
                *health = RECOVERED;
            }
        }
        for person in infected.drain(..) {
            let health = &mut health[person as usize];
            if *health == SUSCEPTIBLE {
                *health = INFECTED;
            }
        }
    }
}
