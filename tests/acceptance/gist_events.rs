//! G: the gist's events.

use ecs::prelude::*;

#[derive(Event, Clone, PartialEq, Debug)]
struct Noise(u32);
#[derive(Event)]
struct Key(char);
/// An event without a reader in the schedule.
#[derive(Event, PartialEq, Debug)]
struct Echo(u32);
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
        events { Noise, Key(external), Echo(external, keep = 2) }
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
fn g10_two_worlds_of_one_type_share_no_events_and_no_readers() {
    let (mut one, mut two) = (Town::default(), Town::default());
    one.send(Key('a'));
    round(&mut one, Some(1));
    round(&mut two, None);
    round(&mut one, None);
    assert_eq!(
        (one.resource::<Heard>().keys.as_str(), one.resource::<Heard>().before.as_slice()),
        ("a", &[1][..])
    );
    assert!(two.resource::<Heard>().keys.is_empty() && two.resource::<Heard>().before.is_empty());
    assert_eq!((one.stats().events[0].sent, two.stats().events[0].sent), (1, 0));
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
fn g11_the_parameter_is_the_subscription_and_two_of_them_are_two() {
    #[derive(Resource, Default)]
    struct Twice([u32; 2]);
    world! {
        struct Hall {
            resources { Twice }
            events { Noise(external) }
        }
        schedule update_all { listen_twice }
    }
    #[system(Hall)]
    fn listen_twice(
        mut one: EventReader<Noise>,
        mut two: EventReader<Noise>,
        mut twice: ResMut<Twice>,
        mut round: Local<u32>,
    ) {
        twice.0[0] += one.iter().count() as u32;
        *round += 1;
        if *round > 1 {
            twice.0[1] += two.iter().count() as u32;
        }
    }
    let mut hall = Hall::default();
    hall.send(Noise(1));
    hall.update_all();
    assert_eq!(hall.resource::<Twice>().0, [1, 0]);
    hall.update_all();
    assert_eq!(hall.resource::<Twice>().0, [1, 1], "each once, at its own pace");
    hall.update_all();
    assert_eq!(hall.resource::<Twice>().0, [1, 1]);
    assert_eq!(hall.stats().events[0].readers.len(), 2);
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

/// `ui/verbs/refused_by_a_trait.rs` shows that an undeclared event does not compile.
#[test]
fn g12_without_a_reader_events_wait_to_be_drained_up_to_their_bound() {
    let mut town = Town::default();
    for n in 1..=5 {
        town.send(Echo(n));
        round(&mut town, None);
    }
    assert_eq!(town.drain::<Echo>().collect::<Vec<_>>(), [Echo(4), Echo(5)]);
    assert_eq!(town.drain::<Echo>().count(), 0);
    assert_eq!(town.stats().events[2].lost, 3);
}

#[test]
fn g12_events_are_sent_from_within_a_system_that_has_the_whole_world() {
    #[system(Town)]
    fn shout(town: &mut Town) {
        town.send(Key('!'));
    }
    let mut town = Town::default();
    town.run::<shout>();
    round(&mut town, None);
    assert_eq!(town.resource::<Heard>().keys, "!");
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
fn g14_a_schedule_runs_all_in_order() {
    #[derive(Resource, Default)]
    struct Ran(Vec<&'static str>);
    world! {
        struct Hall { resources { Ran } }
        schedule update_all { one, two; three }
    }
    #[system(Hall)]
    fn three(mut ran: ResMut<Ran>) {
        ran.0.push("three");
    }
    #[system(Hall)]
    fn one(mut ran: ResMut<Ran>) {
        ran.0.push("one");
    }
    #[system(Hall)]
    fn two(mut ran: ResMut<Ran>) {
        ran.0.push("two");
    }
    let mut hall = Hall::default();
    hall.update_all();
    hall.update_all();
    assert_eq!(hall.resource::<Ran>().0, ["one", "two", "three", "one", "two", "three"]);
}

#[test]
fn g14_unread_events_stay_until_they_are_read() {
    let mut town = Town::default();
    for n in 1..=4 {
        round(&mut town, Some(n)); // the last listener ignores events from the second round on
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

#[test]
fn g16_a_subscription_ends() {
    let mut town = Town::default();
    let mut later = Schedule::<Town>::new("later");
    later.add::<after>(&mut town, 0).unwrap();
    let readers = |town: &Town| {
        let stats = town.stats();
        let noises = stats.events.iter().find(|events| events.event == "Noise").unwrap();
        noises.readers.len()
    };
    let before = readers(&town);
    town.send(Noise(1));
    later.run(&mut town).unwrap();
    assert_eq!(town.resource::<Heard>().after, [1]);
    assert_eq!(later.remove::<after>(&mut town), 1);
    assert_eq!(readers(&town), before - 1);
    town.send(Noise(2));
    later.run(&mut town).unwrap();
    assert_eq!(town.resource::<Heard>().after, [1], "it is not delivered any more");
    later.close(&mut town);
}
