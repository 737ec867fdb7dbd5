//! Systems with `par`: several threads give the same result as one.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::thread::ThreadId;

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component, Clone, PartialEq, Debug)]
struct Position(u64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Target(Entity);
#[derive(Component, Clone, PartialEq, Debug)]
#[component(tracked)]
struct Heat(u64);
#[derive(Component, Clone, PartialEq, Debug)]
struct Frozen;
#[derive(Resource, Clone)]
struct Factor(u64);
/// An atomic in a type of its own, which hides it from the check of `derive(Resource)`.
#[derive(Default)]
struct Seen(Mutex<BTreeSet<ThreadIdOf>>);
#[derive(Resource, Default)]
struct Threads(Seen);
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct ThreadIdOf(String);

impl From<ThreadId> for ThreadIdOf {
    fn from(id: ThreadId) -> Self {
        Self(format!("{id:?}"))
    }
}

world! {
    struct Game {
        components { Position, Target, Heat, Frozen }
        resources { factor: Factor = Factor(3), threads: Threads = Threads::default() }
    }
    schedule many { hop, follow, warm }
    schedule one { hop_alone, follow_alone, warm_alone }
}

#[system(Game, par)]
fn hop(position: &mut Position, _: Without<Frozen>, factor: Res<Factor>) {
    hop_alone(position, Without::default(), factor);
}
#[system(Game)]
fn hop_alone(position: &mut Position, _: Without<Frozen>, factor: Res<Factor>) {
    position.0 = position.0.wrapping_mul(factor.0).rotate_left(7) ^ 1;
}
#[system(Game, par)]
fn follow(target: &Target, heat: Option<Mut<Heat>>, positions: Query<&Position>) {
    follow_alone(target, heat, positions);
}
#[system(Game)]
fn follow_alone(target: &Target, heat: Option<Mut<Heat>>, positions: Query<&Position>) {
    if let (Some(mut heat), Some(position)) = (heat, positions.iter_one(target.0)) {
        heat.0 ^= position;
    }
}
#[system(par, Game)]
fn warm(entity: Entity, mut heat: Mut<Heat>, threads: Res<Threads>) {
    threads.0.0.lock().unwrap().insert(std::thread::current().id().into());
    heat.0 ^= entity.to_bits();
}
#[system(Game)]
fn warm_alone(entity: Entity, mut heat: Mut<Heat>) {
    heat.0 ^= entity.to_bits();
}
#[system(par)]
fn generic<T: Component + Into<u64> + From<u64> + Clone>(value: &mut T) {
    *value = T::from(value.clone().into() + 1);
}

impl From<Position> for u64 {
    fn from(position: Position) -> Self {
        position.0
    }
}
impl From<u64> for Position {
    fn from(value: u64) -> Self {
        Self(value)
    }
}

trait IterOne {
    fn iter_one(&self, entity: Entity) -> Option<u64>;
}
impl IterOne for Query<'_, &Position> {
    fn iter_one(&self, entity: Entity) -> Option<u64> {
        self.get(entity).map(|position| position.0)
    }
}

fn game(len: u64) -> Game {
    let mut game = Game::new();
    let entities: Vec<Entity> = (0..len).map(|i| game.spawn((Position(i), Heat(i)))).collect();
    for (at, &entity) in entities.iter().enumerate() {
        if at % 3 == 0 {
            game.insert(entity, Target(entities[at * 7 % entities.len()])).unwrap();
        }
        if at % 11 == 0 {
            game.insert(entity, Frozen).unwrap();
        }
    }
    game
}

fn values(game: &Game) -> Vec<(Entity, u64, u64)> {
    game.query::<(Entity, &Position, &Heat)>()
        .iter()
        .map(|(entity, position, heat)| (entity, position.0, heat.0))
        .collect()
}

#[test]
fn a_parallel_system_has_the_result_of_the_plain_one() {
    for len in [0, 1, 100, 50_000] {
        for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
            let (mut one, mut many) = (game(len), game(len));
            many.set_parallelism(parallelism);
            for _ in 0..3 {
                one.one();
                many.many();
            }
            assert_eq!(values(&one), values(&many), "{parallelism:?}");
        }
    }
}

#[test]
fn it_runs_on_the_threads_of_the_pool() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(4).build().unwrap();
    let mut game = game(200_000);
    for _ in 0..50 {
        pool.install(|| game.run::<warm>());
    }
    let threads = game.resource::<Threads>().0.0.lock().unwrap().len();
    assert!((2..=4).contains(&threads), "{threads} threads");
}

#[test]
fn a_generic_system_may_be_parallel() {
    let mut game = game(10_000);
    let before = values(&game);
    game.run::<generic<Position>>();
    assert!(values(&game).iter().zip(&before).all(|(now, before)| now.1 == before.1 + 1));
}

#[test]
fn it_is_still_a_function() {
    let mut position = Position(1);
    hop(&mut position, Without::default(), Res::new(&Factor(2)));
    assert_eq!(position, Position(2 << 7 ^ 1));
}
