//! The example `quic` as a process.

use std::process::{Command, Output};

fn quic(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quic")).args(arguments).output().expect("the program starts")
}

#[test]
fn clients_receive_all_and_the_program_ends() {
    let output = quic(&["6", "40"]);
    let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && errors.is_empty(), "{text}{errors}");
    let number = |line: usize, word: usize| -> u64 {
        let word = text.lines().nth(line).and_then(|line| line.split_whitespace().nth(word));
        word.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("no number: {text}"))
    };
    assert!(number(0, 2) > 6 * 20, "{text}");
    // 200 birds move, of 4 bytes each
    assert!((800..1_600).contains(&number(1, 0)), "{text}");
    assert!((number(1, 0)..2_400).contains(&number(2, 0)), "{text}");
}

#[test]
fn mistakes_in_the_command_line_are_one_line() {
    for arguments in [&["0", "5"][..], &["many", "5"], &["5"], &["65", "1"]] {
        let output = quic(arguments);
        assert_eq!(output.status.code(), Some(1));
        assert_eq!(String::from_utf8_lossy(&output.stderr).lines().count(), 1);
    }
}
