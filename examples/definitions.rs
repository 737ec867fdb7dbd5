//! Components that a data file defines: the file has the names and types of the fields, and their
//! first values.

use ecs::components_from;
use ecs::prelude::*;

components_from! {
    #[derive(Clone, PartialEq, Debug)]
    "data/spells.json",
}

world! {
    struct Game { components { Spell, Cooldown } }
    schedule turn { cast }
}

/// The fields of the file are fields of a struct: `spell.cots` does not compile.
#[system(Game)]
fn cast(spell: &Spell, cooldown: &mut Cooldown) {
    if cooldown.left == 0 {
        println!("{} for {} mana, {} fields far", spell.name, spell.cost, spell.range);
        cooldown.left = cooldown.turns;
    } else {
        cooldown.left -= 1;
    }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Spell::default(), Cooldown::default()));
    game.spawn((
        Spell { name: "fireball".into(), cost: 9, ..Spell::default() },
        Cooldown { turns: 9, left: 1 },
    ));
    for turn in 1..=4 {
        println!("turn {turn}");
        game.turn();
    }
}
