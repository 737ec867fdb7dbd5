//! Events that panic when they are cloned or dropped; readers and queues that are forgotten,
//! swapped and replaced.
#![expect(clippy::forget_non_drop, reason = "that nothing happens is the claim")]

use std::mem::{forget, replace, swap, take};

use ecs::prelude::*;
use ecs::{HasEvent, HasResource};
use ecs_tests::fuse::{blows_up, burn};

use super::ground::{Ledger, Token};

/// An event whose clone and drop are steps towards a panic.
#[derive(Event)]
struct Bomb(Token);

impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("a clone");
        Self(self.0.clone())
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        burn("a drop");
    }
}

#[derive(Resource, Clone, Default)]
struct Mint(Ledger);
#[derive(Resource, Clone, Default)]
struct Awake(bool);

#[system]
fn early(mut bombs: EventReader<Bomb>, awake: Res<Awake>) {
    if awake.0 {
        assert!(bombs.iter().all(|bomb| bomb.0.number() > 0));
    }
}

#[system]
fn throw(mut bombs: EventWriter<Bomb>, mint: Res<Mint>) {
    bombs.extend((0..5).map(|_| Bomb(mint.0.token())));
}

#[system]
fn late(mut bombs: EventReader<Bomb>) {
    assert!(bombs.iter().all(|bomb| bomb.0.number() > 0));
}

/// The world of these tests, with an accessible queue.
trait Field: World + HasEvent<Bomb> + HasResource<Mint> + HasResource<Awake> + Default + Clone {
    fn tick(&mut self);
    fn queue(&mut self) -> &mut ecs::event::Events<Bomb>;
}

macro_rules! field {
    ($name:ident, $($options:tt)*) => {
        world! {
            #[derive(Clone)]
            struct $name {
                resources { Mint, Awake }
                events { bombs: Bomb($($options)*) }
            }
            schedule tick { early; throw; late }
        }
        impl Field for $name {
            fn tick(&mut self) {
                $name::tick(self);
            }
            fn queue(&mut self) -> &mut ecs::event::Events<Bomb> {
                &mut self.bombs
            }
        }
    };
}

field!(Free,);
field!(Oldest, keep = 7);
field!(Newest, keep = 7, full = newest);
field!(Panics, keep = 7, full = panic);

fn field<W: Field>() -> (W, Ledger) {
    let world = W::default();
    let ledger = world.resource::<Mint>().0.clone();
    (world, ledger)
}

/// Calls all methods of events. Inconsistent ones may panic.
fn exercise<W: Field>(world: &mut W) {
    let ledger = world.resource::<Mint>().0.clone();
    for round in 0..4 {
        world.resource_mut::<Awake>().0 = round % 2 == 1;
        world.tick();
        world.send(Bomb(ledger.token()));
    }
    let copy = world.clone();
    drop(world.drain::<Bomb>());
    assert_eq!(world.drain::<Bomb>().len(), 0);
    drop(copy);
    world.resource_mut::<Awake>().0 = true;
    world.tick();
}

/// The operations that must work after any attack.
fn still_works<W: Field>(mut world: W, ledger: &Ledger) {
    drop(world.drain::<Bomb>());
    world.resource_mut::<Awake>().0 = true;
    for _ in 0..3 {
        world.tick();
        let stats = &world.stats().events[0];
        assert_eq!(stats.kept, 5, "what was thrown last waits for the early reader");
        assert!(world.drain::<Bomb>().all(|bomb| bomb.0.number() > 0));
    }
    drop(world);
    ledger.assert_settled();
}

fn blow_up_everywhere<W: Field>() {
    for n in 1..200 {
        let (mut world, ledger) = field::<W>();
        if !blows_up(n, || exercise(&mut world)) {
            still_works(world, &ledger);
            return;
        }
        ledger.alive();
        still_works(world, &ledger);
    }
    panic!("the fuse never outlasts the exercise");
}

#[test]
fn no_panic_of_a_clone_or_drop_breaks_a_queue() {
    blow_up_everywhere::<Free>();
    blow_up_everywhere::<Oldest>();
    blow_up_everywhere::<Newest>();
}

#[test]
fn a_full_queue_panics_and_stays_whole() {
    for n in 1..30 {
        let (mut world, ledger) = field::<Panics>();
        assert!(blows_up(n, || exercise(&mut world)), "with the fuse, or with what does not fit");
        still_works(world, &ledger);
    }
}

