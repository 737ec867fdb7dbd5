//! The mechanics are data of the world: saved, cloned, hashed and rolled back with it, and the same
//! for each number of threads.

use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_mechanics::casting::{self, CastSpell, Casting, Sorcery, Spell, Spellbook, TargetRule};
use ecs_mechanics::clocks::{self, Clock, Game, Wall};
use ecs_mechanics::equipment::{self, Equip, EquipmentSlot, Equips};
use ecs_mechanics::inventory::{self, Inventory, Stack, Take, Takeable, Weight, carry_out};
use ecs_mechanics::meters::{self, Alarm, Health, Mana, Meter, Regeneration};
use ecs_mechanics::places::Located;
use ecs_mechanics::rooms::{self, ChangeRoom, InRoom, Perception, Room, connect};
use ecs_mechanics::sheet::{self, Attribute, Bonus, Modifier, Sheet, SkillTest, expire_modifiers, wear};
use ecs_mechanics::sight::{self, Cell, CellSet, Explored, Opacity, Sight, explore, look};
use ecs_mechanics::turns::{self, Turn, TurnClock};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Position(Cell);
impl Located for Position {
    type Place = Cell;

    fn place(&self) -> Cell {
        self.0
    }
}
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Map(CellSet);
impl Opacity for Map {
    fn size(&self) -> (u32, u32) {
        self.0.size()
    }
    fn is_opaque(&self, at: Cell) -> bool {
        self.0.contains(at)
    }
}
enum Hand {}
impl EquipmentSlot for Hand {
    const NAME: &'static str = "hand";
    type Fits = Weight;
    type Wearer = Inventory;
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Everything {
        include clocks::clocks;
        include turns::turns;
        include meters::health;
        include meters::mana;
        include meters::stamina;
        include rooms::rooms;
        include inventory::inventory;
        include equipment::slot::<Hand> as hand;
        include sight::sight;
        include sight::exploration;
        include sheet::sheet::<Attribute>;
        include casting::casting::<Sorcery>;
        components { Position }
        resources { Map }
    }
    schedule step {
        include clocks::advance;
        include turns::begin_order;
        include meters::run_health, include meters::run_mana, include meters::run_stamina;
        expire_modifiers::<Attribute, Game>;
        include rooms::walk;
        carry_out::<InRoom>;
        include inventory::sweep;
        include equipment::run_slot::<Hand>;
        wear::<Hand, Attribute>, include rooms::look_around, look::<Position, Map>;
        include sheet::skill_tests::<Attribute>, include casting::run_casting::<Sorcery>;
        explore::<Inventory>;
    }
}

/// A world with rooms, people and things.
fn everything(dice: &mut Rand32) -> Everything {
    let mut walls = CellSet::new(12, 9);
    for _ in 0..30 {
        walls.insert(Cell::new(dice.rand_range(0..12) as i32, dice.rand_range(0..9) as i32));
    }
    let mut world = Everything::new(Map(walls));
    let rooms: Vec<Entity> = (0..4).map(|_| world.spawn(Room)).collect();
    for pair in rooms.windows(2) {
        connect(&mut world, pair[0], pair[1]).unwrap();
    }
    let rules = Spell::<Sorcery>::new(1, TargetRule::Other);
    let spells = [
        world.spawn(rules.range(0).cast_time(Duration::from_millis(50))),
        world.spawn(rules.cooldown(Duration::from_millis(80))),
    ];
    for at in 0..6 {
        let body = (
            Meter::<Health>::new(3, 10),
            Regeneration::<Health>::new(1, Duration::from_millis(70)),
            Alarm::<Health>::default(),
        );
        let place = (
            InRoom(rooms[at % 4]),
            Perception::default(),
            Position(Cell::new(at as i32, 4)),
            Sight { radius: 5 },
        );
        let mage = (Meter::<Mana>::full(9), Spellbook::<Sorcery>::new(spells), Sheet::<Attribute>::new());
        world.spawn((body, place, mage, Inventory::new(3).with_max_weight(40)));
        for kind in 0..4 {
            let stack = Stack { kind, count: dice.rand_range(1..5), max: 6 };
            world.spawn((
                InRoom(rooms[dice.rand_range(0..4) as usize]),
                Takeable,
                Weight(dice.rand_range(1..9)),
                Bonus::new(Attribute::Strength, dice.rand_range(0..3) as i32),
                stack,
            ));
        }
    }
    world
}

