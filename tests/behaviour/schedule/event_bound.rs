//! Bounds of events, and their statistics.

use ecs::event::{EventStats, ReaderStats};
use ecs::prelude::*;
use ecs_tests::{Ledger, Token, fuse};

#[derive(Event)]
struct Old(u32, #[allow(dead_code)] Token);
#[derive(Event)]
struct New(u32, #[allow(dead_code)] Token);
#[derive(Event)]
struct Sure(u32, #[allow(dead_code)] Token);
#[derive(Event, PartialEq, Debug)]
struct Key(u32);
#[derive(Resource, Default)]
struct Sending(Vec<u32>);
#[derive(Resource, Default)]
struct Mint(Ledger);
#[derive(Resource, Default)]
struct Slow(bool);
#[derive(Resource, Default)]
struct Heard([Vec<u32>; 4]);

world! {
    struct Post {
        resources { Sending, Mint, Slow, Heard }
        events {
            Old(keep = 4),
            newer: New(keep = 4, full = newest),
            Sure(full = panic, keep = 4),
            Key(external, keep = 3, full = newest),
        }
    }
    schedule tick { send; hear; hear_slowly if slow }
    schedule alarm { send_surely; hear_surely if slow }
}

#[system(Post)]
fn send(mut old: EventWriter<Old>, mut new: EventWriter<New>, mut sending: ResMut<Sending>, mint: Res<Mint>) {
    for n in sending.0.drain(..) {
        old.send(Old(n, mint.0.token()));
        new.send(New(n, mint.0.token()));
    }
}

#[system(Post)]
fn hear(mut old: EventReader<Old>, mut new: EventReader<New>, mut heard: ResMut<Heard>) {
    heard.0[0].extend(old.iter().map(|old| old.0));
    heard.0[1].extend(new.iter().map(|new| new.0));
}

#[system(Post)]
fn hear_slowly(mut old: EventReader<Old>, mut new: EventReader<New>, mut heard: ResMut<Heard>) {
    heard.0[2].extend(old.iter().map(|old| old.0));
    heard.0[3].extend(new.iter().map(|new| new.0));
}

#[system(Post)]
fn send_surely(mut sure: EventWriter<Sure>, mut sending: ResMut<Sending>, mint: Res<Mint>) {
    sure.extend(sending.0.drain(..).map(|n| Sure(n, mint.0.token())));
}

#[system(Post)]
fn hear_surely(mut sure: EventReader<Sure>, mut heard: ResMut<Heard>) {
    heard.0[0].extend(sure.iter().map(|sure| sure.0));
}

#[system(Post)]
fn slow(slow: Res<Slow>) -> bool {
    slow.0
}

fn post() -> (Post, Ledger) {
    let post = Post::default();
    let ledger = post.resource::<Mint>().0.clone();
    (post, ledger)
}

fn say(post: &mut Post, numbers: impl IntoIterator<Item = u32>) {
    post.resource_mut::<Sending>().0.extend(numbers);
}

fn stats_of(post: &Post, event: &str) -> EventStats {
    post.stats().events.into_iter().find(|stats| stats.event == event).unwrap()
}

#[test]
fn a_full_queue_that_panics_names_world_event_bound_and_the_slowest_reader() {
    let (mut post, ledger) = post();
    say(&mut post, 0..3);
    post.alarm();
    say(&mut post, 3..5);
    let message = fuse::panic_message(|| post.alarm());
    for part in ["`Post`", "`Sure`", "keep = 4", "full = panic", "`hear_surely`", "`alarm`", "3 behind"] {
        assert!(message.contains(part), "{message}");
    }
    let sure = stats_of(&post, "Sure");
    assert_eq!((sure.kept, sure.sent, sure.lost), (3, 3, 0), "all of what a system sends, or nothing");
    say(&mut post, [5]);
    post.alarm();
    let token = ledger.token();
    assert!(fuse::panic_message(|| post.send(Sure(6, token))).contains("`Sure`"));
    post.resource_mut::<Slow>().0 = true;
    post.alarm();
    assert_eq!(post.resource::<Heard>().0[0], [0, 1, 2, 5]);
    post.send(Sure(7, ledger.token()));
    post.alarm();
    assert_eq!(post.resource::<Heard>().0[0], [0, 1, 2, 5, 7]);
    ledger.assert_settled();
}

#[test]
fn a_type_that_no_schedule_reads_is_bounded_until_it_is_drained() {
    let (mut post, _) = post();
    for n in 0..10 {
        post.send(Key(n));
        post.tick();
    }
    let keys = stats_of(&post, "Key");
    assert_eq!((keys.kept, keys.sent, keys.lost), (3, 10, 7));
    assert_eq!((keys.readers.len(), keys.slowest()), (0, None));
    assert_eq!(post.drain::<Key>().collect::<Vec<_>>(), [Key(0), Key(1), Key(2)]);
    assert_eq!(post.drain::<Key>().count(), 0);
    post.send(Key(10));
    assert_eq!(post.drain::<Key>().collect::<Vec<_>>(), [Key(10)]);
    assert_eq!(stats_of(&post, "Key").sent, 11);
}

#[test]
fn stats_name_the_reader_that_never_runs() {
    let (mut post, _) = post();
    for n in 0..3 {
        say(&mut post, [n]);
        post.tick();
    }
    let old = stats_of(&post, "Old");
    assert_eq!((old.kept, old.sent, old.lost), (3, 3, 0));
    let readers: Vec<_> =
        old.readers.iter().map(|reader| (reader.schedule, reader.system, reader.unread)).collect();
    assert_eq!(readers, [("tick", "hear", 0), ("tick", "hear_slowly", 3)]);
    let Some(ReaderStats { schedule: "tick", system: "hear_slowly", unread: 3, .. }) = old.slowest() else {
        panic!("{old:?}")
    };
    let text = post.stats().to_string();
    for part in ["Old: `hear_slowly` of schedule `tick` is 3 behind", "Key", "readers"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.ends_with('\n'));
    post.resource_mut::<Slow>().0 = true;
    post.tick();
    let old = stats_of(&post, "Old");
    assert_eq!((old.kept, old.slowest().map(|reader| reader.unread)), (0, Some(0)));
}

#[test]
fn steps_and_events_that_are_compiled_out_shift_no_name() {
    #[derive(Event)]
    struct Ring;
    world! {
        struct Tower {
            events { #[cfg(any())] Gone, Ring(external, keep = 7) }
        }
        #[cfg(any())]
        schedule never { nothing }
        schedule dawn { #[cfg(any())] nothing if nothing; idle; wake if bright && !dull::<u8>, wake_again }
    }
    #[system(Tower)]
    fn idle() {}
    #[system(Tower)]
    fn wake(mut rings: EventReader<Ring>) {
        rings.clear();
    }
    #[system(Tower)]
    fn bright(mut rings: EventReader<Ring>) -> bool {
        rings.iter().count() > 100
    }
    #[system(Tower)]
    fn dull<T: Default + Clone + Send + Sync + 'static>(rings: EventReader<Ring>, _: Local<T>) -> bool {
        rings.is_empty()
    }
    #[system(Tower)]
    fn wake_again(mut rings: EventReader<Ring>) {
        rings.clear();
    }
    let mut tower = Tower::new();
    tower.send(Ring);
    tower.dawn();
    let [ring] = &tower.stats().events[..] else { panic!("one event") };
    let readers: Vec<_> = ring.readers.iter().map(|reader| (reader.system, reader.unread)).collect();
    assert_eq!(readers, [("bright", 0), ("dull::<u8>", 1), ("wake", 1), ("wake_again", 0)]);
    assert_eq!((ring.slowest().unwrap().system, ring.slowest().unwrap().schedule), ("dull::<u8>", "dawn"));
}

#[test]
fn a_bound_comes_through_a_macro() {
    #[derive(Event)]
    struct Ring(u32);
    macro_rules! tower {
        ($keep:literal, $full:ident) => {
            world! { struct Tower { events { Ring(external, keep = $keep, full = $full) } } }
        };
    }
    tower!(1_0, oldest);
    let mut tower = Tower::new();
    for n in 0..100 {
        tower.send(Ring(n));
    }
    assert!(tower.drain::<Ring>().map(|ring| ring.0).eq(90..100));
}

#[test]
fn a_large_bound_costs_no_more_than_a_small_one() {
    #[derive(Event)]
    struct Ring(u64);
    world! { struct Tower { events { Ring(external, keep = 300000) } } }
    let mut tower = Tower::new();
    for n in 0..1_000_000 {
        tower.send(Ring(n)); // moving the kept events each time would take hours
    }
    assert!(tower.drain::<Ring>().map(|ring| ring.0).eq(700_000..1_000_000));
}
