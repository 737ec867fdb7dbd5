//! The example `rooms` as a process: replication over UDP with loss, and a server that is killed
//! and comes back.

use std::process::{Command, Output};

fn rooms(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rooms")).args(arguments).output().expect("the program starts")
}

/// The number in front of these words.
fn before(text: &str, words: &str) -> u64 {
    let head = text.split(words).next().filter(|head| head.len() < text.len());
    let number =
        head.and_then(|head| head.split_whitespace().next_back()).and_then(|number| number.parse().ok());
    number.unwrap_or_else(|| panic!("no number before `{words}`: {text}"))
}

#[test]
fn bots_go_on_after_the_server_was_killed_and_beside_hostile_clients() {
    let output = rooms(&["--ticks", "240", "--bots", "12", "--hostile", "2", "--loss", "20"]);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{text}{errors}");
    assert!(text.contains("the server was killed at tick 1") && text.contains("server: session 2"), "{text}");
    // some messages are lost, and several ticks are received at once then
    assert!(before(&text, " states were compared by hash") > 12 * 100, "{text}");
    assert!(before(&text, " connections were made again") >= 12, "{text}");
    assert!(before(&text, " messages refused") > 20, "{text}");
    assert!(before(&text, " times\n") > 0, "no hostile client was disconnected: {text}");
    let hash = text.lines().last().and_then(|line| line.strip_prefix("hash "));
    assert!(hash.is_some_and(|hash| hash.len() == 16), "{text}");
    assert_eq!(errors, "");
}

#[test]
fn mistakes_in_the_command_line_are_one_line() {
    for arguments in [&["--loss", "95"][..], &["--hostile", "21"], &["--bots", "0"], &["--unknown"]] {
        let output = rooms(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}
