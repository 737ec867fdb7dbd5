//! Several mistakes of one kind (schedule) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock(0.0) }
    }
    schedule tick every Clock { movement }
    schedule error_in_a_box_tick -> Result { error_in_a_box }
}

// `every` with a resource that is no clock.
#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

// A system whose error may not leave its thread.
#[system(Game)]
fn error_in_a_box(position: Query<&Position>) -> Result<(), Box<dyn std::error::Error>> {
    let _: u32 = "4".parse()?;
    println!("{}", position.len());
    Ok(())
}

fn error_in_a_box_main() {
    Game::new().error_in_a_box_tick().unwrap();
}

fn main() {}
