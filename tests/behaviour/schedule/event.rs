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
