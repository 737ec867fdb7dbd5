//! What the messages about ordered indexes advise to write.
use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(index(ordered))]
struct Score(u32);

#[derive(Component)]
#[component(index(ordered = field))]
struct Body {
    field: Mass,
}
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Mass(u32);

// a float in a type that compares with `total_cmp`
#[derive(Component, Clone, Copy)]
#[component(index(ordered))]
struct Speed(f32);
impl Ord for Speed {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}
impl PartialOrd for Speed {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl PartialEq for Speed {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl Eq for Speed {}

#[derive(Component)]
#[component(index(by = Cell))]
struct Position(f32, f32);
#[derive(PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Cell(i32, i32);
impl From<&Position> for Cell {
    fn from(position: &Position) -> Self {
        Self(position.0 as i32, position.1 as i32)
    }
}

type Type = u32;
#[derive(Component)]
#[component(index(ordered, by = Type))]
struct Timer {
    due: u32,
}
impl From<&Timer> for Type {
    fn from(timer: &Timer) -> Self {
        timer.due
    }
}

#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(key(ordered))]
struct Rank(u32);

#[derive(Component)]
#[component(index = name)]
struct Named {
    name: u32,
}

/// A component with a type parameter.
#[derive(Component, PartialEq, Eq, PartialOrd, Ord)]
#[component(index(ordered))]
struct Level<T: Ord>(T);

world! {
    struct Game { components { Score, Body, Speed, Position, Timer, Rank, Named, level: Level<u8> } }
    schedule tick { best }
}

#[system(Game)]
fn best(scores: Lookup<Score>, mut speeds: Storage<Speed>) {
    if let Some((entity, score)) = scores.find_last() {
        speeds.insert(entity, Speed(score.0 as f32)).unwrap();
    }
    assert_eq!(speeds.find_first().map(|(_, speed)| speed.0), Some(4.0));
}

pub fn main() {
    let mut game = Game::new();
    let ball = game.spawn((Score(3), Speed(4.0), Position(0.5, 7.5), Timer { due: 9 }, Rank(1)));
    game.spawn((Score(5), Body { field: Mass(1) }, Named { name: 2 }, Level(3_u8)));
    game.tick();
    assert!(game.find_range::<Score>(..Score(5)).eq([ball]));
    assert_eq!(game.find_one::<Position>(&Cell(0, 7)), Some(ball));
    assert_eq!(game.find_range::<Timer>(8..).next_back(), Some(ball));
    assert_eq!(game.find_first::<Rank>().map(|(entity, _)| entity), game.find_one::<Rank>(&Rank(1)));
    assert_eq!(game.find_range::<Body>(Mass(1)..).len(), 1);
    assert_eq!(game.columns().level.find_last().map(|(_, level)| level.0), Some(3));
    assert_eq!(game.find::<Named>(&2).len(), game.find_range::<Speed>(Speed(4.5)..).len());
}
