//! A story in three rooms: a hero walks, takes things, puts a sword in the hand, and is hurt. Every
//! rule is one of the mechanics.
//!
//! `cargo run -p checked-ecs-mechanics --example cellar` plays a fixed list of orders, prints what
//! happens, and checks the end.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use ecs::component::Name;
use ecs::prelude::*;
use ecs_mechanics::equipment::{
    self, Equip, EquipmentRefusal, EquipmentSlot, Equipped, Equips, change_equipment,
};
use ecs_mechanics::inventory::{
    self, CarriedBy, Inventory, InventoryRefusal, Take, Takeable, Taken, Weight, carry_out,
};
use ecs_mechanics::meters::{Alarm, Crossed, Direction, Health, Meter, Regeneration, regenerate, watch};
use ecs_mechanics::rooms::{self, ChangeRoom, ChangedRoom, InRoom, Perception, Room, RoomRefusal, connect};
use ecs_mechanics::turns::{self, Clock, TURN, Turn, TurnClock};

/// Can be held, and hurts.
#[derive(Component)]
struct Weapon;
/// Bites the hero who comes into its room without a weapon.
#[derive(Component)]
struct Rat;

enum Hand {}
impl EquipmentSlot for Hand {
    const NAME: &'static str = "hand";
    type Fits = Weapon;
    type Wearer = Inventory;
}

world! {
    struct Cellar {
        include turns::turns;
        include rooms::rooms;
        include inventory::inventory;
        include equipment::equipment;
        components {
            Name, Weapon, Rat, in_hand: Equips<Hand>,
            health: Meter<Health>, mending: Regeneration<Health>, alarm: Alarm<Health>,
        }
        events { Equip<Hand>(external), Equipped<Hand>, Crossed<Health> }
    }
    schedule order {
        include turns::begin_order;
        include rooms::walk;
        carry_out::<InRoom>;
        change_equipment::<Hand>;
        include rooms::look_around;
        pass_time, bite;
        regenerate::<Health, Turn>;
        watch::<Health>;
        tell, tell_refusals;
    }
}

/// To walk, to take and to equip takes a turn.
#[system(Cellar)]
fn pass_time(
    mut walked: EventReader<ChangedRoom>,
    mut taken: EventReader<Taken>,
    mut equipped: EventReader<Equipped<Hand>>,
    mut clock: ResMut<Clock<Turn>>,
) {
    if walked.iter().count() + taken.iter().count() + equipped.iter().count() > 0 {
        clock.spend();
    }
}

/// Rats bite what has just come into their room, unless it has something in its hand.
#[system(Cellar)]
fn bite(
    rats: Query<&Perception, With<Rat>>,
    mut victims: Query<&mut Meter<Health>, (With<Inventory>, Without<Equips<Hand>>)>,
    clock: Res<Clock<Turn>>,
) {
    for seen in rats.iter().filter(|_| clock.passes()) {
        for arrived in seen.arrived() {
            if let Some(health) = victims.get_mut(*arrived) {
                health.take(6);
            }
        }
    }
}

#[system(Cellar)]
fn tell(
    names: Query<&Name>,
    mut walked: EventReader<ChangedRoom>,
    mut taken: EventReader<Taken>,
    mut equipped: EventReader<Equipped<Hand>>,
    mut crossed: EventReader<Crossed<Health>>,
) {
    let name = |entity| names.get(entity).map_or("something", Name::as_str);
    walked.iter().for_each(|walk| {
        println!("{} walks from the {} to the {}", name(walk.entity), name(walk.from), name(walk.to))
    });
    taken.iter().for_each(|taken| println!("{} takes the {}", name(taken.entity), name(taken.item)));
    for equipped in &mut equipped {
        println!("{} holds the {}", name(equipped.entity), equipped.item.map_or("nothing", name));
    }
    for crossed in &mut crossed {
        let verb = if crossed.direction == Direction::Falling { "falls" } else { "rises" };
        println!("the health of {} {verb} to {} percent", name(crossed.entity), crossed.percent);
    }
}

#[system(Cellar)]
fn tell_refusals(
    mut rooms: EventReader<RoomRefusal>,
    mut items: EventReader<InventoryRefusal>,
    mut slots: EventReader<EquipmentRefusal>,
) {
    rooms.iter().for_each(|refusal| println!("no: {refusal}"));
    items.iter().for_each(|refusal| println!("no: {refusal}"));
    slots.iter().for_each(|refusal| println!("no: {refusal}"));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut cellar = Cellar::new();
    let [stairs, hall, vault] = ["stairs", "hall", "vault"].map(|name| cellar.spawn((Room, Name::new(name))));
    connect(&mut cellar, stairs, hall)?;
    connect(&mut cellar, hall, vault)?;
    let body =
        (Meter::<Health>::full(12), Regeneration::<Health>::new(1, 3 * TURN), Alarm::<Health>::default());
    let hero = cellar.spawn((Name::new("Ada"), body, InRoom(stairs), Inventory::new(2).with_max_weight(20)));
    cellar.spawn((Name::new("rat"), Rat, InRoom(vault), Perception::default()));
    let sword = cellar.spawn((Name::new("sword"), Weapon, Takeable, Weight(5), InRoom(hall)));
    let anvil = cellar.spawn((Name::new("anvil"), Takeable, Weight(90), InRoom(hall)));

    let walk = |cellar: &mut Cellar, to| {
        cellar.send(ChangeRoom { entity: hero, to });
        cellar.order();
    };
    walk(&mut cellar, vault);
    walk(&mut cellar, hall);
    walk(&mut cellar, vault);
    walk(&mut cellar, hall);
    for item in [anvil, sword] {
        cellar.send(Take { entity: hero, item });
    }
    cellar.order();
    for item in [anvil, sword] {
        cellar.send(Equip::<Hand>::new(hero, item));
    }
    cellar.order();
    walk(&mut cellar, vault);

    let health = cellar.get::<Meter<Health>>(hero).ok_or("the hero is gone")?;
    println!("after {} turns: {health:?}", cellar.resource::<Clock<Turn>>().turn());
    assert_eq!(cellar.sources::<CarriedBy>(hero), [sword]);
    assert_eq!(health.now(), 12 - 6 + 2);
    Ok(())
}
