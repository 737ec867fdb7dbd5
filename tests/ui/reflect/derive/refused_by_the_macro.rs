//! Several mistakes of one kind (reflect, derive) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component, Reflect, Default)]
#[reflect(Component, Default)]
struct Health {
    now: i32,
    #[reflect(ignore)]
    shown: i32,
}
#[derive(Reflect)]
#[reflect(Serialize, Deserialize)]
struct Name(String);
#[derive(Component, Reflect)]
struct Label {
    text: &'static str,
    #[reflect(skip)]
    kind: &'static str,
}
#[derive(Reflect)]
enum Mood {
    Happy,
    Sad(Option<&'static [u8]>),
}
#[derive(Component, Reflect)]
#[repr(C, packed)]
struct Header {
    kind: u8,
    len: u32,
}
#[derive(Reflect)]
union Number {
    int: u32,
    float: f32,
}

fn main() {}
