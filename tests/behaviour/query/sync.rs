//! Worlds can be sent to other threads, and several threads can read one world.

use ecs::EntitySet;
use ecs::prelude::*;
use static_assertions::{assert_impl_all, assert_not_impl_any};

use super::fixture::{A, B, Four, by_kind};

#[derive(Resource, Default)]
struct Score(#[allow(dead_code)] u32);
#[derive(Event)]
struct Hit(#[allow(dead_code)] u32);
#[derive(Component)]
struct Name(#[allow(dead_code)] String);

world! {
    struct Game {
        components { Name }
        resources { Score }
        events { Hit }
    }
    schedule tick { hit, count }
}

#[system(Game)]
fn hit(mut hits: EventWriter<Hit>, mut count: Local<u32>) {
    *count += 1;
    hits.send(Hit(*count));
}

#[system(Game)]
fn count(mut hits: EventReader<Hit>, mut score: ResMut<Score>) {
    score.0 += hits.iter().count() as u32;
}

assert_impl_all!(Game: Send, Sync, Default, std::fmt::Debug);
assert_not_impl_any!(Game: Clone, Copy);
assert_impl_all!(Four: Send, Sync, Default, Clone, std::fmt::Debug);
assert_impl_all!(ecs::component::Column<Name>: Send, Sync);
assert_impl_all!(ecs::component::Column<std::cell::Cell<u32>>: Send);
assert_not_impl_any!(ecs::component::Column<std::cell::Cell<u32>>: Sync);
assert_not_impl_any!(ecs::component::Column<std::rc::Rc<u32>>: Send, Sync);
assert_not_impl_any!(ecs::query::View<'static, std::cell::Cell<u32>>: Send, Sync);
assert_impl_all!(EntitySet: Send, Sync, Clone, Default);

#[test]
fn a_world_moves_to_another_thread_and_back() {
    let mut game = Game::default();
    let entity = game.spawn(Name("n".into()));
    let game = std::thread::spawn(move || {
        game.tick();
        game.tick();
        game
    })
    .join()
    .unwrap();
    assert_eq!((game.resource::<Score>().0, game.get::<Name>(entity).map(|name| name.0.len())), (2, Some(1)));
}

#[test]
fn threads_read_one_world_at_once() {
    let (world, _) = by_kind(200);
    let world = &world;
    let sum = |_| world.query::<(&A, &B)>().iter().map(|(a, b)| u64::from(a.0) + b.0).sum::<u64>();
    let expected = sum(0);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|n| scope.spawn(move || sum(n))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), expected);
        }
    });
}
