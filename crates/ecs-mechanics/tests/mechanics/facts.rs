//! Facts: saved by name, and read in conditions.

use ecs_mechanics::facts::{Fact, FactValues, Facts};

#[derive(Fact, Clone, Copy)]
enum Need {
    Hungry,
    Tired,
    Cold,
}

/// The same facts after a change of the program.
#[derive(Fact)]
#[fact(crate = ecs_mechanics)]
enum Later {
    Cold,
    Wet,
    Hungry,
}

#[test]
fn facts_hold_or_do_not() {
    let mut facts = Facts::from([Need::Hungry, Need::Cold]);
    facts.set(Need::Hungry, false);
    facts.set(Need::Tired, true);
    assert_eq!(format!("{facts:?}"), r#"["Tired", "Cold"]"#);
    assert!(facts.has(Need::Tired) && !facts.has(Need::Hungry));
    let values = FactValues::new().with(Need::Tired, false).with(Need::Hungry, true);
    assert!(!values.hold_in(&facts));
    values.apply_to(&mut facts);
    assert!(values.hold_in(&facts) && facts == Facts::from([Need::Hungry, Need::Cold]));
    assert_eq!(format!("{values:?}"), r#"{"Hungry": true, "Tired": false}"#);
}

#[test]
fn saved_facts_have_names_and_survive_an_enum_that_has_changed() {
    let text = serde_json::to_string(&Facts::from([Need::Hungry, Need::Cold])).unwrap();
    assert_eq!(text, r#"["Hungry","Cold"]"#);
    assert_eq!(
        serde_json::from_str::<Facts<Later>>(&text).unwrap(),
        Facts::from([Later::Hungry, Later::Cold])
    );
    let text = serde_json::to_string(&Facts::from([Need::Tired])).unwrap();
    let error = serde_json::from_str::<Facts<Later>>(&text).unwrap_err().to_string();
    assert!(
        error.starts_with("`Later` has no fact `Tired`: the facts are `Cold`, `Wet`, `Hungry`"),
        "{error}"
    );
    let _ = Later::Wet;
}
