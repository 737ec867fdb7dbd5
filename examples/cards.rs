//! A card game: cards lie in piles by a relation, and the turns are states.
//! `cargo run --release --example cards`.

use ecs::prelude::*;
use ecs_examples::{Color, Dice, Key, Program, Screen};
use serde::{Deserialize, Serialize};

/// The numbers by which a card hits, blocks and heals.
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Card([i32; 3]);

/// The pile in which a card lies. The sources of a pile are its cards, in their order.
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive)]
struct LiesIn(Entity);

/// The deck, the hand and the discarded cards.
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Piles(Vec<Entity>);
const DECK: usize = 0;
const HAND: usize = 1;
const DISCARD: usize = 2;

#[derive(Resource, Clone, Serialize, Deserialize)]
struct Fight {
    health: i32,
    block: i32,
    monster: i32,
    energy: u32,
    round: i32,
    chosen: usize,
}

#[derive(States, Clone, Serialize, Deserialize)]
enum Turn {
    #[state(to(Play))]
    Draw,
    #[state(to(Monster, Over))]
    Play,
    #[state(to(Draw, Over))]
    Monster,
    Over,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Table {
        components { Card, LiesIn }
        resources {
            Piles = Piles::default(), State<Turn> = State::new(Turn::Draw), dice: Dice = Dice(5),
            Fight = Fight { health: 30, block: 0, monster: 60, energy: 3, round: 1, chosen: 0 },
        }
        events { Key(external) }
    }
    schedule tick {
        deal if in_state::<turn::Draw>;
        play if in_state::<turn::Play>;
        strike if in_state::<turn::Monster>;
        transition::<Turn>;
    }
}

/// Draws cards at random. If the deck is too small, the discarded cards are added to it.
#[system(Table)]
fn deal(
    pile: Related<LiesIn>,
    piles: Res<Piles>,
    mut fight: ResMut<Fight>,
    mut turn: ResMut<State<Turn>>,
    mut dice: ResMut<Dice>,
    mut commands: Commands<Table>,
) {
    pile.sources(piles.0[HAND]).iter().for_each(|&card| commands.relate(card, LiesIn(piles.0[DISCARD])));
    let mut deck = pile.sources(piles.0[DECK]).to_vec();
    if deck.len() < 5 {
        deck.extend(pile.sources(piles.0[DISCARD]));
    }
    for index in 0..deck.len() {
        let card = deck.swap_remove(dice.below(deck.len() as i32) as usize);
        commands.relate(card, LiesIn(piles.0[if index < 5 { HAND } else { DECK }]));
    }
    (fight.energy, fight.block) = (3, 0);
    turn.change::<turn::Draw, turn::Play>();
}

#[system(Table)]
fn play(
    mut keys: EventReader<Key>,
    pile: Related<LiesIn>,
    cards: Query<&Card>,
    piles: Res<Piles>,
    mut fight: ResMut<Fight>,
    mut turn: ResMut<State<Turn>>,
    mut commands: Commands<Table>,
) {
    let hand = pile.sources(piles.0[HAND]);
    for key in &mut keys {
        let last = hand.len().saturating_sub(1);
        let (x, _) = key.direction().unwrap_or_default();
        fight.chosen = fight.chosen.saturating_add_signed(x as isize).min(last);
        match (key.0, hand.get(fight.chosen)) {
            (' ', Some(&id)) if fight.energy > 0 => {
                let Some(Card([hit, block, heal])) = cards.get(id) else { continue };
                (fight.monster, fight.block) = (fight.monster - hit, fight.block + block);
                fight.health = 30.min(fight.health + heal);
                fight.energy -= 1;
                fight.chosen = 0;
                commands.relate(id, LiesIn(piles.0[DISCARD]));
            }
            ('e', _) => _ = turn.change::<turn::Play, turn::Monster>(),
            _ => {}
        }
    }
    if fight.monster <= 0 {
        turn.change::<turn::Play, turn::Over>();
    }
}

/// The monster hits harder in every round.
#[system(Table)]
fn strike(mut fight: ResMut<Fight>, mut turn: ResMut<State<Turn>>) {
    fight.health -= (4 + fight.round - fight.block).max(0);
    fight.round += 1;
    turn.change::<turn::Monster, turn::Draw>();
    if fight.health <= 0 {
        turn.change::<turn::Monster, turn::Over>();
    }
}

impl Program for Table {
    const TITLE: &'static str = "cards";
    const KEYS: &'static str =
        "a d or arrows: choose a card   space: play it   e: end the turn   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = ".2___e.4d__a_e.4__.2dd_e.4__d_e.4___.2e.4_";

    fn start() -> Self {
        let mut table = Self::new();
        let piles = Piles((0..3).map(|_| table.spawn(())).collect());
        for card in [[6, 0, 0], [4, 0, 0], [3, 3, 0], [0, 5, 0], [0, 0, 4]].map(Card) {
            table.spawn_batch([card; 3].map(|card| (card, LiesIn(piles.0[DISCARD]))));
        }
        *table.resource_mut() = piles;
        table
    }

    fn draw(&self, screen: &mut Screen) {
        let (piles, fight) = (self.resource::<Piles>(), self.resource::<Fight>());
        let count = |pile: usize| self.sources::<LiesIn>(piles.0[pile]).len();
        screen.text(10, 0, &format!("deck {}   discarded {}", count(DECK), count(DISCARD)), Color::Grey);
        let Fight { health, block, monster, energy, round, .. } = self.resource::<Fight>();
        screen.text(28, 4, &format!("monster {monster:3}   strikes for {}", 4 + round), Color::Red);
        screen.text(25, 9, &format!("you {health:3} of 30   block {block}   energy {energy}"), Color::Cyan);
        for (index, &card) in (0..).zip(self.sources::<LiesIn>(piles.0[HAND])) {
            let Some(card) = self.get::<Card>(card) else { continue };
            let (y, color) = if fight.chosen == index { (14, Color::White) } else { (15, Color::Grey) };
            for (row, (label, value)) in (y..).zip(["hit", "block", "heal"].iter().zip(card.0)) {
                screen.text(10 + 12 * index as i32, row, &format!("| {label:5} {value} |"), color);
            }
        }
        if self.resource::<State<Turn>>().is(Turn::Over) {
            screen.banner(if fight.health > 0 {
                "The monster is beaten."
            } else {
                "The monster has beaten you."
            });
        }
    }
}

ecs_examples::main!(Table);
