//! Traits of the library's own types, implemented by hand.
#![forbid(unsafe_code)]
use ecs::prelude::*;

struct Mine;

impl ecs::__private::ComponentKind for Mine {}
impl<W: World> ecs::bundle::Columns<W> for Mine {}

fn main() {}
