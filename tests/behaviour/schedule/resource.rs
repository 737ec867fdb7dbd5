//! Resources: the parameters of `new`, and the bounds of `Default`.

use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Resource, Debug, PartialEq)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default, Debug, PartialEq)]
struct Score(u32);
#[derive(Resource, Debug, PartialEq)]
struct Limit(u32);
#[derive(Resource)]
struct Listed<T: Send + Sync + 'static>(Vec<T>);

world! {
    struct Game {
        resources { clock: Clock, score: Score = Score::default(), Limit, names: Listed<String> = Listed(vec![]) }
    }
}

world! {
    struct Easy { resources { Score, limit: Limit = Limit(3 + 4) } }
}

#[test]
fn new_takes_the_resources_without_a_first_value_in_order() {
    let game = Game::new(Clock { step: 0.5 }, Limit(10));
    assert_eq!(game.resource::<Clock>(), &Clock { step: 0.5 });
    assert_eq!((game.resource::<Score>(), game.resource::<Limit>()), (&Score(0), &Limit(10)));
    assert!(game.resource::<Listed<String>>().0.is_empty());
}

#[test]
fn default_exists_where_every_resource_has_one() {
    let easy = Easy::default();
    assert_eq!((easy.resource::<Score>(), easy.resource::<Limit>()), (&Score(0), &Limit(7)));
    let easy = Easy::new(Score(4));
    assert_eq!(easy.resource::<Score>(), &Score(4));
    static_assertions::assert_impl_all!(Easy: Default);
    static_assertions::assert_not_impl_any!(Game: Default, Clone);
}

#[test]
fn resources_are_written() {
    let mut game = Game::new(Clock { step: 0.5 }, Limit(10));
    game.resource_mut::<Score>().0 += 5;
    game.resource_mut::<Listed<String>>().0.push("x".into());
    let old = std::mem::replace(game.resource_mut::<Limit>(), Limit(1));
    assert_eq!((old, game.resource::<Limit>(), game.resource::<Score>()), (Limit(10), &Limit(1), &Score(5)));
}

#[test]
fn clear_keeps_resources() {
    let mut easy = Easy::new(Score(4));
    easy.spawn(());
    easy.clear();
    assert_eq!((easy.resource::<Score>(), easy.entities().len()), (&Score(4), 0));
}

#[test]
fn resources_are_dropped_with_the_world() {
    #[derive(Resource)]
    struct Held(#[allow(dead_code)] ecs_tests::Token);
    world! {
        struct Holder { resources { Held } }
    }
    let ledger = ecs_tests::Ledger::new();
    drop(Holder::new(Held(ledger.token())));
    ledger.assert_settled();
}

#[derive(Resource, Default)]
#[resource(shared)]
struct Next(AtomicU32);
#[derive(Resource, Default, PartialEq, Debug)]
struct First(u32);
#[derive(Resource, Default, PartialEq, Debug)]
struct Second(u32);

world! {
    struct Queue { resources { Next, First, Second } }
    schedule tick { first, second, asks }
}

#[system(Queue)]
fn first(next: Res<Next>, mut first: ResMut<First>) {
    std::thread::yield_now();
    first.0 = next.0.fetch_add(1, Ordering::Relaxed);
}
#[system(Queue)]
fn second(next: Res<Next>, mut second: ResMut<Second>) {
    second.0 = next.0.fetch_add(1, Ordering::Relaxed);
}
#[system(Queue)]
fn asks(next: Res<Next>) {
    assert_eq!(next.0.load(Ordering::Relaxed) % 2, 0);
}

#[test]
fn systems_that_share_a_resource_run_in_the_order_of_the_text() {
    let mut queue = Queue::default();
    let graph = queue.schedule_graph();
    let waves: Vec<usize> = graph.schedules[0].nodes.iter().map(|node| node.wave).collect();
    assert_eq!(waves, [0, 1, 2]);
    queue.set_parallelism(Parallelism::Always);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| (0..100).for_each(|_| queue.tick()));
    assert_eq!((queue.resource::<First>(), queue.resource::<Second>()), (&First(198), &Second(199)));
}
