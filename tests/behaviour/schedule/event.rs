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
fn drain_takes_the_kept_events() {
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
fn a_system_in_run_sees_the_kept_events() {
    let mut radio = Radio::default();
    radio.send(Beep(4));
    radio.run::<listen_early>();
    assert_eq!(radio.resource::<Heard>().early, [4]);
    radio.tick();
    assert_eq!(radio.resource::<Heard>().early, [4, 4]);
}

#[test]
fn events_of_a_panicking_system_are_dropped() {
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
    shop.tick(); // all readers have read two; twenty wait for `early`
    assert!(ecs_tests::fuse::blows_up(1, || drop(shop.drain::<Fragile>())));
    *shop.resource_mut::<Sums>() = Sums([0; 2]);
    shop.resource_mut::<Count>().0 = 1;
    shop.tick();
    shop.tick();
    let sums = shop.resource::<Sums>().0;
    assert!(sums == [1, 1] || sums == [21, 1], "{sums:?}");
}

#[test]
fn a_system_that_runs_once_sees_nothing_that_every_reader_has_read() {
    #[derive(Event)]
    struct Ring(u32);
    #[derive(Resource, Default)]
    struct Seen(Vec<u32>);
    world! {
        struct Tower {
            resources { Seen }
            events { Ring(external) }
        }
        schedule tick { listen; look; ring }
    }
    #[system(Tower)]
    fn listen(mut rings: EventReader<Ring>) {
        rings.clear();
    }
    #[system(Tower)]
    fn look(tower: &mut Tower) {
        tower.run::<note>();
    }
    #[system(Tower)]
    fn note(mut rings: EventReader<Ring>, mut seen: ResMut<Seen>) {
        seen.0.extend(rings.iter().map(|ring| ring.0));
    }
    #[system(Tower)]
    fn ring(mut rings: EventWriter<Ring>) {
        rings.send(Ring(2));
    }
    let mut tower = Tower::default();
    tower.send(Ring(1));
    tower.tick();
    assert!(tower.resource::<Seen>().0.is_empty());
    tower.run::<note>();
    assert_eq!(tower.resource::<Seen>().0, [2]);
}

#[test]
fn every_entity_of_a_per_entity_system_sees_all_that_is_unread() {
    #[derive(Component)]
    struct Ear(u32);
    #[derive(Event)]
    struct Ring(u32);
    world! {
        struct Tower {
            components { Ear }
            events { Ring(external) }
        }
        schedule tick { listen }
    }
    #[system(Tower)]
    fn listen(ear: &mut Ear, mut rings: EventReader<Ring>) {
        ear.0 += rings.iter().map(|ring| ring.0).sum::<u32>();
    }
    let mut tower = Tower::new();
    tower.send(Ring(1));
    tower.tick();
    assert_eq!(tower.stats().events[0].kept, 1, "nobody was there to read it");
    tower.spawn_batch([0, 0, 0].map(Ear));
    tower.send(Ring(2));
    tower.tick();
    assert_eq!(tower.stats().events[0].kept, 0);
    tower.tick();
    assert!(tower.query::<&Ear>().iter().all(|ear| ear.0 == 3));
}

#[test]
fn writers_are_heard_in_the_order_in_which_they_ran() {
    #[derive(Event)]
    struct Word(&'static str);
    #[derive(Resource, Default)]
    struct Text(String);
    world! {
        struct Stage {
            resources { Text }
            events { Word }
        }
        schedule tick { early, first; second, late; third }
    }
    #[system(Stage)]
    fn first(mut words: EventWriter<Word>, mut again: EventWriter<Word>) {
        again.send(Word("b"));
        words.send(Word("a"));
        again.send(Word("c"));
    }
    #[system(Stage)]
    fn second(mut words: EventWriter<Word>) {
        words.send(Word("d"));
    }
    #[system(Stage)]
    fn third(mut words: EventWriter<Word>) {
        words.send(Word("e"));
    }
    #[system(Stage)]
    fn early(mut words: EventReader<Word>) {
        words.clear();
    }
    #[system(Stage)]
    fn late(mut words: EventReader<Word>, mut text: ResMut<Text>) {
        text.0.extend(words.iter().map(|word| word.0));
        text.0.push('.');
    }
    let mut stage = Stage::default();
    stage.tick();
    stage.tick();
    assert_eq!(stage.resource::<Text>().0, "abcd.eabcd.");
}

#[test]
fn a_hundred_thousand_events_pass_many_readers() {
    #[derive(Event)]
    struct Tick(u32);
    #[derive(Resource, Default)]
    struct Sums([u64; 3]);
    #[derive(Resource, Default)]
    struct Round(u32);
    world! {
        struct Mill {
            resources { Sums, Round }
            events { Tick }
        }
        schedule turn { first; pour; second; third if seldom }
    }
    #[system(Mill)]
    fn pour(mut ticks: EventWriter<Tick>, mut round: ResMut<Round>) {
        let start = round.0 * 10_000;
        ticks.extend((start..start + 10_000).map(Tick));
        round.0 += 1;
    }
    fn add(sum: &mut u64, ticks: &mut EventReader<'_, Tick>) {
        for tick in ticks {
            assert_eq!(*sum, u64::from(tick.0), "in order, none twice, none missing");
            *sum += 1;
        }
    }
    #[system(Mill)]
    fn first(mut ticks: EventReader<Tick>, mut sums: ResMut<Sums>) {
        add(&mut sums.0[0], &mut ticks);
    }
    #[system(Mill)]
    fn second(mut ticks: EventReader<Tick>, mut sums: ResMut<Sums>) {
        add(&mut sums.0[1], &mut ticks);
    }
    #[system(Mill)]
    fn third(mut ticks: EventReader<Tick>, mut sums: ResMut<Sums>) {
        add(&mut sums.0[2], &mut ticks);
    }
    #[system(Mill)]
    fn seldom(round: Res<Round>) -> bool {
        round.0.is_multiple_of(7)
    }
    let mut mill = Mill::default();
    for _ in 0..21 {
        mill.turn();
    }
    assert_eq!(mill.resource::<Sums>().0, [200_000, 210_000, 210_000]);
    assert_eq!(mill.stats().events[0].kept, 10_000);
}
