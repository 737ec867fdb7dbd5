//! G: the gist's events.

use ecs::prelude::*;

#[derive(Event, Clone, PartialEq, Debug)]
struct Noise(u32);
#[derive(Event)]
struct Key(char);
#[derive(Resource, Default)]
struct Heard {
    before: Vec<u32>,
    own: Vec<u32>,
    after: Vec<u32>,
    keys: String,
    second_drain: usize,
}
#[derive(Resource, Default)]
struct Next(Option<u32>);

world! {
    struct Town {
        resources { Heard, Next }
        events { Noise, Key(external) }
    }
    schedule update_all { before; emit; after if !deaf; listen_to_keys }
}

#[system(Town)]
fn before(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
    heard.before.extend(noises.iter().map(|noise| noise.0));
}

#[system(Town)]
fn emit(
    mut noises: EventReader<Noise>,
    mut out: EventWriter<Noise>,
    mut next: ResMut<Next>,
    mut heard: ResMut<Heard>,
) {
    heard.own.extend(noises.iter().map(|noise| noise.0));
    out.extend(next.0.take().map(Noise));
}

#[system(Town)]
fn after(mut noises: EventReader<Noise>, mut heard: ResMut<Heard>) {
    heard.after.extend(noises.iter().map(|noise| noise.0));
    heard.second_drain += noises.iter().count();
}

#[system(Town)]
fn listen_to_keys(mut keys: EventReader<Key>, mut heard: ResMut<Heard>) {
    heard.keys.extend(keys.iter().map(|key| key.0));
}

#[system(Town)]
fn deaf(round: Local<u32>) -> bool {
    let mut round = round;
    *round += 1;
    (2..5).contains(&*round)
}

fn round(town: &mut Town, noise: Option<u32>) {
    town.resource_mut::<Next>().0 = noise;
    town.update_all();
}

#[test]
fn g11_a_reader_is_a_subscription_and_sees_each_event_once() {
    let mut town = Town::default();
    for n in 1..=3 {
        round(&mut town, Some(n));
    }
    for _ in 0..5 {
        round(&mut town, None);
    }
    let heard = town.resource::<Heard>();
    assert_eq!((&heard.before, &heard.own, &heard.after), (&vec![1, 2, 3], &vec![1, 2, 3], &vec![1, 2, 3]));
}

#[test]
fn g12_events_are_injected_from_outside() {
    let mut town = Town::default();
    town.send(Key('h'));
    town.send(Key('i'));
    round(&mut town, None);
    round(&mut town, None);
    assert_eq!(town.resource::<Heard>().keys, "hi");
}

#[test]
fn g13_a_second_drain_is_empty() {
    let mut town = Town::default();
    round(&mut town, Some(1));
    round(&mut town, Some(2));
    assert_eq!(town.resource::<Heard>().second_drain, 0);
    assert!(!town.resource::<Heard>().after.is_empty());
    town.send(Noise(7));
    assert!(town.drain::<Noise>().any(|noise| noise == Noise(7)));
    assert_eq!(town.drain::<Noise>().count(), 0);
}

#[test]
fn g14_unread_events_stay_until_they_are_read() {
    let mut town = Town::default();
    for n in 1..=4 {
        round(&mut town, Some(n)); // from the second round on the last listener is deaf
    }
    assert_eq!(town.resource::<Heard>().after, [1]);
    round(&mut town, None);
    assert_eq!(town.resource::<Heard>().after, [1, 2, 3, 4]);
}

#[test]
fn g15_later_systems_see_an_event_in_this_round_earlier_ones_and_the_emitter_in_the_next() {
    let mut town = Town::default();
    round(&mut town, Some(1));
    {
        let heard = town.resource::<Heard>();
        assert_eq!((heard.before.len(), heard.own.len(), heard.after.as_slice()), (0, 0, &[1][..]));
    }
    round(&mut town, None);
    let heard = town.resource::<Heard>();
    assert_eq!(
        (heard.before.as_slice(), heard.own.as_slice(), heard.after.as_slice()),
        (&[1][..], &[1][..], &[1][..])
    );
}
