use super::flocking::{Bird, Sky};

/// The birds of `flocking.rs`, all at once.
pub struct Flock {
    sky: Sky,
    pub birds: Vec<Bird>,
    next: Vec<Bird>,
    /// The birds of each cell, in the order of their numbers.
    cells: Vec<Vec<u32>>,
}

pub fn flock(seed: u64, number: usize, size: f64, sight: f64, apart: f64) -> Flock {
    let super::flocking::Flock { sky, birds, .. } = super::flocking::flock(seed, number, size, sight, apart);
    let width = (size / sight) as usize;
    let mut flock = Flock { sky, birds, next: Vec::new(), cells: vec![Vec::new(); width * width] };
    flock.settle();
    flock
}

impl Flock {
    pub fn step(&mut self) {
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        let turned = |id: usize| {
            let home = self.sky.cell(self.birds[id].at);
            self.sky.turned(&self.birds, &self.cells, id, home)
        };
        next.extend((0..self.birds.len()).map(turned));
        self.next = std::mem::replace(&mut self.birds, next);
        self.settle();
    }

    fn settle(&mut self) {
        self.cells.iter_mut().for_each(Vec::clear);
        for (bird, id) in self.birds.iter().zip(0..) {
            self.cells[self.sky.cell(bird.at)].push(id);
        }
    }
}
