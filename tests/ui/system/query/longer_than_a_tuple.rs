//! Queries with more elements than a tuple may have.
use ecs::prelude::*;

#[derive(Component)]
struct A(u32);
#[derive(Component)]
struct B;

world! {
    struct Game {
        components { A, B }
    }
    schedule tick { report; one }
}

#[system(Game)]
fn report(
    bodies: Query<(Entity, &A, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>, Is<B>), With<B>>,
) {
    for (entity, a, ..) in &bodies {
        println!("{entity} {}", a.0);
    }
}

#[system(Game)]
fn one(
    body: Single<&A, (With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<A>, With<B>)>,
) {
    println!("{}", body.0);
}

fn main() {
    Game::new().tick();
}
