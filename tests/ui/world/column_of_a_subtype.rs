//! A column with a shorter lifetime in place of the world's: its rule would be called with values of another type.
use ecs::prelude::*;

#[derive(Component)]
struct Callback<F: Send + Sync + 'static>(F);

type Any = Callback<for<'a> fn(&'a str)>;
type Static = Callback<fn(&'static str)>;

world! {
    struct Lenient { components { callback: Any } }
}

world! {
    struct Strict { components { callback: Static } }
}

fn main() {
    let (lenient, mut strict) = (Lenient::new(), Strict::new());
    strict.callback = lenient.callback;
}
