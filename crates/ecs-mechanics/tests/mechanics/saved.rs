//! The mechanics are data of the world: saved, cloned, hashed and rolled back with it, and the same for each number of threads.

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks::{self, Clock, Wall};
use ecs_mechanics::equipment::{self, Equip, EquipmentSlot, Equipped, Equips, change_equipment};
use ecs_mechanics::inventory::{self, Inventory, Stack, Take, Takeable, Weight, carry_out};
use ecs_mechanics::meters::{self, Alarm, Health, Meter, Regeneration};
use ecs_mechanics::rooms::{self, ChangeRoom, InRoom, Perception, Room, connect};
use ecs_mechanics::sight::{self, Cell, CellSet, Explored, Opacity, Placed, Sight, explore, look};
use ecs_mechanics::turns::{self, Turn, TurnClock};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Position(Cell);
impl Placed for Position {
    fn cell(&self) -> Cell {
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
        include equipment::equipment;
        include sight::sight;
        include sight::exploration;
        components { Position, in_hand: Equips<Hand> }
        resources { Map }
        events { hand_request: Equip<Hand>(external), hand_change: Equipped<Hand>(external) }
    }
    schedule step {
        include clocks::advance;
        include turns::begin_order;
        include meters::run_health;
        include meters::run_mana;
        include meters::run_stamina;
        include rooms::walk;
        carry_out::<InRoom>;
        include inventory::sweep;
        change_equipment::<Hand>;
        include rooms::look_around;
        look::<Position, Map>;
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
        world.spawn((body, place, Inventory::new(3).with_max_weight(40)));
        for kind in 0..4 {
            let stack = Stack { kind, count: dice.rand_range(1..5), max: 6 };
            world.spawn((
                InRoom(rooms[dice.rand_range(0..4) as usize]),
                Takeable,
                Weight(dice.rand_range(1..9)),
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
    let mut one_of = |of: &[Entity]| of[dice.rand_range(0..of.len() as u32) as usize];
    for _ in 0..4 {
        world.send(ChangeRoom { who: one_of(&people), to: one_of(&rooms) });
        world.send(Take { who: one_of(&people), item: one_of(&items) });
        world.send(inventory::Discard { who: one_of(&people), item: one_of(&items) });
        world.send(Equip::<Hand>::new(one_of(&people), one_of(&items)));
    }
    let hurt = one_of(&people);
    world.get_mut::<Meter<Health>>(hurt).unwrap().take(2);
    world.resource_mut::<Clock<Wall>>().advance(Duration::from_millis(16));
    world.step();
    world.resource_mut::<Clock<Turn>>().spend();
}

#[test]
fn worlds_with_all_modules_continue_from_saves_clones_and_snapshots() {
    let mut dice = Rand32::new(5);
    let mut world = everything(&mut dice);
    let mut seen = [0; 2];
    for round in 0..40 {
        step(&mut world, &mut dice);
        let carried = world.query::<&inventory::CarriedBy>().len();
        seen = [seen[0].max(carried), seen[1].max(world.query::<&Equips<Hand>>().len())];
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
    assert!(seen[0] > 5 && seen[1] > 2 && !world.resource::<Explored>().is_empty(), "{seen:?}");
}
