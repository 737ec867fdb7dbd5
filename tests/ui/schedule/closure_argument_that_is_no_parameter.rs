use ecs::Schedule;
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
}

fn main() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add_fn(&mut game, "movement", 0, |position: &mut Position| position.0 += 1.0);
}
