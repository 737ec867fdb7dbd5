//! A bank with several tellers, the queue M/M/c: customers arrive at random times, wait for a free
//! teller, and are served for a random time.

use std::collections::VecDeque;

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone)]
pub struct Customer;

#[derive(Serialize, Deserialize, Clone, Debug)]
pub enum Happening {
    Arrival,
    Departure(Entity),
}

/// Means per unit of time, and the number of tellers.
#[derive(Resource, Serialize, Deserialize, Clone, Copy)]
pub struct Rates {
    pub arrivals: f64,
    /// Of one teller.
    pub services: f64,
    pub tellers: usize,
}

/// The customers that wait, with their times of arrival, and the measured sums.
#[derive(Resource, Serialize, Deserialize, Clone, Default)]
pub struct Hall {
    pub waiting: VecDeque<(Entity, f64)>,
    pub busy: usize,
    pub served: u64,
    /// The times that customers have waited, and those that they have been there: sums.
    pub waited: f64,
    pub stayed: f64,
}

world! {
    #[derive(Serialize, Deserialize, Clone)]
    pub struct Bank {
        include ecs_agents::random::random;
        components { Customer }
        resources { queue: EventQueue<Happening>, Rates, hall: Hall = Hall::default() }
    }
    schedule step { serve }
}

/// All that happens in the next unit of time.
#[system(Bank)]
fn serve(
    (mut queue, mut hall): (ResMut<EventQueue<Happening>>, ResMut<Hall>),
    (rates, mut random, mut commands): (Res<Rates>, ResMut<Random>, Commands<Bank>),
) {
    let (arrivals, services) = (rates.arrivals, rates.services);
    let mut after = |rate| Exp::new(rate).expect("a positive rate").sample(&mut *random);
    let end = queue.now() + 1.0;
    while let Some(event) = queue.pop_until(end) {
        match event {
            Happening::Arrival => {
                let customer = commands.spawn(Customer);
                hall.waiting.push_back((customer, queue.now()));
                queue.schedule_after(after(arrivals), Happening::Arrival);
            }
            Happening::Departure(customer) => {
                hall.busy -= 1;
                hall.served += 1;
                commands.despawn(customer);
            }
        }
        while hall.busy < rates.tellers
            && let Some((customer, since)) = hall.waiting.pop_front()
        {
            let service = after(services);
            hall.busy += 1;
            hall.waited += queue.now() - since;
            hall.stayed += queue.now() - since + service;
            queue.schedule_after(service, Happening::Departure(customer));
        }
    }
}

/// An empty bank, to which the first customer comes at time 0.
pub fn bank(seed: u64, rates: Rates) -> Bank {
    let mut queue = EventQueue::new();
    queue.schedule_at(0.0, Happening::Arrival);
    Bank::new(Random::new(seed), queue, rates)
}

impl Rates {
    /// The mean time that a customer waits, after Erlang's formula C.
    pub fn mean_wait(&self) -> f64 {
        let (load, tellers) = (self.arrivals / self.services, self.tellers as f64);
        // Erlang's formula B, by its recursion
        let lost = (1..=self.tellers).fold(1.0, |lost, n| load * lost / (n as f64 + load * lost));
        let waits = lost / (1.0 - load / tellers * (1.0 - lost));
        waits / (tellers * self.services - self.arrivals)
    }
}
