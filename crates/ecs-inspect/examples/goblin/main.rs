//! A recording of the inspector: a goblin dies, who has killed it, and two steps back.
//!
//! ```text
//! cargo run -p checked-ecs-inspect --example goblin
//! ```
//!
//! It needs no terminal: the keys are pressed here, and each screen is printed as text.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

mod cave;

fn main() {
    print!("{}", cave::recording());
}
