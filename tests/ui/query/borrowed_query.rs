//! A reference to a query struct in place of the query.

use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Query)]
struct Body<'a> {
    health: &'a mut Health,
}

world! {
    struct Game { components { Health } }
    schedule tick { heal }
}

#[system(Game)]
fn heal(bodies: Query<&Body>) {
    for body in &bodies {
        println!("{}", body.health.0);
    }
}

fn main() {
    Game::new().tick();
}
