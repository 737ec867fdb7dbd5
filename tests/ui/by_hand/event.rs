//! A manual impl of the marker that `derive(Event)` sets.
#![forbid(unsafe_code)]
use std::rc::Rc;

use ecs::prelude::*;

struct Said(Rc<u32>);

impl ecs::__private::IsEvent for Said {}

world! {
    struct Game {
        events { Said(external) }
    }
    schedule tick { one, other }
}

#[system(Game)]
fn one(mut said: EventReader<Said>) {
    said.iter().for_each(|said| drop(Rc::clone(&said.0)));
}

#[system(Game)]
fn other(mut said: EventReader<Said>) {
    said.iter().for_each(|said| drop(Rc::clone(&said.0)));
}

fn main() {}
