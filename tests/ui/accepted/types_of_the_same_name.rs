//! Types whose names the file declares more than once, or as something else, in another module: the lists of the world mean
//! the imported ones.
use ecs::prelude::*;

mod screen {
    use ecs::prelude::*;

    #[derive(Resource)]
    pub struct Mana(pub u32);
    pub struct Tag<'a>(pub &'a str);
    pub struct Pool<T>(pub T);
    #[derive(Event)]
    pub struct Hit(pub u32);
}

mod include {
    use ecs::prelude::*;

    #[derive(Component)]
    pub struct Mana(pub u32);
    #[derive(Component)]
    pub struct Hit(pub u32);

    parts! {
        pub physics {
            components { Hit }
            schedule step { fall }
        }
    }

    #[system]
    pub fn fall(hit: &mut Hit) {
        hit.0 += 1;
    }
}

use include::{Hit, Mana};

#[derive(Component)]
struct Tag(u8);
#[derive(Component)]
struct Pool(Vec<u8>);
#[derive(Component, Resource)]
struct Both(u32);
#[derive(Component)]
struct Bag<T: Send + Sync + 'static = u32>(Vec<T>);

world! {
    struct Game {
        include include::physics;
        components { Mana, Tag, Pool, Both, Bag }
        resources { of_screen: screen::Mana = screen::Mana(1), settings: Both = Both(2) }
        events { touched: screen::Hit(external) }
    }
    schedule tick { show; include include::step }
}

#[system(Game)]
fn show(
    mana: &mut Mana,
    (tag, pool, both, bag, hit): (&Tag, &Pool, &Both, &Bag, Option<&Hit>),
    of_screen: Res<screen::Mana>,
    settings: Res<Both>,
    mut hits: EventReader<screen::Hit>,
    marked: Query<Entity, (With<Hit>, With<Mana>)>,
) {
    mana.0 += of_screen.0 + settings.0 + both.0 + u32::from(tag.0) + hits.iter().map(|hit| hit.0).sum::<u32>();
    println!("{} {} {} {}", pool.0.len(), bag.0.len(), hit.is_some(), marked.len());
}

pub fn main() {
    let mut game = Game::new();
    let all = game.spawn((Mana(1), Tag(1), Pool(vec![1]), Both(1), Bag(vec![1]), Hit(1)));
    game.send(screen::Hit(3));
    game.tick();
    println!("{:?}", game.get::<Mana>(all).map(|mana| mana.0));
}
