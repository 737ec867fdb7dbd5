//! Components that JSON files define.

use ecs::components_from;
use ecs::prelude::*;

components_from! {
    "data/meta.json",
    #[derive(Clone, PartialEq, Debug)]
    #[component(tracked)]
    "data/components.json",
}

mod public {
    use ecs::components_from;

    components_from!(
        /// A component that the files define, too.
        #[derive(PartialEq, Debug)]
        #[cfg(all())]
        pub(super) "data/meta.json",
        #[cfg(any())]
        "data/components.json"
    );
}

world! {
    struct Game {
        components { m: Meta, Movement, Ai, HitPoints, Frozen, other: public::Meta }
    }
}

#[test]
fn fields_have_the_types_of_their_first_values() {
    assert_eq!(Meta::default().name, "");
    let Movement { speed, path, blocked } = Movement::default();
    let types: (f64, Vec<Vec<i64>>, bool) = (speed, path, blocked);
    assert_eq!(types, (1.5, vec![vec![0, 0], vec![3, -4]], false));
    let ai = Ai::default();
    assert_eq!((ai.r#type.as_str(), ai.lastSeen), ("wolf", i64::MIN));
    assert_eq!(ai.orders, ["guard", "howl 🐺"]);
}

#[test]
fn objects_are_structs_of_their_own() {
    let points = HitPoints::default();
    let armour = HitPointsArmour { weight: -20.0, straps: HitPointsArmourStraps { left: 1, right: 2 } };
    assert_eq!((points.now, &points.armour), (5, &armour));
    assert_eq!(
        (HitPointsArmour::default(), HitPointsArmourStraps::default()),
        (armour.clone(), armour.straps)
    );
    let deep = HitPointsWounds { depth: 2.5, places: vec![] };
    assert_eq!(points.wounds, [HitPointsWounds { depth: 1.0, places: vec!["arm".into()] }, deep]);
}

#[test]
fn they_are_components_with_the_options_of_the_call() {
    let mut game = Game::new();
    let entity =
        game.spawn((Meta::default(), Movement::default(), Frozen, public::Meta { name: "x".into() }));
    game.get_tracked::<Movement>(entity).unwrap().speed += 1.0;
    assert_eq!(game.get::<Movement>(entity).map(|movement| movement.speed), Some(2.5));
    assert_eq!(game.get(entity), Some(&public::Meta { name: "x".into() }));
    assert_eq!(
        (<HitPoints as Component>::COMPONENT_NAME, <Frozen as Component>::COMPONENT_NAME),
        ("HitPoints", "Frozen")
    );
    assert!(game.get::<Meta>(entity).is_some_and(|meta| meta.name.is_empty()));
    assert_eq!((game.has::<Ai>(entity), game.has::<HitPoints>(entity)), (false, false));
}

#[test]
fn defaults_are_made_anew() {
    let (mut one, two) = (Movement::default(), Movement::default());
    one.path[0].push(9);
    assert_eq!(two, Movement::default());
    assert_ne!(one, two);
}
