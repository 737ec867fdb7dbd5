//! Several mistakes of one kind (world) in one program: rustc reports them as E0308.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component)]
struct Callback<F: Send + Sync + 'static>(F);
type Any = Callback<for<'a> fn(&'a str)>;
type Static = Callback<fn(&'static str)>;
#[derive(Resource, Clone, Serialize, Deserialize)]
struct Weather(u32);

world! {
    struct Lenient { components { callback: Any } }
}

world! {
    struct Strict { components { callback: Static } }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { resources { Weather = 0 } }
}

// A column with a shorter lifetime in place of the world's: its rule would be called with values of
// another type.
fn column_of_a_subtype() {
    let (lenient, mut strict) = (Lenient::new(), Strict::new());
    strict.callback = lenient.callback;
}

fn main() {}
