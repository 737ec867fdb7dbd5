//! Events: every reader sees every event exactly once.

use ecs::prelude::*;

#[derive(Event, Clone, PartialEq, Debug)]
struct Beep(u32);
#[derive(Event)]
struct Lonely(#[allow(dead_code)] ecs_tests::Token);
#[derive(Event, PartialEq, Debug)]
struct Input(char);
#[derive(Resource, Default, Debug, PartialEq)]
struct Heard {
    early: Vec<u32>,
    late: Vec<u32>,
    slow: Vec<u32>,
    keys: String,
}
#[derive(Resource, Default)]
struct Awake(bool);
#[derive(Resource, Default)]
struct Sending(Vec<u32>);

world! {
    struct Radio {
        resources { Heard, Awake, Sending }
        events { Beep, lonely: Lonely(external), Input(external) }
    }
    schedule tick { listen_early; beep; listen_late; listen_slowly if awake; type_keys }
    schedule other { beep; listen_early }
}

#[system(Radio)]
fn beep(mut beeps: EventWriter<Beep>, mut sending: ResMut<Sending>) {
    beeps.extend(sending.0.drain(..).map(Beep));
}

#[system(Radio)]
fn listen_early(mut beeps: EventReader<Beep>, mut heard: ResMut<Heard>) {
    heard.early.extend(beeps.iter().map(|beep| beep.0));
}

#[system(Radio)]
fn listen_late(mut beeps: EventReader<Beep>, mut heard: ResMut<Heard>) {
    for Beep(n) in &mut beeps {
        heard.late.push(*n);
    }
    assert!(beeps.is_empty());
}

#[system(Radio)]
fn listen_slowly(mut beeps: EventReader<Beep>, mut heard: ResMut<Heard>) {
    heard.slow.extend(beeps.iter().map(|beep| beep.0));
}

#[system(Radio)]
fn type_keys(mut keys: EventReader<Input>, mut heard: ResMut<Heard>) {
    heard.keys.extend(keys.iter().map(|key| key.0));
}

#[system(Radio)]
fn awake(awake: Res<Awake>) -> bool {
    awake.0
}

fn say(radio: &mut Radio, beeps: &[u32]) {
    radio.resource_mut::<Sending>().0.extend(beeps);
}

#[test]
fn later_systems_hear_in_the_same_round_and_earlier_ones_in_the_next() {
    let mut radio = Radio::default();
    say(&mut radio, &[1, 2]);
    radio.tick();
    assert_eq!(
        (radio.resource::<Heard>().early.len(), radio.resource::<Heard>().late.as_slice()),
        (0, &[1, 2][..])
    );
    say(&mut radio, &[3]);
    radio.tick();
    assert_eq!(radio.resource::<Heard>().early, [1, 2]);
    assert_eq!(radio.resource::<Heard>().late, [1, 2, 3]);
    radio.tick();
    assert_eq!(radio.resource::<Heard>().early, [1, 2, 3]);
}

#[test]
fn every_reader_hears_everything_once_in_order() {
    let mut radio = Radio::default();
    let mut said = Vec::new();
    for round in 0..200u32 {
        let beeps: Vec<u32> = (0..round % 7).map(|n| round * 10 + n).collect();
        said.extend(&beeps);
        say(&mut radio, &beeps);
        radio.resource_mut::<Awake>().0 = round % 17 == 0;
        radio.tick();
    }
    radio.resource_mut::<Awake>().0 = true;
    radio.tick();
    let heard = radio.resource::<Heard>();
    assert_eq!((&heard.early, &heard.late, &heard.slow), (&said, &said, &said));
}

#[test]
fn unread_events_wait_for_a_reader_that_does_not_run() {
    let mut radio = Radio::default();
    for n in 0..50 {
        say(&mut radio, &[n]);
        radio.tick();
    }
    assert!(radio.resource::<Heard>().slow.is_empty());
    radio.resource_mut::<Awake>().0 = true;
    radio.tick();
    assert_eq!(radio.resource::<Heard>().slow, (0..50).collect::<Vec<_>>());
}

#[test]
fn events_come_from_outside_too() {
    let mut radio = Radio::default();
    radio.send(Input('a'));
    radio.send(Input('b'));
    radio.tick();
    radio.tick();
    radio.send(Input('c'));
    radio.tick();
    assert_eq!(radio.resource::<Heard>().keys, "abc");
}

#[test]
fn each_place_is_its_own_reader() {
    let mut radio = Radio::default();
    say(&mut radio, &[1]);
    radio.tick();
    radio.tick();
    assert_eq!(radio.resource::<Heard>().early, [1]);
    radio.other();
    assert_eq!(radio.resource::<Heard>().early, [1, 1], "the place in the other schedule had not heard it");
    radio.other();
    assert_eq!(radio.resource::<Heard>().early, [1, 1]);
}

#[test]
fn drain_takes_what_is_kept() {
    let mut radio = Radio::default();
    radio.send(Beep(1));
    radio.send(Beep(2));
    assert_eq!(radio.drain::<Beep>().collect::<Vec<_>>(), [Beep(1), Beep(2)]);
    assert_eq!(radio.drain::<Beep>().count(), 0);
    radio.tick();
    assert!(radio.resource::<Heard>().late.is_empty());
    say(&mut radio, &[3]);
    radio.tick();
    assert_eq!(radio.resource::<Heard>().late, [3]);
}

#[test]
fn drain_gives_nothing_that_every_reader_has_read() {
    #[derive(Event, PartialEq, Debug)]
    struct Ring(u32);
    #[derive(Resource)]
    struct Times(u32);
    world! {
        struct Bells {
            resources { Times }
            events { Ring }
        }
        schedule tick { early; ring; late }
    }
    #[system(Bells)]
    fn early(mut rings: EventReader<Ring>) {
        rings.clear();
    }
    #[system(Bells)]
    fn ring(mut rings: EventWriter<Ring>, times: Res<Times>) {
        rings.extend((0..times.0).map(|n| Ring(10 * times.0 + n)));
    }
    #[system(Bells)]
    fn late(mut rings: EventReader<Ring>) {
        rings.clear();
    }
    let mut bells = Bells::new(Times(1));
    bells.tick();
    bells.resource_mut::<Times>().0 = 9;
    bells.tick(); // `early` reads the first ring before the nine others are sent
    assert_eq!(bells.drain::<Ring>().collect::<Vec<_>>(), (90..99).map(Ring).collect::<Vec<_>>());
}

#[test]
fn events_that_all_readers_have_read_are_not_kept() {
    #[derive(Event)]
    struct Ring(#[allow(dead_code)] ecs_tests::Token);
    #[derive(Resource)]
    struct Mint(ecs_tests::Ledger);
    world! {
        struct Bells {
            resources { Mint }
            events { Ring }
        }
        schedule tick { ring; hear }
    }
    #[system(Bells)]
    fn ring(mut rings: EventWriter<Ring>, mint: Res<Mint>) {
        rings.extend((0..3).map(|_| Ring(mint.0.token())));
    }
    #[system(Bells)]
    fn hear(mut rings: EventReader<Ring>) {
        assert_eq!(rings.len(), 3);
        rings.clear();
    }
    let ledger = ecs_tests::Ledger::new();
    let mut bells = Bells::new(Mint(ledger.clone()));
    for _ in 0..100 {
        bells.tick();
        assert_eq!(ledger.alive(), 0);
    }
    assert_eq!(ledger.made(), 300);
}

#[test]
fn events_that_no_schedule_reads_wait_for_drain() {
    let ledger = ecs_tests::Ledger::new();
    let mut radio = Radio::default();
    radio.send(Lonely(ledger.token()));
    radio.tick();
    radio.send(Lonely(ledger.token()));
    assert_eq!(ledger.alive(), 2);
    assert_eq!(radio.drain::<Lonely>().count(), 2);
    ledger.assert_settled();
    radio.send(Lonely(ledger.token()));
    drop(radio);
    ledger.assert_settled();
}

#[test]
fn a_reader_that_clears_counts_all_as_read() {
    let mut radio = Radio::default();
    #[system(Radio)]
    fn skip(mut beeps: EventReader<Beep>) {
        beeps.clear();
        assert!(beeps.is_empty() && beeps.iter().next().is_none());
    }
    radio.send(Beep(1));
    radio.run::<skip>();
    radio.tick();
    assert_eq!(radio.resource::<Heard>().late, [1], "a system that ran once has no place to remember");
}

#[test]
fn a_system_that_runs_once_sees_what_is_kept() {
    let mut radio = Radio::default();
    radio.send(Beep(4));
    radio.run::<listen_early>();
    assert_eq!(radio.resource::<Heard>().early, [4]);
    radio.tick();
    assert_eq!(radio.resource::<Heard>().early, [4, 4]);
}

#[test]
fn what_a_system_sends_before_it_panics_is_not_sent() {
    #[system(Radio)]
    fn fail(mut beeps: EventWriter<Beep>) {
        beeps.send(Beep(1));
        panic!("after sending");
    }
    let mut radio = Radio::default();
    assert!(ecs_tests::fuse::blows_up(u32::MAX, || radio.run::<fail>()));
    radio.tick();
    assert!(radio.resource::<Heard>().late.is_empty());
}

#[test]
fn clear_keeps_events() {
    let mut radio = Radio::default();
    radio.send(Input('x'));
    radio.clear();
    radio.tick();
    assert_eq!(radio.resource::<Heard>().keys, "x");
}

#[test]
fn a_panicking_drop_of_an_event_loses_no_later_event() {
    #[derive(Event)]
    struct Fragile(u32);
    impl Drop for Fragile {
        fn drop(&mut self) {
            ecs_tests::fuse::burn("the drop of an event");
        }
    }
    #[derive(Resource, Default)]
    struct Sums([u32; 2]);
    #[derive(Resource, Default)]
    struct Count(u32);
    world! {
        struct Shop {
            resources { Sums, Count }
            events { Fragile }
        }
        schedule tick { early; deliver; late }
    }
    #[system(Shop)]
    fn early(mut parcels: EventReader<Fragile>, mut sums: ResMut<Sums>) {
        sums.0[0] += parcels.iter().map(|parcel| parcel.0).sum::<u32>();
    }
    #[system(Shop)]
    fn deliver(mut parcels: EventWriter<Fragile>, mut count: ResMut<Count>) {
        parcels.extend((0..std::mem::take(&mut count.0)).map(|_| Fragile(1)));
    }
    #[system(Shop)]
    fn late(mut parcels: EventReader<Fragile>, mut sums: ResMut<Sums>) {
        sums.0[1] += parcels.iter().map(|parcel| parcel.0).sum::<u32>();
    }
    let mut shop = Shop::default();
    shop.resource_mut::<Count>().0 = 2;
    shop.tick();
    shop.resource_mut::<Count>().0 = 20;
    shop.tick(); // everybody has read two; twenty wait for `early`
    assert!(ecs_tests::fuse::blows_up(1, || drop(shop.drain::<Fragile>())));
    *shop.resource_mut::<Sums>() = Sums([0; 2]);
    shop.resource_mut::<Count>().0 = 1;
    shop.tick();
    shop.tick();
    let sums = shop.resource::<Sums>().0;
    assert!(sums == [1, 1] || sums == [21, 1], "{sums:?}");
}
