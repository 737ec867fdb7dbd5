//! Events in continuous time: their order, saves and rollbacks, and two models beside their theory.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::event_queue::InvalidTime;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

use crate::models::queue::{Bank, Hall, Rates, bank, step};

/// Random calls of all methods, beside a list that is searched for its least time.
#[test]
fn the_queue_is_the_same_as_a_list_that_is_searched() {
    let mut random = Random::new(5);
    for _ in 0..50 {
        let (mut queue, mut list) = (EventQueue::new(), Vec::<(f64, u32, EventKey)>::new());
        for number in 0..300 {
            // whole times, so that many are equal
            let time = queue.now() + f64::from(random.random_range(0..10_u32));
            let first = |list: &[(f64, u32, EventKey)]| {
                let first = list.iter().enumerate().min_by(|(_, a), (_, b)| a.0.total_cmp(&b.0));
                first.map(|(i, _)| i)
            };
            match random.random_range(0..8_u32) {
                0..4 => list.push((time, number, queue.schedule_at(time, number))),
                4 if !list.is_empty() => {
                    let (_, event, key) = list.remove(random.random_range(0..list.len()));
                    assert_eq!((queue.cancel(key), queue.cancel(key)), (Some(event), None));
                }
                5 => {
                    let expected = first(&list).map(|i| list.remove(i));
                    assert_eq!(queue.pop(), expected.map(|(_, event, _)| event));
                    assert!(expected.is_none_or(|(time, ..)| queue.now() == time));
                }
                6 => {
                    while let Some(event) = queue.pop_until(time) {
                        assert_eq!(event, list.remove(first(&list).unwrap()).1);
                    }
                    assert!(queue.now() == time && list.iter().all(|event| event.0 > time));
                }
                _ => {
                    list.retain(|(time, event, _)| (time + f64::from(*event)) % 5.0 != 0.0);
                    queue.retain(|time, event| (time + f64::from(*event)) % 5.0 != 0.0);
                }
            }
            assert_eq!((queue.len(), queue.next_due()), (list.len(), first(&list).map(|i| list[i].0)));
            if number % 16 == 0 {
                let text = serde_json::to_string(&queue).unwrap();
                queue = serde_json::from_str(&text).unwrap();
            }
        }
    }
}

#[test]
fn times_that_are_not_in_the_future_are_refused() {
    let mut queue = EventQueue::new();
    queue.advance_to(2.0);
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.9] {
        let InvalidTime { time: refused, now } = queue.try_schedule_at(time, ()).unwrap_err();
        assert_eq!((refused.to_bits(), now), (time.to_bits(), 2.0));
    }
    assert!(queue.is_empty());
    let message = queue.try_schedule_at(1.0, ()).unwrap_err().to_string();
    assert_eq!(message, "1 is no time of an event at 2: it is before now");
    queue.schedule_after(0.0, ());
    assert_eq!(queue.next_due(), Some(2.0));
}

#[test]
#[should_panic(expected = "cannot advance to 3: an event is due at 2")]
fn time_does_not_pass_an_event() {
    let mut queue = EventQueue::new();
    queue.schedule_at(2.0, ());
    queue.advance_to(2.0);
    queue.advance_to(3.0);
}

#[test]
fn zeros_of_both_signs_are_one_time() {
    let mut queue = EventQueue::new();
    queue.schedule_at(0.0, 1);
    queue.schedule_at(-0.0, 2);
    assert_eq!([queue.pop(), queue.pop()], [Some(1), Some(2)]);
}

