//! Entities that move in circles, and where they were.

use oorandom::Rand32;

/// An entity in a tick.
#[derive(Clone, Copy)]
pub(crate) struct Mover {
    pub(crate) place: [f32; 2],
    pub(crate) health: u16,
}

/// The largest coordinate.
pub(crate) const EDGE: f32 = 100.0;

/// The circle of an entity.
struct Circle {
    centre: [f32; 2],
    radius: f32,
    /// The angle at the beginning, and that of a tick.
    angle: [f32; 2],
}

pub(crate) struct Scene {
    circles: Vec<Circle>,
    /// The entities in each tick, from 1 on.
    ticks: Vec<Vec<Mover>>,
}

impl Scene {
    pub(crate) fn new(entities: usize) -> Self {
        let mut random = Rand32::new(7);
        let mut between = |low: f32, high: f32| low + random.rand_float() * (high - low);
        let circles = (0..entities).map(|_| {
            let radius = between(5.0, 10.0);
            let centre = [(); 2].map(|()| between(radius - EDGE, EDGE - radius));
            // 3 to 6 units in a second
            let angle = [between(0.0, 6.0), between(0.1, 0.2) / radius];
            Circle { centre, radius, angle }
        });
        Self { circles: circles.collect(), ticks: Vec::new() }
    }

    pub(crate) fn advance(&mut self) {
        let tick = self.ticks.len();
        let moved = |(number, Circle { centre: [x, y], radius, angle: [first, step] }): (usize, &Circle)| {
            let angle = first + step * tick as f32;
            let place = [x + radius * angle.cos(), y + radius * angle.sin()];
            Mover { place, health: ((tick + number) / 50 % 500) as u16 }
        };
        self.ticks.push(self.circles.iter().enumerate().map(moved).collect());
    }

    pub(crate) fn movers(&self) -> &[Mover] {
        self.ticks.last().map_or(&[], |movers| movers)
    }

    /// The ticks since an entity was at a place; `None` if it was not.
    pub(crate) fn age(&self, entity: usize, place: [f32; 2]) -> Option<u64> {
        let was = |movers: &Vec<Mover>| {
            let other = movers[entity].place;
            (0..2).all(|axis| (other[axis] - place[axis]).abs() < 0.01)
        };
        self.ticks.iter().rev().position(was).map(|age| age as u64)
    }
}
