//! [`Server`]: the thread that reads requests from sockets, puts them into the queue, and writes
//! the answers.
//!
//! `hyper` parses HTTP on one thread of its own. Every connection carries one request and ends
//! after a time, whatever the client does, so that the memory of a server is bounded by the number
//! of connections times the sizes of a head, a body and an answer.

mod admission;

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::io;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use http_body_util::{BodyExt, Full};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{sleep, timeout};

use crate::dispatch::{Method, Request, Response};
use crate::job::Job;
use crate::options::{Limits, Options};
use crate::remote::{Queue, Reply, Waiting};
use crate::watch::Events;
use admission::{Admission, Rights};

/// The most bytes of a request's head; more get the status 431. The smallest buffer that `hyper`
/// allows.
const HEAD: usize = 8 << 10;

/// The connections that wait in the queue of the operating system until they are accepted. The VS
/// Code extension sends a request for each entity at once.
const WAITING: u32 = 1024;
/// The time for the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(2);

/// The time for the last message of a watch.
const LAST_MESSAGE: Duration = Duration::from_secs(1);

/// A running server. It stops when it is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// The state that all connections share.
struct Service {
    queue: Arc<Queue>,
    limits: Limits,
    admission: Admission,
    open: Arc<Semaphore>,
}

impl Server {
    pub(crate) fn start(options: &Options, queue: Arc<Queue>) -> io::Result<Self> {
        let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
        let listener = {
            let _context = runtime.enter();
            listen(SocketAddr::new(options.address, options.port))?
        };
        let address = listener.local_addr()?;
        let service = Arc::new(Service {
            queue,
            limits: options.limits,
            admission: Admission::new(options),
            open: Arc::new(Semaphore::new(options.limits.connections.min(Semaphore::MAX_PERMITS))),
        });
        let (stop, stopped) = oneshot::channel();
        let thread = thread::Builder::new().name("ecs-remote".into()).spawn(move || {
            runtime.block_on(async {
                tokio::spawn(accept(listener, service));
                // an error is the end of the sender, too
                let _ = stopped.await;
            });
        })?;
        Ok(Self { address, stop: Some(stop), thread: Some(thread) })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            // its panic has been reported on the standard error
            let _ = thread.join();
        }
    }
}

fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // as the standard library: on Windows, the option would let other programs take the port
    #[cfg(not(windows))]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(WAITING)
}

/// Accepts a connection as soon as there is a place for it. Until then, it waits in the queue of
/// the operating system.
async fn accept(listener: TcpListener, service: Arc<Service>) {
    loop {
        // nobody closes the semaphore
        let Ok(permit) = Arc::clone(&service.open).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // the process has no more file descriptors, for instance
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let service = Arc::clone(&service);
        tokio::spawn(async move {
            connection(stream, service).await;
            drop(permit);
        });
    }
}

/// The end of a connection's watch, if it has one.
type WatchEnd = Arc<Mutex<Option<oneshot::Receiver<()>>>>;

/// Reads and answers the request of a connection. A watch has no limit of time, but a client that
/// does not read loses it.
async fn connection(stream: TcpStream, service: Arc<Service>) {
    let (limit, watch) = (service.limits.timeout, WatchEnd::default());
    let answer = service_fn(|request| {
        let (service, watch) = (Arc::clone(&service), Arc::clone(&watch));
        async move { Ok::<_, Infallible>(service.answer(request, &watch).await) }
    });
    let mut http = hyper::server::conn::http1::Builder::new();
    http.keep_alive(false).max_buf_size(HEAD).max_headers(64);
    // a client that is slow with its head does not keep the others waiting for its place
    http.timer(TokioTimer::new()).header_read_timeout(limit.min(HEAD_TIME));
    let mut http = pin!(http.serve_connection(TokioIo::new(stream), answer));
    // an error of one connection concerns its client only
    if timeout(limit, http.as_mut()).await.is_ok() {
        return;
    }
    let Some(mut ended) = watch.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
    let is_closed = poll_fn(|cx| match http.as_mut().poll(cx) {
        Poll::Ready(_) => Poll::Ready(true),
        Poll::Pending => Pin::new(&mut ended).poll(cx).map(|_| false),
    });
    if !is_closed.await {
        // the last message is on its way, unless the client does not read
        let _ = timeout(limit.min(LAST_MESSAGE), http).await;
    }
}

/// The body of an answer.
enum HttpBody {
    Whole(Full<Bytes>),
    /// Server-sent events.
    Events(mpsc::Receiver<String>),
}

