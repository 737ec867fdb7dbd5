use ecs_agents::prelude::*;

pub struct Life {
    pub width: usize,
    pub cells: Vec<bool>,
    next: Vec<bool>,
}

pub fn life(seed: u64, width: usize) -> Life {
    let mut random = Random::new(seed);
    let cells = (0..width * width).map(|_| random.random_bool(0.3)).collect();
    Life { width, cells, next: vec![false; width * width] }
}

impl Life {
    pub fn step(&mut self) {
        let Self { width, cells, next } = self;
        let around = super::around;
        for y in 0..*width {
            let [above, row, below] = around(y, *width).map(|y| y * *width);
            for x in 0..*width {
                let [left, _, right] = around(x, *width);
                let alive = |place: usize| u8::from(cells[place]);
                let near = alive(above + left)
                    + alive(above + x)
                    + alive(above + right)
                    + alive(row + left)
                    + alive(row + right)
                    + alive(below + left)
                    + alive(below + x)
                    + alive(below + right);
                next[row + x] = near == 3 || near == 2 && cells[row + x];
            }
        }
        std::mem::swap(cells, next);
    }
}
