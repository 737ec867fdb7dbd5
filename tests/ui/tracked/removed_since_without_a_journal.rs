//! `removed_since` and its relatives in a world without a journal, and of a component that the world does not have.
use ecs::prelude::*;

#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Unlisted;

world! {
    struct Game {
        components { Health }
    }
}

world! {
    #[world(journal = 64)]
    struct Recorded {
        components { Health }
    }
}

fn main() {
    let mut game = Game::new();
    let then = game.advance_tick();
    game.removed_since::<Health>(then).unwrap();
    game.despawned_since(then).unwrap();
    game.journal_since(then).unwrap();
    let recorded = Recorded::new();
    recorded.removed_since::<Health>(then).unwrap();
    recorded.removed_since::<Unlisted>(then).unwrap();
}