#[test]
fn an_edited_save_with_a_wrong_event_is_refused() {
    let read = |text: &str| serde_json::from_str::<EventQueue<u8>>(text).map(|queue| queue.len());
    assert_eq!(
        read(r#"[2.0, 2, [[{"time": 2.0, "number": 1}, 7], [{"time": 3.0, "number": 0}, 7]]]"#).unwrap(),
        2
    );
    let refused = |text| read(text).unwrap_err().to_string();
    let past = refused(r#"[2.0, 2, [[{"time": 1.0, "number": 1}, 7]]]"#);
    assert!(past.contains("1 is no time of an event at 2"), "{past}");
    let twice = refused(r#"[2.0, 2, [[{"time": 2.0, "number": 1}, 7], [{"time": 2.0, "number": 1}, 7]]]"#);
    assert!(twice.contains("the number of another event"), "{twice}");
    let late = refused(r#"[2.0, 1, [[{"time": 2.0, "number": 1}, 7]]]"#);
    assert!(late.contains("the number of another event"), "{late}");
    let large = refused("[2.0, 18446744073709551615, []]");
    assert!(large.contains("too large"), "{large}");
}

const RATES: Rates = Rates { arrivals: 2.4, services: 1.0, tellers: 3 };

#[test]
fn a_bank_goes_on_after_a_save_a_clone_and_a_rollback_and_is_the_same_on_any_number_of_threads() {
    let mut town = bank(3, RATES);
    (0..50).for_each(|_| step(&mut town));
    let (mut clone, mut loaded) = (town.clone(), Bank::load(&town.to_bytes().unwrap()).unwrap());
    let snapshot = town.snapshot();
    let end = |bank: &mut Bank| {
        (0..50).for_each(|_| step(bank));
        bank.hash()
    };
    let expected = end(&mut town);
    town.restore(&snapshot);
    assert_eq!([end(&mut town), end(&mut clone), end(&mut loaded)], [expected; 3]);
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| {
            let mut bank = bank(3, RATES);
            bank.set_parallelism(Parallelism::Always);
            (0..50).for_each(|_| step(&mut bank));
            end(&mut bank)
        });
        assert_eq!(found, expected);
    }
    // in debug and in release builds
    assert_eq!(expected, 0xb1c3_41d0_f01f_9a45, "{expected:#018x}");
}

/// The mean of numbers is this one, within four standard errors.
fn assert_mean(what: &str, numbers: &[f64], expected: f64) {
    let number = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / number;
    let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (number - 1.0);
    let error = (variance / number).sqrt();
    assert!((mean - expected).abs() < 4.0 * error, "{what}: {mean} ± {error}, and not {expected}");
    assert!(error < 0.05 * expected, "{what}: too few runs for a test, {mean} ± {error}");
}

/// Customers wait as long as Erlang's formula C says, and by Little's law are there as many as the
/// rate of arrivals times the time that they stay.
#[test]
fn a_bank_has_the_waits_of_erlangs_formula() {
    let (mut waits, mut stays, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for seed in 0..40 {
        let mut bank = bank(seed, RATES);
        (0..200).for_each(|_| step(&mut bank));
        *bank.resource_mut::<Hall>() =
            Hall { served: 0, waited: 0.0, stayed: 0.0, ..bank.resource::<Hall>().clone() };
        let mut there = 0;
        for _ in 0..1000 {
            step(&mut bank);
            there += bank.resource::<Hall>().busy + bank.resource::<Hall>().waiting.len();
        }
        let hall = bank.resource::<Hall>();
        waits.push(hall.waited / hall.served as f64);
        stays.push(hall.stayed / hall.served as f64);
        numbers.push(there as f64 / 1000.0);
    }
    let wait = RATES.mean_wait();
    assert!((wait - 1.0787).abs() < 1e-4, "three tellers at four fifths of their power: {wait}");
    assert_mean("wait", &waits, wait);
    assert_mean("stay", &stays, wait + 1.0 / RATES.services);
    assert_mean("customers", &numbers, RATES.arrivals * (wait + 1.0 / RATES.services));
}

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
enum Health {
    Susceptible,
    /// With the next meeting of the agent, which its recovery cancels.
    Infected(EventKey),
    Recovered,
}

#[derive(Serialize, Deserialize, Clone, Copy, Debug)]
enum Change {
    /// Somebody infected meets somebody.
    Meeting(Entity),
    Recovery(Entity),
}

const MEETINGS: f64 = 1.5;
const RECOVERIES: f64 = 1.0;

world! {
    #[derive(Serialize, Deserialize, Clone)]
    struct Town {
        include ecs_agents::random::random;
        components { Health }
        resources { EventQueue<Change> }
    }
    schedule all { spread }
}

/// Schedules what an agent does that is infected now.
fn infect(agent: Entity, queue: &mut EventQueue<Change>, random: &mut Random) -> Health {
    let mut after = |rate| Exp::new(rate).unwrap().sample(random);
    queue.schedule_after(after(RECOVERIES), Change::Recovery(agent));
    Health::Infected(queue.schedule_after(after(MEETINGS), Change::Meeting(agent)))
}

/// All events until nobody is infected.
#[system(Town)]
fn spread(
    mut agents: Query<(Entity, &mut Health)>,
    (mut queue, mut random): (ResMut<EventQueue<Change>>, ResMut<Random>),
) {
    let all: Vec<Entity> = agents.iter().map(|(agent, _)| agent).collect();
    while let Some(event) = queue.pop() {
        match event {
            Change::Meeting(agent) => {
                let (other, health) = agents.get_mut(all[random.random_range(0..all.len())]).unwrap();
                if *health == Health::Susceptible {
                    *health = infect(other, &mut queue, &mut random);
                }
                let next = Exp::new(MEETINGS).unwrap().sample(&mut *random);
                *agents.get_mut(agent).unwrap().1 = Health::Infected(queue.schedule_after(next, event));
            }
            Change::Recovery(agent) => {
                let (_, health) = agents.get_mut(agent).unwrap();
                let Health::Infected(meeting) = std::mem::replace(health, Health::Recovered) else {
                    panic!("an agent recovers that is {health:?}")
                };
                assert!(queue.cancel(meeting).is_some(), "an infected agent has a next meeting");
            }
        }
    }
}

/// The mean number of all who were infected, and the mean time until nobody is, of the Markov chain
/// whose states are the numbers of susceptible and infected agents.
fn expected(susceptible: usize, infected: usize) -> (f64, f64) {
    let all = (susceptible + infected) as f64;
    let mut rows = vec![vec![(0.0, 0.0); susceptible + infected + 1]; susceptible + 1];
    for s in 0..=susceptible {
        for i in 1..=susceptible + infected - s {
            let infection = MEETINGS * i as f64 * s as f64 / all;
            let sum = infection + RECOVERIES * i as f64;
            let (recovered, other) = (rows[s][i - 1], if s == 0 { (0.0, 0.0) } else { rows[s - 1][i + 1] });
            let part = infection / sum;
            let mean = |a: f64, b: f64| (1.0 - part) * a + part * b;
            rows[s][i] = (mean(recovered.0, other.0 + 1.0), 1.0 / sum + mean(recovered.1, other.1));
        }
    }
    (rows[susceptible][infected].0 + infected as f64, rows[susceptible][infected].1)
}

/// The direct method of Gillespie needs the time of the queue alone.
fn direct(random: &mut Random, mut s: u32, mut i: u32) -> (f64, f64) {
    let (mut queue, all) = (EventQueue::<()>::new(), s + i);
    while i > 0 {
        let infection = MEETINGS * f64::from(i) * f64::from(s) / f64::from(all);
        let sum = infection + RECOVERIES * f64::from(i);
        let next = queue.now() + Exp::new(sum).unwrap().sample(random);
        queue.advance_to(next);
        if random.random_bool(infection / sum) {
            (s, i) = (s - 1, i + 1);
        } else {
            i -= 1;
        }
    }
    (f64::from(all - s), queue.now())
}

#[test]
fn an_epidemic_has_the_size_and_the_duration_of_its_markov_chain() {
    let (susceptible, infected) = (57, 3);
    let by_agents = |seed| {
        let (mut random, mut queue) = (Random::new(seed), EventQueue::new());
        let mut town = Town::new(random.clone(), EventQueue::new());
        let agents: Vec<Entity> = town.spawn_batch([Health::Susceptible; 60]).collect();
        for &agent in &agents[..infected as usize] {
            town.insert(agent, infect(agent, &mut queue, &mut random)).unwrap();
        }
        *town.resource_mut::<Random>() = random;
        *town.resource_mut::<EventQueue<Change>>() = queue;
        town.all();
        let size = town.query::<&Health>().iter().filter(|&&health| health == Health::Recovered).count();
        (size as f64, town.resource::<EventQueue<Change>>().now())
    };
    let by_direct_method = |seed| direct(&mut Random::new(seed), susceptible, infected);
    let expected = expected(susceptible as usize, infected as usize);
    let runs: [Vec<(f64, f64)>; 2] =
        [(0..1500).map(by_agents).collect(), (0..1500).map(by_direct_method).collect()];
    for (name, runs) in ["agents", "direct method"].into_iter().zip(runs) {
        let (sizes, times): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
        assert_mean(&format!("{name}: size"), &sizes, expected.0);
        assert_mean(&format!("{name}: duration"), &times, expected.1);
    }
}
