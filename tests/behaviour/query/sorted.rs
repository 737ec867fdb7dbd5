//! Iteration in the order of keys.

use std::cmp::Reverse;

use ecs::prelude::*;

#[derive(Component, PartialEq, Debug)]
struct Speed(u32);
#[derive(Component, PartialEq, Debug)]
struct Turn(usize);
#[derive(Component, PartialEq, Debug)]
struct Depth(f32);

world! {
    struct Game { components { Speed, Turn, Depth } }
    schedule round { order }
}

#[system(Game)]
fn order(mut fighters: Query<(&Speed, &mut Turn)>) {
    for (number, (_, turn)) in fighters.sorted_by_key_mut(|(speed, _)| Reverse(speed.0)).enumerate() {
        turn.0 = number;
    }
    let slowest = fighters.sorted_by_key(|(speed, _)| speed.0).map(|(_, turn)| turn.0);
    assert!(slowest.rev().eq(0..fighters.len()) || fighters.len() > 3);
}

#[test]
fn items_with_equal_keys_keep_the_order_of_the_slots() {
    let mut game = Game::new();
    let ids: Vec<Entity> = (0..300).map(|i| game.spawn(Speed(i % 7))).collect();
    let mut expected: Vec<(Entity, u32)> = ids.iter().copied().zip((0..300).map(|i| i % 7)).collect();
    expected.sort_by_key(|(_, speed)| *speed);
    let query = game.query::<(Entity, &Speed)>();
    let sorted = query.sorted_by_key(|(_, speed)| speed.0);
    assert_eq!(sorted.len(), 300);
    assert!(sorted.map(|(entity, speed)| (entity, speed.0)).eq(expected.iter().copied()));
    let compared = query.sorted_by(|(_, one), (_, other)| one.0.cmp(&other.0));
    assert!(compared.map(|(entity, speed)| (entity, speed.0)).eq(expected));
}

#[test]
fn the_key_is_called_once_for_each_item() {
    let mut game = Game::new();
    game.spawn_batch((0..50).rev().map(Speed));
    let mut calls = 0;
    let sorted = game.query::<&Speed>().sorted_by_key(|speed| {
        calls += 1;
        speed.0
    });
    assert!(sorted.map(|speed| speed.0).eq(0..50));
    assert_eq!(calls, 50);
}

#[test]
fn sorted_items_can_be_changed() {
    let mut game = Game::new();
    game.spawn_batch([3, 9, 5].map(|speed| (Speed(speed), Turn(0))));
    game.round();
    assert!(game.query::<&Turn>().iter().map(|turn| turn.0).eq([2, 0, 1]));
    let mut query = game.query_mut::<&mut Turn>();
    query.sorted_by_mut(|one, other| other.0.cmp(&one.0)).for_each(|turn| turn.0 *= 10);
    assert!(query.sorted_by_key_mut(|turn| turn.0).map(|turn| turn.0).eq([0, 10, 20]));
    assert_eq!(query.iter().count(), 3, "the query can be used again");
}

#[test]
fn items_of_a_shared_query_outlive_it() {
    let mut game = Game::new();
    game.spawn_batch([0.5, -1.0, 2.0].map(Depth));
    let first = game.query::<&Depth>().sorted_by(|a, b| b.0.total_cmp(&a.0)).next();
    assert_eq!(first, Some(&Depth(2.0)));
    let filtered = game.query::<&Depth>().filter::<Without<Speed>>();
    assert_eq!(filtered.sorted_by(|a, b| a.0.total_cmp(&b.0)).next_back(), Some(&Depth(2.0)));
}
