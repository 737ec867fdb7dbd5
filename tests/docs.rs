//! The documentation of a user's crate: `cargo doc` of a game and of the library whose parts it
//! includes, read as text.

use std::path::{Path, PathBuf};
use std::process::Command;

use documented_game::Settings;
use ecs_picture::WorldPicture;
use parts_library::Bounces;

/// The pages of `documented-game` and `parts-library`, with warnings as errors.
fn documented() -> PathBuf {
    let exe = std::env::current_exe().expect("the test has a path");
    let target = exe.ancestors().nth(3).expect("the test stands in a folder of the target folder");
    let doc = target.join("doc");
    // rustdoc links to the pages of another crate only if their folder is there: the library comes
    // first, and pages of the game that were written before it are written again
    document(target, "parts-library");
    match std::fs::remove_dir_all(doc.join("documented_game")) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => panic!("{}: {error}", doc.display()),
        _ => {}
    }
    document(target, "documented-game");
    doc
}

fn document(target: &Path, package: &str) {
    let output = Command::new(env!("CARGO"))
        .args(["doc", "--offline", "--no-deps", "-p", package, "--target-dir"])
        .arg(target)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("RUSTDOCFLAGS", "-D warnings")
        .env_remove("CARGO_ENCODED_RUSTDOCFLAGS")
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A page: its text without tags, and the targets of its links.
struct Page {
    text: String,
    links: Vec<String>,
}

impl Page {
    fn read(path: &Path) -> Self {
        let html =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let main = html.split_once("<section id=\"main-content\"").expect("the page has a main section").1;
        // every type has the rest, which rustdoc folds: `Send`, `Sync`, and impls for all types
        let main = main.split("id=\"synthetic-implementations\"").next().unwrap_or(main);
        let links = main.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
        let links = links.map(str::to_owned).collect();
        let (mut text, mut in_tag) = (String::new(), false);
        for letter in main.chars() {
            match letter {
                '<' => in_tag = true,
                '>' => in_tag = false,
                _ if !in_tag => text.push(letter),
                _ => {}
            }
        }
        let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&").replace("&#39;", "'");
        Self { text: text.split_whitespace().collect::<Vec<_>>().join(" "), links }
    }

    #[track_caller]
    fn has(&self, expected: &str) {
        assert!(self.text.contains(expected), "no `{expected}` in:\n{}", self.text);
    }

    #[track_caller]
    fn lacks(&self, unexpected: &str) {
        assert!(!self.text.contains(unexpected), "`{unexpected}` in:\n{}", self.text);
    }

    #[track_caller]
    fn leads_to(&self, target: &str) {
        let found = self.links.iter().any(|link| link.ends_with(target));
        assert!(found, "no link to {target} in:\n{}", self.text);
    }
}

#[test]
fn docs_of_a_users_crate_read_as_if_written_by_hand() {
    let doc = documented();
    let game = doc.join("documented_game");
    let page = |name: &str| Page::read(&game.join(name));

    let world = page("struct.Game.html");
    world.has("pub fn new(bounces: Bounces, settings: Settings) -> Self");
    world.has("Bounces: Default");
    world.has("position: Position of parts_library::physics. The positions.");
    world.has("clock: Clock of parts_library::physics. The time.");
    world.has("moved: Moved of parts_library::physics. Sent by the world.");
    world.has("pool: Pool<Stamina> of parts_library::shared::walking. The amounts.");
    world.has("counted_horn: Horn of parts_library::pool::census::<Horn>");
    world.has("steps: Steps of parts_library::shared::walking. The steps of all.");
    world.has("paper: Fuel<Paper> of parts_library::fire::fire");
    world.has("motor: Motor. Drives a car.");
    world.has("crashed: Crashed");
    world.has("steer() if not (paused() or stopped())");
    world.has("steer(): Before anything moves, so that a car stops at once.");
    world.has("movement, bounce of step");
    world.has("bounce: At the walls.");
    world.has("settle if rest of step");
    world.has("crash(), again until no system has something to react to, at most 8 times");
    world.has("flames::<Paper, 3>, flames::<Wood, 1>, drown of parts_library::fire::burn");
    world.has("Returns the error of the first system that fails");
    let step = Page::read(&doc.join("parts_library/struct.step.html"));
    step.has("Moves all bodies once.");
    let pool = Page::read(&doc.join("parts_library/pool/struct.pool.html"));
    pool.has("A supply of T.");
    pool.has("include pool::<T, SPEED>;");
    pool.has("limit: Limit<T>. The largest amount.");
    pool.leads_to("struct.Pool.html");
    for target in
        ["fn.steer.html", "fn.paused.html", "struct.Motor.html", "#method.tick", "struct.physics.html"]
    {
        world.leads_to(target);
    }
    let plumbing = [
        "Listed<",
        "impl MutTarget",
        "impl HasResource",
        "impl HasEvent",
        "impl Has<",
        "impl System",
        "__private",
    ];
    plumbing.into_iter().for_each(|name| world.lacks(name));
    assert!(
        !world.links.iter().any(|link| link.contains('@')),
        "a link of the source is left: {:?}",
        world.links
    );

    // The picture of the schedules is part of the page, and is no text of it.
    let html = std::fs::read_to_string(game.join("struct.Game.html")).expect("the page is a file");
    let svg = include_str!("documented/pictures/schedules.svg");
    assert!(html.contains(svg.trim_end()), "rustdoc has changed the picture");

    let columns = page("struct.GameColumns.html");
    columns.has("pub velocity: __M::View<'__w, Velocity>");
    columns.has("pub wood: __M::View<'__w, Fuel<Wood>>");
    columns.lacks("Listed");

    let steer = page("fn.steer.html");
    steer.has("Sets the speed of each car.");
    steer.has("A system of Game, called for each matching entity.");
    steer.has("reads Motor, resource Settings");
    steer.has("writes Velocity");
    steer.has("filters by Without<Parked>");
    let crash = page("fn.crash.html");
    crash.has("reads Position");
    crash.has("writes event Crashed");
    crash.has("reacts to Entered<With<Motor>>");
    let announce = page("fn.announce.html");
    announce.has("reads event Crashed");
    announce.has("takes Commands<Game>");

    let motor = page("struct.Motor.html");
    ["QueryData", "Distinct", "ComponentOf", "MatchesNothing"].into_iter().for_each(|name| motor.lacks(name));

    // A system is listed once, as a function.
    let index = page("index.html");
    index.leads_to("fn.steer.html");
    assert!(!game.join("struct.steer.html").exists(), "the type of a system has no page");

    let library = doc.join("parts_library");
    let parts = Page::read(&library.join("struct.physics.html"));
    parts.has("The struct of a world includes these parts: include physics;");
    parts.has("clock: Clock");
    parts.leads_to("struct.Bounces.html");
    let schedule = Page::read(&library.join("struct.step.html"));
    schedule.has("settle() if rest()");
    schedule.has("bounce(): At the walls.");
    schedule.leads_to("fn.movement.html");
    [&parts, &schedule].into_iter().for_each(|page| page.lacks("Listed"));
}

/// Compared in this process: `cargo run` would build the library once more, with the features that
/// the example needs.
#[test]
fn w31_the_pictures_in_the_documentation_are_of_this_world() {
    let game = documented_game::Game::new(Bounces::default(), Settings { paused: false });
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/documented/pictures");
    let compared = WorldPicture::of(&game).command(["--check", folder].map(str::to_owned));
    let help = "cargo run -p documented-game --example picture -- --into tests/documented/pictures";
    compared.unwrap_or_else(|error| panic!("{error}\n{help}"));
}