impl Body for HttpBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(body) => Pin::new(body).poll_frame(cx),
            Self::Events(messages) => {
                messages.poll_recv(cx).map(|message| message.map(|text| Ok(Frame::data(text.into()))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(body) if body.is_end_stream())
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Self::Whole(body) => body.size_hint(),
            Self::Events(_) => hyper::body::SizeHint::default(),
        }
    }
}

type HttpResponse = hyper::Response<HttpBody>;

impl Service {
    async fn answer(&self, request: hyper::Request<Incoming>, watch: &WatchEnd) -> HttpResponse {
        let rights = match self.admission.check(request.version(), request.uri(), request.headers()) {
            Err(refused) => return to_http(refused, None),
            Ok(rights) => rights,
        };
        let begin = Instant::now();
        while let Some(time) = self.admission.wait() {
            if begin.elapsed() > self.limits.timeout / 2 {
                return to_http(Response::error(429, "too many requests in the last seconds"), None);
            }
            sleep(time).await;
        }
        let origin = request.headers().get(header::ORIGIN).cloned();
        let response = match rights {
            // a browser asks whether a page may send a request, before it sends a token
            _ if request.method() == hyper::Method::OPTIONS => {
                return preflight(to_http(Response { status: 204, body: String::new() }, origin));
            }
            Rights { may_read: false, .. } => {
                Response::error(401, "this server needs a token: see `Options::reads`")
            }
            Rights { may_write, .. } => match self.read(request, may_write).await {
                Ok(request) => match self.wait(request).await {
                    Reply::Whole(response) => response,
                    Reply::Events(Events { messages, ended }) => {
                        *watch.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended);
                        return with_headers(HttpBody::Events(messages), "text/event-stream", origin);
                    }
                },
                Err(refused) => refused,
            },
        };
        to_http(response, origin)
    }

    /// Reads the request.
    async fn read(&self, request: hyper::Request<Incoming>, may_write: bool) -> Result<Request, Response> {
        let method = match request.method().as_str() {
            "GET" => Method::Get,
            "POST" => Method::Post,
            "PUT" => Method::Put,
            "DELETE" => Method::Delete,
            other => return Err(Response::error(405, &format!("the method `{other}` is not supported"))),
        };
        let target = request.uri().path_and_query().map_or("/", |target| target.as_str()).to_owned();
        let (mut body, mut bytes, mut discarded) = (request.into_body(), Vec::new(), 0);
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|_| Response::error(400, "the body is malformed"))?;
            let Some(data) = frame.data_ref() else { continue };
            if discarded == 0 && bytes.len() + data.len() <= self.limits.body {
                bytes.extend_from_slice(data);
                continue;
            }
            // a client reads the answer only after it has sent its body
            bytes = Vec::new();
            discarded += data.len();
            if discarded > self.limits.body.saturating_mul(16) {
                break;
            }
        }
        if discarded > 0 {
            let limit = self.limits.body;
            return Err(Response::error(413, &format!("the body is longer than {limit} bytes")));
        }
        let body = String::from_utf8(bytes).map_err(|_| Response::error(400, "the body is not UTF-8"))?;
        Ok(Request { method, target, body, may_write })
    }

    /// Waits until the world has answered.
    async fn wait(&self, request: Request) -> Reply {
        let (answer, answered) = oneshot::channel();
        self.queue.push(Waiting { job: Job::new(request), answer });
        // the rest of the time is for writing the answer
        match timeout(self.limits.timeout / 4 * 3, answered).await {
            Ok(Ok(reply)) => reply,
            _ => Reply::Whole(Response::error(504, "the program has not answered in time")),
        }
    }
}

fn to_http(response: Response, origin: Option<HeaderValue>) -> HttpResponse {
    let body = HttpBody::Whole(Full::new(Bytes::from(response.body)));
    let mut http = with_headers(body, "application/json", origin);
    *http.status_mut() = hyper::StatusCode::from_u16(response.status).unwrap_or_default();
    http
}

fn with_headers(body: HttpBody, content: &'static str, origin: Option<HeaderValue>) -> HttpResponse {
    let mut http = hyper::Response::new(body);
    let headers = http.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    if let Some(origin) = origin {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    }
    http
}

/// The answer to a browser that asks whether a page may send a request.
fn preflight(mut http: HttpResponse) -> HttpResponse {
    let headers = http.headers_mut();
    for (name, value) in [
        ("access-control-allow-methods", "GET, POST, PUT, DELETE, OPTIONS"),
        ("access-control-allow-headers", "Authorization, Content-Type"),
        ("access-control-allow-private-network", "true"),
        ("access-control-max-age", "600"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    http
}