/// One step with random requests. All worlds that are given the same numbers do the same.
fn step(world: &mut Everything, dice: &mut Rand32) {
    let people: Vec<Entity> = world.query::<Entity>().filter::<With<Inventory>>().iter().collect();
    let items: Vec<Entity> = world.query::<Entity>().filter::<With<Stack>>().iter().collect();
    let rooms: Vec<Entity> = world.query::<Entity>().filter::<With<Room>>().iter().collect();
    let spells: Vec<Entity> = world.query::<Entity>().filter::<With<Spell<Sorcery>>>().iter().collect();
    let mut one_of = |of: &[Entity]| of[dice.rand_range(0..of.len() as u32) as usize];
    for _ in 0..4 {
        world.send(ChangeRoom { entity: one_of(&people), to: one_of(&rooms) });
        world.send(Take { entity: one_of(&people), item: one_of(&items) });
        world.send(inventory::Discard { entity: one_of(&people), item: one_of(&items) });
        world.send(Equip::<Hand>::new(one_of(&people), one_of(&items)));
        world.send(SkillTest::opposed(
            one_of(&people),
            Attribute::Strength,
            one_of(&people),
            Attribute::Wisdom,
        ));
        world.send(CastSpell::<Sorcery>::at(one_of(&people), one_of(&spells), one_of(&people)));
    }
    let (hurt, weak) = (one_of(&people), one_of(&people));
    let end = Duration::from_millis(60);
    let poison = Modifier::new(Attribute::Strength, -2, "poison").lasts(end, world.resource::<Clock<Game>>());
    world.get_mut::<Sheet<Attribute>>(weak).unwrap().modify(poison);
    world.get_mut::<Meter<Health>>(hurt).unwrap().take(2);
    world.resource_mut::<Clock<Wall>>().advance(Duration::from_millis(16));
    world.step();
    world.resource_mut::<Clock<Turn>>().spend();
}

#[test]
fn worlds_with_all_modules_continue_from_saves_clones_and_snapshots() {
    let mut dice = Rand32::new(5);
    let mut world = everything(&mut dice);
    let mut seen = [0; 4];
    for round in 0..40 {
        step(&mut world, &mut dice);
        let carried = world.query::<&inventory::CarriedBy>().len();
        let modifiers = world.query::<&Sheet<Attribute>>().iter().map(|sheet| sheet.modifiers().len()).sum();
        let equipped = world.query::<&Equips<Hand>>().len();
        let now = [carried, equipped, world.query::<&Casting<Sorcery>>().len(), modifiers];
        seen = std::array::from_fn(|at| seen[at].max(now[at]));
        if round % 8 != 0 {
            continue;
        }
        let text = serde_json::to_string(&world).unwrap();
        let snapshot = world.snapshot();
        let mut others = [
            world.clone(),
            Everything::load(&world.to_bytes().unwrap()).unwrap(),
            serde_json::from_str(&text).unwrap(),
        ];
        let numbers = dice;
        step(&mut world, &mut dice);
        let hash = world.hash();
        for other in &mut others {
            step(other, &mut numbers.clone());
            assert_eq!(other.hash(), hash, "round {round}");
        }
        world.restore(&snapshot);
        step(&mut world, &mut numbers.clone());
        assert_eq!(world.hash(), hash, "round {round}, after the rollback");
    }
    assert!(
        seen[0] > 5 && seen[1] > 2 && seen[2] > 1 && seen[3] > 5 && !world.resource::<Explored>().is_empty(),
        "{seen:?}"
    );
}

/// The hash after 40 steps on so many threads, with a save and a load after each of these numbers
/// of steps.
fn played(threads: usize, parallelism: Parallelism, loads: &[u32]) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut dice = Rand32::new(11);
        let mut world = everything(&mut dice);
        for round in 0..40 {
            world.set_parallelism(parallelism);
            if loads.contains(&round) {
                world = Everything::load(&world.to_bytes().unwrap()).unwrap();
                world.set_parallelism(parallelism);
            }
            step(&mut world, &mut dice);
        }
        world.hash()
    })
}

#[test]
fn a_game_of_all_modules_is_the_same_on_each_number_of_threads_and_when_it_is_loaded_in_the_middle() {
    let hash = played(1, Parallelism::Never, &[]);
    for threads in [1, 2, 4] {
        assert_eq!(played(threads, Parallelism::Always, &[]), hash, "{threads} threads");
        assert_eq!(played(threads, Parallelism::Always, &[7, 20, 33]), hash, "{threads} threads, loaded");
    }
}
