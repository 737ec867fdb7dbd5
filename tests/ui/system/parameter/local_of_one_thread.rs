//! A local that cannot be sent to another thread.
use ecs::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

world! {
    struct Game {}
    schedule tick { shared, changed, pointed }
}

#[system(Game)]
pub fn shared(_: Local<Option<Rc<u8>>>) {}

#[system(Game)]
pub fn changed(_: Local<RefCell<Vec<u8>>>) {}

#[system(Game)]
pub fn pointed(_: Local<Option<*const u8>>) {}

fn main() {}
