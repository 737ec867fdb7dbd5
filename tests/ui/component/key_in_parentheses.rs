//! The field of a key or an index in parentheses is one error.
use ecs::prelude::*;

#[derive(Component)]
#[component(key(0))]
struct Ticket(u32);
#[derive(Component)]
#[component(index(team))]
struct Player {
    team: u32,
}

world! {
    struct Game { components { Ticket, Player } }
    schedule tick { look }
}

#[system(Game)]
fn look(tickets: Lookup<Ticket>, players: Lookup<Player>) {
    println!("{:?} {}", tickets.find_one(&7), players.find(&1).count());
}

fn main() {
    println!("{:?}", Game::new().find_one::<Ticket>(&7));
}
