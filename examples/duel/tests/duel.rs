//! The example `duel` as a process: rollbacks change nothing, and two processes agree over a bad
//! network.

use std::process::Command;

/// Runs the example, and returns the hash in its last line.
fn hash(arguments: &[&str]) -> String {
    let output =
        Command::new(env!("CARGO_BIN_EXE_duel")).args(arguments).output().expect("the example starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap_or_default();
    let hash = last.strip_prefix("hash ").unwrap_or_else(|| panic!("{text}"));
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    hash.to_owned()
}

#[test]
fn a_synctest_of_the_duel_ends_with_the_same_hash_in_each_run() {
    assert_eq!(hash(&["--synctest", "300"]), hash(&["--synctest", "300"]));
}

#[test]
fn two_processes_over_two_bad_networks_end_with_the_same_hash() {
    let good = hash(&["--headless", "--frames", "200", "--loss", "0", "--delay", "0"]);
    let bad = hash(&["--headless", "--frames", "200", "--loss", "0.2", "--delay", "6"]);
    assert_eq!(good, bad);
}
