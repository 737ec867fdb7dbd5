//! An event among the components, and a component among the events: systems use them as what their
//! derives say, and each is one error.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Event)]
struct Landed(f32);

world! {
    struct Game {
        components { Landed }
        events { Position }
    }
    schedule tick { land, report }
}

#[system(Game)]
fn land(position: &mut Position, mut landed: EventWriter<Landed>) {
    landed.send(Landed(position.0));
    position.0 = 0.0;
}
#[system(Game)]
fn report(mut landed: EventReader<Landed>) {
    for Landed(position) in &mut landed {
        println!("{position}");
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn(Position(1.0));
    game.tick();
}
