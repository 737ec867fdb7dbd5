// The long name keeps the message the same wherever the project lies: the compiler shortens what names a long path.

use ecs::prelude::*;

struct Socket;

world! {
    struct Game {}
}

fn main() {
    let mut game = Game::default();
    let mut schedule = Schedule::<Game>::new("frame");
    let socket = Socket;
    let _ = schedule.add_fn(&mut game, "send", 0, move || {
        let _ = &socket;
    });
}
