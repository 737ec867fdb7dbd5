//! Each capability of the four entity component systems that this library learned from has a test.
//! The name of the test begins with the system's letter and the number of the capability:
//! `w31_a_picture_of_systems_and_their_components`.

use std::fs;
use std::path::Path;

/// The systems by their letters: `g` is mvanga's Python gist "entity-component-system in under 50
/// lines", `w` WECS, `r` the minimal registry of RogueBasin's page "Entity Component System", `e`
/// the Go ECS of the engo engine. The capabilities of each, by number. A number that is missing
/// belongs to a capability that has another number, too.
const CAPABILITIES: &[(char, &[(u32, &str)])] = &[
    (
        'g',
        &[
            (1, "components and prefabs are defined by JSON files"),
            (2, "a new entity has a unique id and no components"),
            (3, "attaching gives a component with its defaults"),
            (4, "a component is reached under another name"),
            (5, "attaching twice replaces the value"),
            (6, "defaults are not shared among entities"),
            (7, "a component holds the id of another entity"),
            (8, "the entities that have a component"),
            (9, "filters and sets combine with and, or, not"),
            (10, "no globals: two worlds share nothing"),
            (11, "a system subscribes to events, and gets each once"),
            (12, "events are sent from outside of systems"),
            (13, "a reader empties its own queue"),
            (14, "all systems run in order, and unread events wait"),
            (15, "an event is read in this round by later systems, in the next by earlier ones"),
            (16, "components are detached, entities destroyed, subscriptions ended"),
        ],
    ),
    (
        'w',
        &[
            (1, "components have defaults"),
            (2, "an entity is made with its components"),
            (3, "ids have 64 bits"),
            (4, "the lookup of an unknown entity is an error"),
            (5, "additions are deferred, and refused if the component is present"),
            (6, "a missing component is an error or a default"),
            (7, "removals are deferred"),
            (9, "destruction is deferred"),
            (10, "a destroyed entity gets no components"),
            (11, "a flush between systems"),
            (12, "changes of a flush cascade"),
            (13, "a cascade without an end is an error"),
            (14, "presence as of the start of a system, values as of now"),
            (15, "filters nest"),
            (16, "an empty or matches nothing"),
            (18, "a system has several filters"),
            (19, "a callback when an entity begins to match"),
            (20, "a callback when it no longer matches"),
            (21, "no callback while it stays matched"),
            (22, "the order of callbacks"),
            (23, "systems are added at run time"),
            (24, "systems are removed at run time"),
            (25, "a system is not added twice"),
            (26, "a system that is removed during an update no longer runs"),
            (27, "a system that is added runs from the next update"),
            (28, "a failing system stops the update"),
            (29, "references to entities that are gone are healed"),
            (30, "the access of systems is known"),
            (31, "pictures of systems and components"),
            (32, "a system for a type that is bound later"),
            (33, "aspects consist of components and aspects"),
            (34, "values of aspects are overridden, call before child before parent"),
            (35, "factories make fresh values"),
            (36, "an aspect is added as a whole"),
            (37, "an aspect is removed as a whole"),
            (38, "the first alternative that matches is swapped"),
            (39, "clocks of wall time, frames and the game"),
            (40, "a frame has a longest step"),
            (41, "clocks follow clocks"),
            (42, "rooms and perception"),
            (43, "inventories"),
            (44, "equipment"),
            (45, "systems are listed and run"),
            (46, "the times of systems are measured"),
            (47, "a console shows entities, components, systems"),
            (48, "a console changes the world"),
            (50, "unique components, saved worlds, pictures of aspects"),
            (53, "membership is maintained, not searched"),
            (54, "meters with bounds and regeneration"),
            (55, "minds: state machines, behaviour trees, goal planning"),
            (56, "movement: walking, inertia, bumping, falling, jumps"),
            (57, "character sheets with skill tests"),
            (58, "conversations"),
            (59, "a minimal program of each genre"),
            (60, "slow systems stall nobody"),
            (61, "systems that are not used are found"),
            (62, "a reference to an entity that is gone marks its holder"),
            (63, "a start for a new project"),
        ],
    ),
    (
        'r',
        &[
            (1, "entities have names and stable ids"),
            (2, "a component is set"),
            (3, "a component is got, or missing"),
            (4, "whether an entity has a component"),
            (5, "a component is removed, or missing"),
            (6, "queries of several components, changed while they are iterated"),
            (7, "values of primitive types as components"),
            (8, "entities are built from data"),
        ],
    ),
    (
        'e',
        &[
            (1, "unique ids"),
            (2, "batches of ids"),
            (3, "ids are sorted"),
            (5, "a tree of entities"),
            (6, "all systems run once, in order"),
            (7, "a system prepares the world when it is added"),
            (8, "systems have priorities"),
            (9, "priorities change"),
            (11, "entities join the systems that they match"),
            (12, "a list means any of its components"),
            (13, "exclusion wins"),
            (14, "a removed entity leaves all systems"),
            (15, "time that has passed"),
        ],
    ),
];
/// The text of all Rust files below a folder.
fn collect(folder: &Path, text: &mut String) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("is readable").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("ui") {
            collect(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&fs::read_to_string(&path).expect("is text"));
        }
    }
}

#[test]
fn each_capability_has_a_test_of_its_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    for folder in [".", "../examples/tests", "../examples/comet/tests", "../crates"] {
        collect(&root.join(folder), &mut text);
    }
    let all =
        CAPABILITIES.iter().flat_map(|(letter, all)| all.iter().map(move |capability| (letter, capability)));
    let missing: Vec<String> = all
        .filter(|(letter, (number, _))| !text.contains(&format!("#[test]\nfn {letter}{number:02}_")))
        .map(|(letter, (number, capability))| format!("{letter}{number:02}, {capability}"))
        .collect();
    assert!(missing.is_empty(), "no test has the name of these capabilities: {missing:#?}");
}
