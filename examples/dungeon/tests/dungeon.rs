//! The dungeon game from outside: recorded games print the same output as before, and mistakes in
//! content give one line and exit code 2.
//!
//! After a change of the rules, print a recording again: `cargo run -p dungeon -- --keys
//! examples/dungeon/data/victory.keys > examples/dungeon/data/victory.txt`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The folder of the game's content.
fn shipped() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data")
}

/// The game, with neither arguments nor a terminal.
fn game() -> Command {
    let mut game = Command::new(env!("CARGO_BIN_EXE_dungeon"));
    game.stdin(Stdio::null());
    game
}

fn dungeon(arguments: &[&str]) -> Output {
    game().args(arguments).output().expect("the example was built with this test")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the game prints UTF-8")
}

/// The output of a recording. Asserts success.
fn played(keys: &str, seed: &str) -> String {
    let keys = shipped().join(keys).display().to_string();
    let output = dungeon(&["--keys", &keys, "--seed", seed]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

fn expected(file: &str) -> String {
    fs::read_to_string(shipped().join(file)).expect("the recording ships with its output")
}

#[test]
fn the_victory_prints_its_recorded_output() {
    assert_eq!(played("victory.keys", "1"), expected("victory.txt"));
}

#[test]
fn the_defeat_prints_its_recorded_output() {
    assert_eq!(played("defeat.keys", "3"), expected("defeat.txt"));
}

#[test]
fn recordings_end_as_they_are_called() {
    assert!(expected("victory.txt").ends_with("You have won in 284 turns!\n"));
    assert!(expected("defeat.txt").ends_with("You have died in turn 44.\n"));
}

#[test]
fn same_seed_same_game_and_other_seed_another() {
    assert_eq!(played("victory.keys", "7"), played("victory.keys", "7"));
    assert_ne!(played("victory.keys", "7"), played("victory.keys", "8"));
}

#[test]
fn recordings_are_played_with_seed_one_if_none_is_given() {
    let keys = shipped().join("victory.keys").display().to_string();
    assert_eq!(text(&dungeon(&["--keys", &keys]).stdout), expected("victory.txt"));
}

#[test]
fn content_is_found_from_every_folder() {
    let mut game = game();
    game.arg("--keys").arg(shipped().join("victory.keys")).current_dir(std::env::temp_dir());
    assert!(game.output().expect("the example was built with this test").status.success());
}

/// Asserts that the game printed one line on standard error, and nothing on standard output.
fn refused(output: &Output, message: &str) {
    assert_eq!(text(&output.stderr), format!("dungeon: {message}\n"));
    assert_eq!(text(&output.stdout), "");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn interactive_game_wants_a_terminal() {
    refused(&dungeon(&[]), "the game needs a terminal; `--keys FILE` plays a recording without one");
}

#[test]
fn wrong_command_lines_are_refused() {
    refused(&dungeon(&["--sed", "7"]), "invalid option '--sed'; try --help");
    refused(&dungeon(&["--seed"]), "missing argument for option '--seed'; try --help");
    refused(
        &dungeon(&["--threads", "0"]),
        "cannot parse argument \"0\": number would be zero for non-zero type; try --help",
    );
    refused(
        &dungeon(&["--graph", "svg"]),
        "cannot parse argument \"svg\": it is `dot`, `access` or `json`; try --help",
    );
    refused(&dungeon(&["--keys", "nowhere.keys"]), "nowhere.keys: not found");
}

#[test]
fn key_without_meaning_is_named() {
    let file = folder("key_without_meaning").join("wrong.keys");
    fs::write(&file, "hj ; a comment: Z\n l Z").expect("the folder was just made");
    let file = file.display().to_string();
    refused(&dungeon(&["--keys", &file]), &format!("{file}:2:4: key 'Z' means nothing"));
}

#[test]
fn help_names_every_option() {
    let help = text(&dungeon(&["--help"]).stdout);
    for option in [
        "--data",
        "--keys",
        "--record",
        "--save",
        "--load",
        "--seed",
        "--threads",
        "--graph",
        "--pictures",
        "--help",
    ] {
        assert!(help.contains(option), "{option}");
    }
}

/// `replay.rs` tests the same with the default pool and with pools inside the program.
#[test]
fn any_number_of_threads_prints_the_same() {
    let keys = shipped().join("victory.keys").display().to_string();
    for threads in ["1", "2", "4", "16"] {
        let output = dungeon(&["--keys", &keys, "--threads", threads]);
        assert!(text(&output.stdout) == expected("victory.txt"), "{threads} threads");
    }
}

/// W31. After a change of the world: `cargo run -p dungeon -- --pictures docs/guide/src/dungeon`.
#[test]
fn w31_pictures_in_the_documentation_are_of_this_world() {
    let folder = std::env::temp_dir().join(format!("dungeon-pictures-{}", std::process::id()));
    let output = dungeon(&["--pictures", &folder.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide/src/dungeon");
    let read = |file: &Path| fs::read_to_string(file).expect("the picture is a file");
    for kind in ["schedules", "access", "components", "aspects"] {
        for name in [format!("{kind}.svg"), format!("{kind}.dot")] {
            assert!(
                read(&folder.join(&name)) == read(&docs.join(&name)),
                "docs/guide/src/dungeon/{name} is out of date"
            );
        }
    }
    fs::remove_dir_all(&folder).expect("the folder is removed");
    let access = read(&docs.join("access.dot"));
    for line in [
        "    \"Position\" [shape=ellipse];",
        "    \"Clock<Turn>\" [shape=hexagon];",
        "    \"Bumped\" [shape=cds];",
        "    \"Position\" -> \"look::<Position, Board>()\";",
        "    \"look::<Position, Board>()\" -> \"View\";",
        "    \"Solid\" -> \"survey()\" [style=dashed, dir=none];",
    ] {
        assert!(access.lines().any(|one| one == line), "{line}");
    }
}

#[test]
fn schedules_are_printed_as_json() {
    let json = text(&dungeon(&["--graph", "json"]).stdout);
    let graph: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    let names = graph["schedules"].as_array().into_iter().flatten().map(|schedule| schedule["name"].as_str());
    assert_eq!(names.collect::<Vec<_>>(), [Some("wake"), Some("turn")]);
}

/// Splits a recording into two files: the first `before` keys, and the others.
fn split(keys: &str, before: usize, folder: &Path) -> [String; 2] {
    let text = expected(keys);
    let keys: String = text.lines().flat_map(|line| line.split(';').next()).collect();
    let keys = keys.replace(' ', "");
    let (first, rest) = keys.split_at(before);
    [("first.keys", first), ("rest.keys", rest)].map(|(file, keys)| {
        fs::write(folder.join(file), keys).expect("it stands in a folder of the test");
        folder.join(file).display().to_string()
    })
}

/// Plays the beginning of a recorded game and saves it to `name`. Returns the rest of the keys and
/// the saved game.
fn saved(test: &str, name: &str) -> (String, PathBuf) {
    let folder = folder(test);
    let [first, rest] = split("victory.keys", 60, &folder);
    let file = folder.join(name);
    let output = dungeon(&["--keys", &first, "--save", &file.display().to_string()]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    (rest, file)
}

#[test]
fn saved_games_continue() {
    for name in ["half.save", "half.json"] {
        let (rest, file) = saved("saved_games", name);
        let output = dungeon(&["--load", &file.display().to_string(), "--keys", &rest]);
        let text = text(&output.stdout);
        let (heading, rest) = text.split_once('\n').expect("there is a heading");
        assert_eq!(heading, "seed 1, continued after turn 60");
        assert!(expected("victory.txt").ends_with(rest), "{name}: {rest}");
    }
}

#[test]
fn what_is_no_saved_game_is_refused() {
    let refuses = |file: &Path, message: &str| {
        let file = file.display().to_string();
        for option in ["--load", "--inspect"] {
            refused(&dungeon(&[option, &file]), &format!("{file}{message}"));
        }
    };
    let (_, file) = saved("no_saved_game", "half.save");
    refuses(Path::new("nowhere.save"), ": not found");
    refuses(
        &shipped().join("map.txt"),
        ": this is not a saved world: the bytes do not begin with `ecsworld`",
    );

    let map = shipped().join("map.txt").display().to_string();
    refused(&dungeon(&["--replay", &map]), &format!("{map}: this is no file of a black box"));

    let mut bytes = fs::read(&file).expect("it was just written");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).expect("it stands in a folder of the test");
    refuses(&file, ": the saved world is damaged: its checksum does not match");

    let (_, file) = saved("no_saved_game", "half.json");
    let json = fs::read_to_string(&file).expect("it was just written");
    let clock = json.find("\"Clock<Turn>\"").expect("a game has a clock");
    let older = json[clock..].replacen("\"elapsed\"", "\"lapsed\"", 1);
    for (text, reason) in [
        (json[..clock].to_owned() + &older, " resource `Clock<Turn>`: missing field `elapsed`\n"),
        (
            json[..clock + "\"Clock<Turn>\":".len()].to_owned(),
            " resource `Clock<Turn>`: EOF while parsing a value\n",
        ),
    ] {
        fs::write(&file, &text).expect("it stands in a folder of the test");
        let output = dungeon(&["--load", &file.display().to_string()]);
        let line = String::from_utf8_lossy(&output.stderr).into_owned();
        // the position follows the file
        let is_place = |c: char| c == ':' || c.is_ascii_digit();
        let found = line.strip_prefix(&format!("dungeon: {}:", file.display()));
        assert_eq!(found.map(|found| found.trim_start_matches(is_place)), Some(reason), "{line}");
        assert_eq!(output.status.code(), Some(2));
    }
}

#[test]
fn saved_games_need_the_kinds_of_their_loot() {
    let (_, file) = saved("missing_items", "half.save");
    let data = copy("missing_items_data");
    let edit = |file: &str, old: &str, new: &str| {
        let text = fs::read_to_string(data.join(file)).expect("the file ships with the game");
        fs::write(data.join(file), text.replace(old, new)).expect("it stands in a folder of the test");
    };
    fs::remove_file(data.join("items/brass-key.json")).expect("it stands in a folder of the test");
    edit("monsters/jailer.json", "brass-key", "dagger");
    let (file, data) = (file.display().to_string(), data.display().to_string());
    refused(
        &dungeon(&["--data", &data, "--load", &file]),
        &format!("{file}: component `Loot` leaves behind `brass-key`, which no file defines"),
    );
}

#[test]
fn a_failed_save_is_an_error() {
    let keys = shipped().join("defeat.keys").display().to_string();
    let output = dungeon(&["--keys", &keys, "--seed", "3", "--save", "nowhere/at.all"]);
    assert_eq!(text(&output.stderr), "dungeon: nowhere/at.all: not found\n");
    assert_eq!((text(&output.stdout), output.status.code()), (expected("defeat.txt"), Some(2)));
}

/// An empty folder of the test `name`.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dungeon").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).expect("the folder belongs to this test");
    }
    fs::create_dir_all(&folder).expect("cargo gives tests a folder to write to");
    folder
}

/// A copy of the game's content.
fn copy(name: &str) -> PathBuf {
    fn copy_into(from: &Path, to: &Path) {
        fs::create_dir_all(to).expect("it stands in a folder of the test");
        for entry in fs::read_dir(from).expect("the content ships with the game").flatten() {
            let (from, to) = (entry.path(), to.join(entry.file_name()));
            if from.is_dir() {
                copy_into(&from, &to);
            } else {
                fs::copy(from, to).expect("it stands in a folder of the test");
            }
        }
    }
    let folder = folder(name);
    copy_into(&shipped(), &folder);
    folder
}

/// A change of a file of the content.
enum Edit<'a> {
    /// Replaces a text in the file.
    Replace(&'a str, &'a str),
    /// Replaces the file's bytes.
    Write(&'a [u8]),
    Remove,
}

/// Asserts that the game refuses its content after one file is edited, with `message` after the
/// path of `file`.
fn refuses(name: &str, file: &str, edit: Edit<'_>, message: &str) {
    let data = copy(name);
    let path = data.join(file);
    match edit {
        Edit::Replace(old, new) => {
            let text = fs::read_to_string(&path).expect("the file ships with the game");
            assert!(text.contains(old), "{file} no longer contains {old:?}");
            fs::write(&path, text.replace(old, new)).expect("it stands in a folder of the test");
        }
        Edit::Write(bytes) => fs::write(&path, bytes).expect("it stands in a folder of the test"),
        Edit::Remove if path.is_dir() => {
            fs::remove_dir_all(&path).expect("it stands in a folder of the test")
        }
        Edit::Remove => fs::remove_file(&path).expect("it stands in a folder of the test"),
    }
    let output = dungeon(&["--data", &data.display().to_string()]);
    refused(&output, &format!("{}{message}", path.display()));
}

/// `test: file, edit => message`, one test each.
macro_rules! refusals {
    ($($test:ident: $file:literal, $edit:expr => $message:literal;)*) => {$(
        #[test]
        fn $test() {
            refuses(stringify!($test), $file, $edit, $message);
        }
    )*};
}

use Edit::{Remove, Replace, Write};

refusals! {
    // Files.
    missing_map: "map.txt", Remove => ": not found";
    missing_hero: "hero.json", Remove => ": not found";
    missing_folder: "monsters", Remove => ": not found";
    file_that_is_not_text: "map.txt", Write(b"< = stairs\n\xff") => ":2:1: not UTF-8";

    // JSON.
    broken_json: "monsters/rat.json", Replace("{\"memory\": 2}", "{\"memory\": 2},")
        => ":11:5: key must be a string";
    json_that_ends_early: "monsters/rat.json", Write(b"{\"rat\": {") => ":1:9: EOF while parsing an object";
    not_an_object: "monsters/rat.json", Write(b"{\"rat\": []}")
        => ":1:8: entity `rat`: invalid type: sequence, expected a map from the names of components and aspects to their values";
    list_of_entities: "monsters/rat.json", Write(b"[]")
        => ":1:1: invalid type: sequence, expected a map from the names of entities to their components";
    file_about_somebody_else: "monsters/rat.json", Replace("\"rat\": {", "\"mouse\": {")
        => ": one of the entities in this file must be called `rat`";
    defined_twice: "items/rat.json", Write(b"{\"rat\": {\"Item\": {}}}")
        => ": there is a `rat` in the folder `monsters` already";

    // Monsters and items.
    component_given_twice: "monsters/rat.json", Replace("\"Melee\"", "\"Health\": {\"max\": 3, \"missing\": 0}, \"Melee\"")
        => ":12:14: entity `rat`: component `Health`: it occurs twice: as `Monster.body.health` and as `Health`";
    unknown_part_of_an_aspect: "monsters/rat.json", Replace("\"mind\"", "\"mund\"")
        => ":10:12: entity `rat`: aspect at `Monster`: there is no field `mund`; did you mean `mind`?";
    unknown_field: "monsters/rat.json", Replace("\"max\"", "\"maks\"")
        => ":7:25: entity `rat`: component `Health` at `Monster.body.health`: there is no field `maks`; did you mean `max`?";
    missing_field: "monsters/rat.json", Replace("\"aim\": 60, ", "")
        => ":12:30: entity `rat`: component `Melee`: missing field `aim`";
    value_of_the_wrong_type: "monsters/rat.json", Replace("\"max\": 4", "\"max\": \"four\"")
        => ":7:32: entity `rat`: component `Health` at `Monster.body.health`: invalid type: string \"four\", expected u32";
    number_out_of_range: "monsters/rat.json", Replace("\"memory\": 2", "\"memory\": 300")
        => ":10:28: entity `rat`: component `Mind` at `Monster.mind`: invalid value: integer `300`, expected u8";
    dice_that_cannot_be_thrown: "monsters/rat.json", Replace("1d2", "1x2")
        => ":12:41: entity `rat`: component `Melee`: \"1x2\" is not a throw of dice such as \"2d6+1\"";
    unknown_loot: "monsters/jailer.json", Replace("brass-key", "copper-key")
        => ": component `Loot` leaves behind `copper-key`, which no file defines";
    loot_that_lives: "monsters/jailer.json", Replace("brass-key", "puffball")
        => ": component `Loot` leaves behind `puffball`, which is alive";
    monster_that_is_dead: "monsters/rat.json", Replace("\"max\": 4", "\"max\": 0")
        => ": component `Health` of `rat` has no hit points left";
    unknown_mind: "monsters/archer.json", Replace("sniper", "snipper")
        => ": component `Tactics` follows the mind `snipper`, which no file defines; there are drifter, sniper, stalker";
    mind_with_an_unknown_word: "minds/sniper.json", Replace("CanShoot", "CanSing")
        => ":4:34: node `selector[1].sequence[0]`: unknown variant `CanSing`, expected one of `IsNear`, `CanStrike`, `CanShoot`";
    hero_that_is_nobody: "hero.json", Write(b"{\"hero\": {\"Creature\": {}}}")
        => ": the hero needs the component `Player`";
    second_player: "monsters/rat.json", Replace("\"Melee\"", "\"Player\": {}, \"Melee\"")
        => ": component `Player` belongs to the hero alone, not to `rat`";
    pack_of_nobody: "hero.json", Write(b"{\"hero\": {\"Hero\": {}}, \"club\": {\"CarriedBy\": {\"bearer\": \"hera\", \"slot\": 0}}}")
        => ":1:62: entity `club`: component `CarriedBy`: no entity of the file is named `hera`; did you mean `hero`?";

    // The map.
    map_without_start: "map.txt", Replace("@", ".") => ": the map has no start; draw one `@`";
    map_with_two_starts: "map.txt", Replace("<@.", "<@@") => ":23:6: a second start `@`";
    unknown_glyph: "map.txt", Replace("<@.", "<@Z")
        => ":23:6: unknown glyph 'Z'; the legend does not explain it";
    legend_without_type: "map.txt", Replace("r = rat", "r rat")
        => ":5:1: a line of the legend reads `GLYPH = KIND | KIND`";
    glyph_explained_twice: "map.txt", Replace("r = rat", "+ = rat") => ":5:1: glyph '+' is explained twice";
    glyph_with_a_meaning: "map.txt", Replace("r = rat", "# = rat") => ":5:1: glyph '#' has its meaning already";
    second_hero: "map.txt", Replace("r = rat", "r = rat | hero")
        => ":5:11: the hero stands where `@` is, and nowhere else";
}

#[test]
fn unknown_names_are_answered_with_known_ones() {
    let cases = [
        (
            "monsters/rat.json",
            "\"Melee\"",
            "\"Mele\"",
            (":12:12: entity `rat`: component `Mele`: ", "; did you mean `Melee`?\n"),
        ),
        (
            "monsters/rat.json",
            "\"Monster\"",
            "\"Mosnter\"",
            (":3:15: entity `rat`: component `Mosnter`: ", "; did you mean `Monster`?\n"),
        ),
        (
            "map.txt",
            "r = rat",
            "r = bat",
            (":5:5: unknown kind `bat`; there are `amulet`, ", "and `sword`\n"),
        ),
    ];
    for (file, old, new, (begin, end)) in cases {
        let data = copy("unknown_names");
        let path = data.join(file);
        let text_before = fs::read_to_string(&path).expect("the file ships with the game");
        fs::write(&path, text_before.replacen(old, new, 1)).expect("it stands in a folder of the test");
        let output = dungeon(&["--data", &data.display().to_string()]);
        let line = text(&output.stderr);
        assert!(
            line.starts_with(&format!("dungeon: {}{begin}", path.display())) && line.ends_with(end),
            "{line}"
        );
        assert_eq!((line.lines().count(), output.status.code()), (1, Some(2)));
    }
}

#[test]
fn a_file_may_contain_the_possessions_of_its_entity() {
    let data = copy("pack");
    let hero = r#"{
        "hero": {"Hero": {"body": {"health": {"max": 26}}}, "Wields": "club"},
        "club": {"Item": {"meta": {"name": "club"}}, "Weapon": {"aim": 50, "damage": "1d4"},
                 "CarriedBy": {"bearer": "hero", "slot": 0}}
    }"#;
    fs::write(data.join("hero.json"), hero).expect("it stands in a folder of the test");
    let keys = data.join("defeat.keys").display().to_string();
    let output = dungeon(&["--data", &data.display().to_string(), "--keys", &keys]);
    let picture = text(&output.stdout);
    assert!(picture.lines().any(|line| line.ends_with("1 club*")), "{picture}");
}
