//! An event that cannot move to another thread, in a world whose systems send and read it.
use std::rc::Rc;

use ecs::prelude::*;

#[derive(Event, Clone)]
struct Said(Rc<str>);

world! {
    #[derive(Clone)]
    struct Game {
        events { Said }
    }
    schedule tick { say; hear }
}

#[system(Game)]
fn say(mut said: EventWriter<Said>) {
    said.send(Said("yes".into()));
}

#[system(Game)]
fn hear(mut said: EventReader<Said>) {
    for said in &mut said {
        println!("{}", said.0);
    }
}

fn main() {
    let mut game = Game::new();
    game.send(Said("no".into()));
    game.tick();
    game.run::<say>();
}
