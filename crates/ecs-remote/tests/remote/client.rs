//! A small client for HTTP.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Sends the text of a request, and reads until the server closes the connection.
pub fn send(address: SocketAddr, text: &[u8]) -> io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(20)))?;
    stream.write_all(text)?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}

/// Sends a request; returns the status, the head and the body.
pub fn request(
    address: SocketAddr,
    method: &str,
    target: &str,
    headers: &str,
    body: &str,
) -> (u16, String, String) {
    let length = body.len();
    let text = format!(
        "{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n{headers}\r\n{body}"
    );
    let answer = send(address, text.as_bytes()).expect("the server answers");
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer, but {answer:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.expect("the head has a status"), head.to_owned(), body.to_owned())
}
