//! Required components of loaded components: those that the file lacks get their defaults.

use ecs::prelude::*;
use ecs::save::{DanglingIds, Saved};
use serde::{Deserialize, Serialize};

/// A component that requires a view, which is not saved.
#[derive(Component, Serialize, Deserialize)]
#[component(requires(View, Lids))]
struct Eyes(u8);
#[derive(Component, PartialEq, Debug)]
#[component(skip, requires(Picture))]
struct View(u32);
impl Default for View {
    fn default() -> Self {
        Self(7)
    }
}
#[derive(Component, Default, PartialEq, Debug)]
#[component(skip)]
struct Picture(Vec<u8>);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Lids(u8);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Picture, View, Eyes, Lids } }
}

/// An older program, in which eyes require no view and lids are not saved.
mod before {
    use ecs::prelude::*;
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize)]
    pub struct Eyes(pub u8);
    #[derive(Component)]
    #[component(skip)]
    pub struct Lids;

    world! {
        #[derive(Serialize, Deserialize)]
        pub struct Game { components { Eyes, Lids } }
    }
}

/// An entity with all components, one without lids, and one without eyes.
fn game() -> (Game, [Entity; 3]) {
    let mut game = Game::new();
    let whole = game.spawn((Eyes(1), View(3), Lids(4)));
    let lidless = game.spawn(Eyes(2));
    drop(game.remove::<Lids>(lidless));
    let blind = game.spawn(Lids(5));
    (game, [whole, lidless, blind])
}

/// The components of each entity, after loading a file without views.
fn check(game: &Game, [whole, lidless, blind]: [Entity; 3]) {
    assert_eq!(game.get::<View>(whole), Some(&View(7)), "skipped, and begun anew");
    assert_eq!(game.get::<View>(lidless), Some(&View(7)));
    assert_eq!(
        game.get::<Picture>(whole),
        Some(&Picture::default()),
        "what is required by what was required"
    );
    assert_eq!(game.get::<Lids>(whole), Some(&Lids(4)), "saved, and as it was");
    assert!(!game.has::<Lids>(lidless), "what was removed stays removed");
    assert!(!game.has::<View>(blind) && !game.has::<Picture>(blind));
}

#[test]
fn a_skipped_required_component_is_loaded_with_its_default() {
    let (game, ids) = game();
    let compact = Game::load(&game.to_bytes().unwrap()).unwrap();
    check(&compact, ids);
    assert_eq!(compact.hash(), game.hash());
    let text: Game = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    check(&text, ids);
    assert_eq!(text.hash(), game.hash());
}

#[test]
fn a_skipped_required_component_is_merged_with_its_default() {
    let (game, ids) = game();
    let mut living = Game::new();
    living.spawn(Lids(9));
    let merged = living.merge(&game.to_bytes().unwrap(), DanglingIds::Refuse).unwrap();
    check(&living, ids.map(|id| merged.get(id).unwrap()));
    let text = serde_json::to_string(&game).unwrap();
    let file = &mut serde_json::Deserializer::from_str(&text);
    let merged = living.merge_from(file, DanglingIds::Refuse).unwrap();
    check(&living, ids.map(|id| merged.get(id).unwrap()));
}

#[test]
fn a_component_that_an_older_file_lacks_has_its_default() {
    let mut old = before::Game::new();
    let eyes = old.spawn(before::Eyes(1));
    let nobody = old.spawn(());
    let text = serde_json::to_string(&old).unwrap();
    let game: Game = serde_json::from_str(&text).unwrap();
    assert_eq!(game.get::<View>(eyes), Some(&View(7)));
    assert_eq!(game.get::<Lids>(eyes), Some(&Lids(0)), "the file could not have it");
    assert!(!game.has::<View>(nobody) && !game.has::<Lids>(nobody));
    let game = Game::load(&old.to_bytes().unwrap()).unwrap();
    assert_eq!((game.get::<View>(eyes), game.get::<Lids>(eyes)), (Some(&View(7)), Some(&Lids(0))));
}

#[test]
fn a_component_that_only_a_skipped_one_requires_is_not_added_without_it() {
    // the file lists `View`, which no entity has, and the first entity has the slot 0
    let mut game = Game::new();
    let entities = [game.spawn(Lids(5)), game.spawn(())];
    assert!(entities.iter().any(|entity| entity.slot() == 0));
    let text = serde_json::to_string(&game).unwrap();
    for loaded in [Game::load(&game.to_bytes().unwrap()).unwrap(), serde_json::from_str(&text).unwrap()] {
        assert_eq!(loaded.query::<&Picture>().len(), 0);
        assert_eq!(loaded.query::<&View>().len(), 0);
        assert_eq!(loaded.entities().len(), 2);
    }
}
