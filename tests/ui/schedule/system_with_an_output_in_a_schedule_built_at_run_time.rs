use ecs::Schedule;
use ecs::prelude::*;

world! {
    struct Game {}
}

#[system(Game)]
fn total(mut runs: Local<u32>) -> u32 {
    *runs += 1;
    *runs
}

fn main() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add::<total>(&mut game, 0);
}
