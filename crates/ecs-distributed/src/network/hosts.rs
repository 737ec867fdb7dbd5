//! The processes of a run on several machines: a file with their addresses, and the number of this
//! one among them.

use std::path::Path;

use crate::RunError;

/// The addresses in a file of hosts: one `host:port` in each line, in the order of the processes.
/// Empty lines, and those that begin with `#`, are passed over.
///
/// # Errors
/// If the file cannot be read, has no line, one that is no address, or one twice.
pub fn read_hosts(path: impl AsRef<Path>) -> Result<Vec<String>, RunError> {
    let path = path.as_ref();
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string());
    let hosts = text.and_then(|text| parse_hosts(&text));
    hosts.map_err(|reason| RunError::System(format!("the file of hosts {}: {reason}", path.display())))
}

fn parse_hosts(text: &str) -> Result<Vec<String>, String> {
    let mut hosts: Vec<String> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let (number, line) = (number + 1, line.trim());
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let port =
            line.rsplit_once(':').filter(|(host, _)| !host.is_empty() && !host.contains(char::is_whitespace));
        if port.and_then(|(_, port)| port.parse::<u16>().ok()).is_none_or(|port| port == 0) {
            return Err(format!("line {number} is `{line}`, and not an address `host:port`"));
        }
        if hosts.iter().any(|host| host == line) {
            return Err(format!("line {number} has `{line}` a second time"));
        }
        hosts.push(line.to_owned());
    }
    if hosts.is_empty() { Err("it has no address".to_owned()) } else { Ok(hosts) }
}

/// The number of this process, as the program that has started it says: `SLURM_PROCID` of Slurm, or
/// the number at the end of `HOSTNAME`, as in `worker-3`, of a stateful set of Kubernetes.
///
/// # Errors
/// If there is none.
pub fn process_of_environment() -> Result<usize, RunError> {
    process_of(|name| std::env::var(name).ok()).map_err(RunError::System)
}

fn process_of(variable: impl Fn(&str) -> Option<String>) -> Result<usize, String> {
    if let Some(number) = variable("SLURM_PROCID") {
        return number.parse().map_err(|_| format!("SLURM_PROCID is `{number}`, and no number"));
    }
    let host = variable("HOSTNAME").unwrap_or_default();
    let name = host.split('.').next().unwrap_or_default();
    let number = name.rsplit_once('-').and_then(|(_, number)| number.parse().ok());
    number.ok_or_else(|| {
        format!(
            "the number of this process is not known: SLURM_PROCID is not set, and HOSTNAME, `{host}`, does not end with one, as in \
             `worker-3`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_hosts_has_an_address_in_each_line() {
        let text = "# two machines\nnode1:7000\n\n  node2.example.org:7000 \n[::1]:7001\n";
        let hosts = ["node1:7000", "node2.example.org:7000", "[::1]:7001"].map(str::to_owned);
        assert_eq!(parse_hosts(text), Ok(hosts.to_vec()));
        for (text, error) in [
            ("", "it has no address"),
            ("# node:1", "it has no address"),
            ("a:1\nb", "line 2 is `b`, and not an address `host:port`"),
            (":7000", "line 1 is `:7000`, and not an address `host:port`"),
            ("a:70000", "line 1 is `a:70000`, and not an address `host:port`"),
            ("a:0", "line 1 is `a:0`, and not an address `host:port`"),
            ("a b:7", "line 1 is `a b:7`, and not an address `host:port`"),
            ("a:1\nb:1\n\na:1", "line 4 has `a:1` a second time"),
        ] {
            assert_eq!(parse_hosts(text), Err(error.to_owned()));
        }
        let error = read_hosts("/no/such/file").unwrap_err().to_string();
        assert!(error.starts_with("the file of hosts /no/such/file: No such file"), "{error}");
    }

    #[test]
    fn slurm_and_kubernetes_say_the_number_of_a_process() {
        let process = |slurm: Option<&str>, host: Option<&str>| {
            process_of(|name| match name {
                "SLURM_PROCID" => slurm.map(str::to_owned),
                "HOSTNAME" => host.map(str::to_owned),
                _ => None,
            })
        };
        assert_eq!(process(Some("12"), Some("worker-3")), Ok(12));
        assert_eq!(process(None, Some("worker-3")), Ok(3));
        assert_eq!(process(None, Some("big-worker-10.workers.default.svc")), Ok(10));
        assert_eq!(
            process(Some("x"), Some("worker-3")),
            Err("SLURM_PROCID is `x`, and no number".to_owned())
        );
        for host in [None, Some("laptop"), Some("node7"), Some("worker-"), Some("worker-3a")] {
            let error = process(None, host).unwrap_err();
            assert!(error.contains("does not end with one"), "{error}");
        }
    }
}
