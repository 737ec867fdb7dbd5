use ecs_agents::prelude::*;

pub const EMPTY: u8 = 0;
pub const GREEN: u8 = 1;
pub const BURNING: u8 = 2;
pub const ASH: u8 = 3;

pub struct Forest {
    pub width: usize,
    pub trees: Vec<u8>,
    front: Vec<u32>,
    next: Vec<u32>,
}

pub fn forest(seed: u64, width: usize, density: f64) -> Forest {
    let (mut random, mut front) = (Random::new(seed), Vec::new());
    let trees = (0..width * width).map(|place| match random.random_bool(density) {
        true if place % width == 0 => {
            front.push(place as u32);
            BURNING
        }
        true => GREEN,
        false => EMPTY,
    });
    Forest { width, trees: trees.collect(), front, next: Vec::new() }
}

impl Forest {
    pub fn step(&mut self) {
        let Self { width, trees, front, next } = self;
        let width = *width;
        for place in front.drain(..) {
            let place = place as usize;
            trees[place] = ASH;
            let mut light = |near: usize| {
                if trees[near] == GREEN {
                    trees[near] = BURNING;
                    next.push(near as u32);
                }
            };
            if place >= width {
                light(place - width);
            }
            if !place.is_multiple_of(width) {
                light(place - 1);
            }
            if place % width + 1 < width {
                light(place + 1);
            }
            if place + width < width * width {
                light(place + width);
            }
        }
        std::mem::swap(front, next);
    }
}
