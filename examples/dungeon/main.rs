//! A turn-based dungeon crawl.
fn main() {}
