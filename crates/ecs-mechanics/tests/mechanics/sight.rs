//! Sight, compared with another implementation on random maps.

use std::collections::BTreeSet;

use coord_2d::{ICoord, UCoord};
use ecs::prelude::*;
use ecs_mechanics::places::Located;
use ecs_mechanics::sight::{
    self, Cell, CellSet, Explored, Opacity, Sight, View, explore, for_each_visible, look,
};
use oorandom::Rand32;
use shadowcast::vision_distance::Circle;
use shadowcast::{Context, InputGrid};

/// A map of opaque cells.
struct Walls(CellSet);

impl InputGrid for Walls {
    type Grid = ();
    type Opacity = u8;

    fn size(&self, (): &()) -> UCoord {
        UCoord::new(self.0.size().0, self.0.size().1)
    }

    fn get_opacity(&self, (): &(), at: ICoord) -> u8 {
        if self.0.contains(Cell::new(at.x, at.y)) { u8::MAX } else { 0 }
    }
}

/// A map of random size of which so many of a hundred cells are opaque.
fn random_walls(dice: &mut Rand32, percent: u32) -> Walls {
    let (width, height) = (dice.rand_range(1..40), dice.rand_range(1..30));
    let mut walls = CellSet::new(width, height);
    for y in 0..height as i32 {
        for x in 0..width as i32 {
            if dice.rand_range(0..100) < percent {
                walls.insert(Cell::new(x, y));
            }
        }
    }
    Walls(walls)
}

#[test]
fn the_same_cells_are_seen_as_by_the_crate_shadowcast() {
    let mut dice = Rand32::new(17);
    let mut context = Context::default();
    for round in 0..3000 {
        let walls = random_walls(&mut dice, round % 60);
        let size = walls.0.size();
        let at = |dice: &mut Rand32, size: u32| dice.rand_range(0..size) as i32;
        let eye = Cell::new(at(&mut dice, size.0), at(&mut dice, size.1));
        let radius = dice.rand_range(0..20) as u16;
        let mut expected = BTreeSet::new();
        let circle = Circle::new(radius.into());
        context.for_each_visible(ICoord::new(eye.x, eye.y), &walls, &(), circle, u8::MAX, |at, _, _| {
            expected.insert(Cell::new(at.x, at.y));
        });
        let mut seen = BTreeSet::new();
        for_each_visible(
            eye,
            radius,
            size,
            |at| walls.0.contains(at),
            |at| {
                seen.insert(at);
            },
        );
        assert_eq!(seen, expected, "round {round}: eye {eye:?}, radius {radius}, {:?}", walls.0);
    }
}

#[test]
fn an_eye_outside_of_the_map_sees_nothing() {
    for eye in [Cell::new(-1, 0), Cell::new(3, 0), Cell::new(0, 2), Cell::new(i32::MAX, i32::MIN)] {
        for_each_visible(eye, u16::MAX, (3, 2), |_| false, |at| panic!("{at:?} is seen"));
    }
}

#[derive(Component)]
struct At(Cell);
impl Located for At {
    type Place = Cell;

    fn place(&self) -> Cell {
        self.0
    }
}
#[derive(Component)]
struct Scout;
#[derive(Resource)]
struct Map(CellSet);
impl Opacity for Map {
    fn size(&self) -> (u32, u32) {
        self.0.size()
    }
    fn is_opaque(&self, at: Cell) -> bool {
        self.0.contains(at)
    }
}

world! {
    struct Field {
        include sight::sight;
        include sight::exploration;
        components { At, Scout }
        resources { Map }
    }
    schedule turn { look::<At, Map>; explore::<Scout> }
}

#[test]
fn explored_cells_are_those_that_scouts_have_seen_at_any_time() {
    let mut field = Field::new(Map(CellSet::new(20, 1)));
    let scout = field.spawn((At(Cell::new(2, 0)), Sight { radius: 1 }, Scout));
    let hermit = field.spawn((At(Cell::new(18, 0)), Sight { radius: 1 }));
    field.turn();
    field.get_mut::<At>(scout).unwrap().0 = Cell::new(9, 0);
    field.turn();
    let columns: Vec<i32> = field.resource::<Explored>().iter().map(|cell| cell.x).collect();
    assert_eq!(columns, [1, 2, 3, 8, 9, 10]);
    assert_eq!(field.get::<View>(hermit).unwrap().len(), 3);
    assert!(!field.get::<View>(scout).unwrap().contains(Cell::new(2, 0)), "a view forgets");
}

#[test]
fn saved_cells_are_checked() {
    let mut cells = CellSet::new(9, 8);
    cells.insert(Cell::new(8, 7));
    let text = serde_json::to_string(&cells).unwrap();
    assert_eq!(serde_json::from_str::<CellSet>(&text).unwrap(), cells);
    for (edited, error) in [
        (r#"{"width":9,"height":8,"bits":[0]}"#, "1 words of bits for 9 times 8 cells"),
        (r#"{"width":9,"height":8,"bits":[0,256]}"#, "a bit after the last of 9 times 8 cells"),
    ] {
        assert_eq!(serde_json::from_str::<CellSet>(edited).unwrap_err().to_string(), error);
    }
}
