//! Events with a bound, in every form.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Event)]
struct Fell(u32);
#[derive(Event)]
struct Key(char);
#[derive(Event)]
struct Click(u32);
#[derive(Event)]
struct Touch;
#[derive(Event)]
struct Swipe;

world! {
    struct Game {
        events {
            Bumped(keep = 1_024),
            fallen: Fell(full = panic, keep = 1),
            Key(external, keep = 64, full = newest),
            Click(keep = 0xff, external, full = oldest,),
            Touch(external, keep = all),
            Swipe(skip = clear, external, full = newest, keep = 3),
        }
    }
    schedule tick {
        bump; hear;
    }
}

#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>, mut fell: EventWriter<Fell>) {
    bumped.send(Bumped(1));
    fell.send(Fell(1));
}

#[system(Game)]
fn hear(mut bumped: EventReader<Bumped>, mut fell: EventReader<Fell>) {
    println!("{} {}", bumped.iter().map(|it| it.0).sum::<u32>(), fell.iter().map(|it| it.0).sum::<u32>());
}

pub fn main() {
    let mut game = Game::new();
    game.tick();
    game.send(Key('a'));
    game.send(Click(1));
    game.send(Touch);
    game.send(Swipe);
    println!("{} {}", game.drain::<Key>().map(|key| key.0).collect::<String>(), game.drain::<Click>().map(|it| it.0).sum::<u32>());
}
