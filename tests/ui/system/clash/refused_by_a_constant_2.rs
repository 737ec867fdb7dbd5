//! Several mistakes of one kind (system, clash) in one program: constants refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Event)]
struct Bumped(u32);
type Dungeon = Game;

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
        events { Bumped(external) }
    }
    schedule tick {
        reset, world_beside_a_resource, leave, world_beside_an_event, world_twice,
        world_twice_through_an_alias
    }
}

// The whole world beside a query.
#[system(Game)]
fn reset(game: &mut Game, bodies: Query<&Position>) {
    game.clear();
    println!("{}", bodies.len());
}

// The whole world beside a resource.
#[system(Game)]
fn world_beside_a_resource(clock: Res<Clock>, game: &mut Game) {
    game.clear();
    println!("{}", clock.0);
}

// The whole world beside a per-entity parameter.
#[system(Game)]
fn leave(game: &mut Game, entity: Entity, position: &Position) {
    if position.0 > 100.0 {
        let _ = game.despawn(entity);
    }
}

// The whole world beside a writer of events.
#[system(Game)]
fn world_beside_an_event(game: &mut Game, mut bumped: EventWriter<Bumped>) {
    game.clear();
    bumped.send(Bumped(1));
}

// The whole world, twice.
#[system(Game)]
fn world_twice(game: &mut Game, again: &mut Game) {
    game.clear();
    again.clear();
}

// The whole world, twice, once under another name.
#[system(Game)]
fn world_twice_through_an_alias(game: &mut Game, again: &mut Dungeon) {
    game.clear();
    again.clear();
}

fn main() {}
