//! A system whose error type does not implement `Error`.
use ecs::prelude::*;

struct NoFuel;

#[derive(Component)]
struct Fuel(u32);

world! {
    struct Game {
        components { Fuel }
    }
    schedule tick -> Result { burn }
}

#[system(Game)]
fn burn(mut tanks: Query<&mut Fuel>) -> Result<(), NoFuel> {
    for fuel in &mut tanks {
        fuel.0 = fuel.0.checked_sub(1).ok_or(NoFuel)?;
    }
    Ok(())
}

fn main() {}
