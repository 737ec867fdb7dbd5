use ecs::Schedule;
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Score(u32);

world! {
    struct Game { resources { Score } }
}

fn main() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let _ = schedule.add_fn(&mut game, "keep", 0, |score: Res<'static, Score>| {
        let _: &'static Score = score.into_inner();
    });
}
