//! Runs of `mesa.py` in a process of its own.

use std::process::Command;

use crate::Sample;

/// The lines that `mesa.py` prints for its arguments, as numbers.
fn lines(python: &str, arguments: &[&str]) -> Vec<Vec<f64>> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/mesa.py");
    let output = Command::new(python).arg(script).args(arguments).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let numbers = |line: &str| line.split(' ').map(|number| number.parse().expect("a number")).collect();
    String::from_utf8(output.stdout).expect("it is text").lines().map(numbers).collect()
}

/// Times and figures of a model; `None` if mesa has it not.
pub(crate) fn run(python: &str, name: &str) -> Option<Sample> {
    let rows = lines(python, &[name]);
    let column = |i: usize| rows.iter().map(|row| row[i]).collect();
    (!rows.is_empty()).then(|| Sample { times: column(0), figures: column(1) })
}

/// The numbers of sheep and of wolves after each step, each the mean over the seeds.
pub(crate) fn curves(python: &str, name: &str) -> Vec<[f64; 2]> {
    lines(python, &[name, "--curves"]).iter().map(|row| [row[0], row[1]]).collect()
}
