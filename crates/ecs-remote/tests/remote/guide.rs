//! The commands of the guide's chapter about remote access, in their order, against a running
//! world.
//!
//! `GUIDE=overwrite cargo test -p checked-ecs-remote guide` writes the answers into the chapter.

use ecs_remote::{Options, Writes};
use serde_json::Value;

use crate::client::request;
use crate::server::Running;

const CHAPTER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/src/remote.md");

/// The arguments of a command line: single quotes keep spaces together.
fn arguments(line: &str) -> Vec<String> {
    let mut arguments = vec![String::new()];
    let mut quoted = false;
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => arguments.push(String::new()),
            _ => arguments.last_mut().expect("there is one").push(letter),
        }
    }
    arguments
}

/// Sends what `curl` would send; returns the answer.
fn run(running: &Running, line: &str) -> String {
    let (mut method, mut headers, mut body, mut target) =
        ("GET".to_owned(), String::new(), String::new(), String::new());
    let mut rest = arguments(line).into_iter().skip(1);
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().expect("an option has a value");
        match argument.as_str() {
            "-X" => method = value(),
            "-H" => headers = format!("{headers}{}\r\n", value()),
            "-d" => (method, body) = ("POST".to_owned(), value()),
            url => {
                target = url.strip_prefix("http://127.0.0.1:27750").expect("the guide's address").to_owned()
            }
        }
    }
    request(running.address, &method, &target, &headers, &body).2
}

#[test]
fn the_commands_of_the_guide_have_the_answers_of_the_guide() {
    let running = Running::start(Options::new().writes(Writes::Token("secret".into())));
    run(
        &running,
        "curl -X PUT -H 'Authorization: Bearer secret' http://127.0.0.1:27750/toggle/count?enable=false",
    );
    let old = std::fs::read_to_string(CHAPTER).expect("the chapter is there").replace('\r', "");
    let (mut new, mut count) = (String::new(), 0);
    let mut parts = old.split("```sh\n");
    new.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (command, rest) = part.split_once("\n```\n").expect("a block ends");
        assert!(command.starts_with("curl ") && !command.contains('\n'), "{command}");
        let answer = run(&running, command);
        let rest = match rest.strip_prefix("\n```json\n") {
            Some(rest) => {
                let (shown, rest) = rest.split_once("\n```\n").expect("a block ends");
                let json = |text: &str| serde_json::from_str::<Value>(text).expect("answers are JSON");
                let overwrites = std::env::var("GUIDE").is_ok_and(|mode| mode == "overwrite");
                assert!(overwrites || json(shown) == json(&answer), "{command}\nis answered by\n{answer}");
                rest
            }
            None => rest,
        };
        new.push_str(&format!("```sh\n{command}\n```\n\n```json\n{answer}\n```\n{rest}"));
        count += 1;
    }
    if std::env::var("GUIDE").is_ok_and(|mode| mode == "overwrite") {
        std::fs::write(CHAPTER, new).expect("it can be written");
    } else {
        assert_eq!(old.matches("```json\n").count(), count, "every command shows its answer");
    }
    assert!(count > 25, "the guide has {count} commands: are they found?");
}
