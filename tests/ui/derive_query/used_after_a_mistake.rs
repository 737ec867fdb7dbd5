//! Query structs and structs of parameters with a mistake, and a filter with a derive of bevy: their
//! uses cause no further errors.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

#[derive(Query)]
struct Body<'w> {
    position: &'w Position,
    velocity: Velocity,
}
#[derive(Query)]
struct Moved<'w> {
    position: &'w mut Position,
    velocity: Velocity,
}
#[derive(Query)]
enum Either<'w> {
    Position(&'w Position),
}
#[derive(SystemParam)]
enum Stats<'w> {
    Bodies(Query<'w, &'static Position>),
}
#[derive(QueryFilter)]
struct Moving(With<Velocity>);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { look, push, each, choose, count, filtered }
}

#[system(Game)]
fn look(bodies: Query<Body>) {
    for body in &bodies {
        println!("{}", body.position.0 + body.velocity.0);
    }
}

#[system(Game)]
fn push(mut bodies: Query<Moved>) {
    for body in &mut bodies {
        body.position.0 += body.velocity.0;
    }
}

#[system(Game)]
fn each(body: Each<Body>) {
    println!("{}", body.position.0);
}

#[system(Game)]
fn choose(all: Query<Either>) {
    println!("{}", all.iter().count());
}

#[system(Game)]
fn count(stats: Stats) {
    let Stats::Bodies(bodies) = stats;
    println!("{}", bodies.len());
}

#[system(Game)]
fn filtered(bodies: Query<&Position, Moving>) {
    println!("{}", bodies.len());
}

fn main() {
    Game::new().tick();
}
