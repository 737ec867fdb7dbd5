//! A relation that is not `Send` is one error, whether it has one target or many.

use std::rc::Rc;

use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
struct Holds {
    #[target]
    thing: Entity,
    grip: Rc<u32>,
}

#[derive(Relation)]
#[relation(many)]
struct Owes {
    #[target]
    to: Entity,
    what: Rc<u32>,
}

world! {
    struct Game { components { Holds, owes: Many<Owes> } }
    schedule tick { drop_all }
}

#[system(Game)]
fn drop_all(holding: Query<(Entity, &Holds)>, mut commands: Commands<Game>) {
    for (entity, _) in &holding {
        commands.remove::<Holds>(entity);
    }
}

fn main() {
    let mut game = Game::new();
    let (a, b) = (game.spawn(()), game.spawn(()));
    game.insert(a, Holds { thing: b, grip: Rc::new(1) }).unwrap();
    game.relate(a, Owes { to: b, what: Rc::new(1) }).unwrap();
}
