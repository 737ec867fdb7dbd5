//! A bank with several tellers, the queue M/M/c: customers arrive at random times, wait for a free
//! teller, and are served for a random time.

use std::collections::VecDeque;

use ecs::prelude::*;
use ecs::time::earliest;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone)]
pub struct Customer;

#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Arrival;
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Departure(Entity);

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
        resources {
            arrivals: EventQueue<Arrival>,
            departures: EventQueue<Departure> = EventQueue::new(),
            Rates,
            hall: Hall = Hall::default(),
        }
    }
    schedule moment { arrive; depart; serve }
}

/// The time of the next event of any kind.
fn next_due(bank: &Bank) -> Option<f64> {
    let departures = bank.resource::<EventQueue<Departure>>();
    earliest([bank.resource::<EventQueue<Arrival>>().next_due(), departures.next_due()])
}

/// All that happens in the next unit of time, from event to event.
pub fn step(bank: &mut Bank) {
    let end = bank.resource::<EventQueue<Arrival>>().now() + 1.0;
    let advance = |bank: &mut Bank, time| {
        bank.resource_mut::<EventQueue<Arrival>>().advance_to(time);
        bank.resource_mut::<EventQueue<Departure>>().advance_to(time);
    };
    while let Some(due) = next_due(bank).filter(|&due| due <= end) {
        advance(bank, due);
        bank.moment();
    }
    advance(bank, end);
}

#[system(Bank)]
fn arrive(
    (mut arrivals, mut hall): (ResMut<EventQueue<Arrival>>, ResMut<Hall>),
    (rates, mut random, mut commands): (Res<Rates>, ResMut<Random>, Commands<Bank>),
) {
    let now = arrivals.now();
    while let Some(Arrival) = arrivals.pop_until(now) {
        hall.waiting.push_back((commands.spawn(Customer), now));
        arrivals.schedule_after(after(rates.arrivals, &mut random), Arrival);
    }
}

#[system(Bank)]
fn depart(
    (mut departures, mut hall): (ResMut<EventQueue<Departure>>, ResMut<Hall>),
    mut commands: Commands<Bank>,
) {
    let now = departures.now();
    while let Some(Departure(customer)) = departures.pop_until(now) {
        hall.busy -= 1;
        hall.served += 1;
        commands.despawn(customer);
    }
}

/// Free tellers call the customers that have waited longest.
#[system(Bank)]
fn serve(
    (mut departures, mut hall): (ResMut<EventQueue<Departure>>, ResMut<Hall>),
    (rates, mut random): (Res<Rates>, ResMut<Random>),
) {
    while hall.busy < rates.tellers
        && let Some((customer, since)) = hall.waiting.pop_front()
    {
        let service = after(rates.services, &mut random);
        hall.busy += 1;
        hall.waited += departures.now() - since;
        hall.stayed += departures.now() - since + service;
        departures.schedule_after(service, Departure(customer));
    }
}

/// A random time until something that happens so often in a unit of time.
fn after(rate: f64, random: &mut Random) -> f64 {
    Exp::new(rate).expect("a positive rate").sample(random)
}

/// An empty bank, to which the first customer comes at time 0.
pub fn bank(seed: u64, rates: Rates) -> Bank {
    let mut arrivals = EventQueue::new();
    arrivals.schedule_at(0.0, Arrival);
    Bank::new(Random::new(seed), arrivals, rates)
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
