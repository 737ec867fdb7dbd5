use ecs::Many;
use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { owes: Many<Owes> } }
}

fn main() {
    let mut game = Game::new();
    let entity = game.spawn(());
    let _ = game.target::<Owes>(entity);
}