#[test]
fn forgotten_readers_writers_and_drains_are_sound() {
    #[derive(Event)]
    struct Plain(Token);
    world! {
        struct Leaky {
            resources { Mint }
            events { Plain(keep = 7) }
        }
        schedule tick { hold; shout; listen; hear }
    }
    #[system(Leaky)]
    fn hold(plains: EventReader<Plain>) {
        forget(plains);
    }
    #[system(Leaky)]
    fn shout(mut plains: EventWriter<Plain>, mint: Res<Mint>) {
        plains.send(Plain(mint.0.token()));
        plains.send(Plain(mint.0.token()));
        forget(plains);
    }
    #[system(Leaky)]
    fn listen(mut plains: EventReader<Plain>) {
        let mut unread = plains.iter();
        assert!(unread.next().is_some_and(|plain| plain.0.number() > 0));
        forget(unread);
        forget(plains);
    }
    #[system(Leaky)]
    fn hear(mut plains: EventReader<Plain>) {
        assert_eq!(plains.iter().filter(|plain| plain.0.number() > 0).count(), 2);
    }
    let ledger = Ledger::new();
    let mut leaky = Leaky::new(Mint(ledger.clone()));
    for round in 1..10 {
        leaky.tick();
        assert_eq!(ledger.alive(), 7.min(round * 2), "who forgets its reader has read nothing");
    }
    forget(leaky.drain::<Plain>());
    assert_eq!(ledger.alive(), 7, "leaked");
    for _ in 0..3 {
        leaky.tick();
    }
    drop(leaky);
    assert_eq!(ledger.alive(), 7);
}

#[test]
fn a_writer_is_fed_by_an_iterator_that_panics() {
    #[system]
    fn feed(mut bombs: EventWriter<Bomb>, mint: Res<Mint>) {
        bombs.extend((0..5).map(|n| {
            assert!(n < 3, "the iterator is at its end");
            Bomb(mint.0.token())
        }));
    }
    let (mut world, ledger) = field::<Oldest>();
    assert!(blows_up(u32::MAX, || world.run::<feed>()));
    assert_eq!(world.stats().events[0].sent, 0);
    still_works(world, &ledger);
}

fn fill<W: Field>(world: &mut W) {
    for _ in 0..3 {
        let _ = blows_up(u32::MAX, || world.tick());
    }
}

fn queues_wander<A: Field, B: Field>() {
    let ((mut one, ledger), (mut two, other)) = (field::<A>(), field::<B>());
    fill(&mut one);
    fill(&mut two);
    swap(one.queue(), two.queue());
    for _ in 0..3 {
        let _ = blows_up(u32::MAX, || (one.tick(), two.tick()));
        let _ = blows_up(u32::MAX, || one.send(Bomb(ledger.token())));
        assert_eq!(one.stats().events[0].readers.len(), 2);
    }
    let stolen = take(one.queue());
    assert!(format!("{stolen:?}").contains("Events"));
    for _ in 0..3 {
        let _ = blows_up(u32::MAX, || one.tick()); // its places have subscriptions of a queue that does not exist any more
        let _ = blows_up(u32::MAX, || one.send(Bomb(ledger.token())));
        let _ = one.stats().to_string();
    }
    drop(replace(two.queue(), stolen.clone()));
    let _ = blows_up(u32::MAX, || two.tick());
    *one.queue() = stolen;
    let _ = blows_up(u32::MAX, || one.tick());
    drop((one.drain::<Bomb>(), two.drain::<Bomb>()));
    drop((one, two));
    ledger.assert_settled();
    other.assert_settled();
}

#[test]
fn queues_wander_between_worlds_of_different_bounds() {
    queues_wander::<Free, Oldest>();
    queues_wander::<Newest, Free>();
    queues_wander::<Panics, Free>();
    queues_wander::<Oldest, Newest>();
    queues_wander::<Free, Panics>();
}

#[test]
fn a_system_replaces_the_queue_that_its_neighbours_read() {
    #[derive(Resource, Default)]
    struct Stolen(ecs::event::Events<Bomb>);
    world! {
        struct Den {
            resources { Mint, Stolen, Awake }
            events { bombs: Bomb(keep = 7) }
        }
        schedule tick { early; throw; steal; late; give_back; throw_again; late_again }
    }
    #[system(Den)]
    fn steal(den: &mut Den) {
        swap(&mut den.bombs, &mut den.stolen.0);
    }
    #[system(Den)]
    fn give_back(den: &mut Den) {
        swap(&mut den.bombs, &mut den.stolen.0);
        let copy = den.bombs.clone();
        den.stolen.0 = copy;
    }
    #[system(Den)]
    fn throw_again(mut bombs: EventWriter<Bomb>, mint: Res<Mint>) {
        bombs.extend((0..9).map(|_| Bomb(mint.0.token())));
    }
    #[system(Den)]
    fn late_again(mut bombs: EventReader<Bomb>) {
        assert!(bombs.iter().all(|bomb| bomb.0.number() > 0));
    }
    let ledger = Ledger::new();
    let mut den = Den::new(Mint(ledger.clone()), Stolen::default(), Awake(true));
    for round in 0..6 {
        den.resource_mut::<Awake>().0 = round % 2 == 0;
        den.tick();
        let _ = den.stats().to_string();
    }
    drop(den);
    ledger.assert_settled();
}
