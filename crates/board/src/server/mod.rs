//! The board server: accepts connections of this machine and, if the board is shared, of the local network, one thread and
//! one request each. `connection_limits` says which connection is closed in favour of a new one; every wait has a timeout, and so has
//! a whole answer.

pub mod auth;
mod connection_limits;
pub mod http;
pub mod lan;
pub mod qr_code;
pub mod redirect_file;
pub mod router;

use chuhe_app::client::Client;
use connection_limits::{Places, Stage};
use http::{HttpError, HttpRequest, HttpResponse, head};
use router::{Answer, Router};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// The time limit for receiving a request, and for each part of an answer to be taken.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// The time limits for sending a whole answer, and a file that is written while it is sent.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const FILE_TIMEOUT: Duration = Duration::from_secs(300);
/// The most bytes of an answer that are sent at a time.
const WRITE_SIZE: usize = 64 << 10;
/// To parse a request takes many times its size: of those with larger bodies one is answered at a time, of this machine and
/// of devices each.
const LARGE_BODY: usize = 1 << 20;
/// How often a stream polls whether its page is still connected.
const STREAM_POLL_INTERVAL: Duration = Duration::from_millis(40);
/// How long and how often is tried what does not work at once, such as to begin a thread.
const RETRY_PATIENCE: Duration = Duration::from_millis(500);
const RETRY_DELAY: Duration = Duration::from_millis(10);
/// The longest silence of a stream, so that a proxy that buffers it is noticed.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The shortest time between two events: more would not be visible.
const EVENT_INTERVAL: Duration = Duration::from_millis(120);

/// A server on the loopback interface, or on all interfaces if the board is shared.
pub struct Server {
    listener: TcpListener,
    shared: Arc<ServerShared>,
}

struct ServerShared {
    router: Router,
    places: Places<TcpStream>,
    /// Held while a large request is answered: of this machine, of a device.
    large: [Mutex<()>; 2],
    ended: AtomicBool,
}

impl Server {
    /// Listens at this port, or at any free one if it is 0.
    pub fn listen(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::LOCALHOST, port))
    }

    /// The same for all devices of the local network.
    pub fn listen_on_lan(port: u16) -> io::Result<TcpListener> {
        TcpListener::bind((Ipv4Addr::UNSPECIFIED, port))
    }

    /// A server that answers with this router.
    pub fn new(listener: TcpListener, router: Router) -> Server {
        let (places, large, ended) = Default::default();
        Server { listener, shared: Arc::new(ServerShared { router, places, large, ended }) }
    }

    pub fn router(&self) -> &Router {
        &self.shared.router
    }

    /// Serves until it is stopped.
    pub fn serve(&self) {
        for number in 0.. {
            let (stream, peer) = match self.listener.accept() {
                Ok((stream, peer)) => (stream, peer.ip()),
                Err(error) if is_transient(error.kind()) => continue,
                // Out of file descriptors, temporarily.
                Err(_) => {
                    thread::sleep(STREAM_POLL_INTERVAL);
                    continue;
                }
            };
            if self.shared.ended.load(Ordering::Relaxed) {
                break;
            }
            if !lan::is_local_peer(peer) {
                continue;
            }
            self.shared.begin_connection(number, &Arc::new(stream), peer);
        }
    }

    /// Stops the server: a last connection wakes the accept loop.
    pub fn stop(&self) {
        self.shared.ended.store(true, Ordering::Relaxed);
        if let Ok(address) = self.listener.local_addr() {
            let _ =
                TcpStream::connect_timeout(&SocketAddr::from((Ipv4Addr::LOCALHOST, address.port())), REQUEST_TIMEOUT);
        }
    }
}

fn is_transient(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::Interrupted | ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset)
}

impl ServerShared {
    /// Gives a connection a place and a thread, or says that there is none.
    fn begin_connection(self: &Arc<ServerShared>, number: usize, stream: &Arc<TcpStream>, peer: IpAddr) {
        // Closed connections end soon; what a device has to wait for must not keep this machine waiting.
        let take_place = || stream.try_clone().is_ok_and(|clone| self.places.take(number, peer, clone));
        if !(take_place() || peer.is_loopback() && retry(take_place)) {
            return refuse(stream);
        }
        let begin_thread = || {
            let (shared, own) = (Arc::clone(self), Arc::clone(stream));
            let work = move || {
                shared.handle_connection(number, &own, peer);
                shared.places.leave(number);
            };
            thread::Builder::new().name("request".to_string()).spawn(work).is_ok()
        };
        if !retry(begin_thread) {
            self.places.leave(number);
            refuse(stream);
        }
    }

    /// Reads the request of a connection, and answers it.
    fn handle_connection(&self, number: usize, stream: &TcpStream, peer: IpAddr) {
        let _ = stream.set_nodelay(true);
        let mut reader = DeadlineStream::new(stream, REQUEST_TIMEOUT);
        let mut request = HttpRequest::read(&mut reader, |request| self.router.admit(request, peer));
        let is_known = |request: &HttpRequest| self.router.guard.check_token(request, peer).is_ok();
        let is_answered = request.as_ref().is_ok_and(is_known);
        self.places.advance(number, if is_answered { Stage::Answering } else { Stage::AnsweringAnybody });
        let answer = match &mut request {
            Ok(request) => {
                let large = &self.large[usize::from(!peer.is_loopback())];
                let _turn = (request.body.len() > LARGE_BODY).then(|| large.lock());
                let answer = self.router.answer(request, peer);
                // It is not held as long as the answer is taken.
                request.body = Vec::new();
                answer
            }
            Err(refusal) => Answer::Now(HttpResponse::error(*refusal)),
        };
        let _ = stream.set_write_timeout(Some(REQUEST_TIMEOUT));
        // A failure to send the response cannot be reported anywhere.
        let _ = match answer {
            Answer::Now(response) => response.write(&mut DeadlineStream::new(stream, ANSWER_TIMEOUT)),
            Answer::File(file) => http::write_json(&mut DeadlineStream::new(stream, FILE_TIMEOUT), |to| file.write(to)),
            Answer::Stream(client, after) => {
                self.places.advance(number, Stage::Streaming);
                // A device that is sent away hears nothing more.
                let is_known = || request.as_ref().is_ok_and(|request| self.router.admit(request, peer).is_ok());
                self.stream_events(&client, after, stream, is_known)
            }
        };
        let _ = stream.shutdown(Shutdown::Write);
        if request.is_err() {
            drain_input(stream);
        }
    }

    /// Sends events until the page disconnects or another stream replaces this one.
    fn stream_events(
        &self,
        client: &Client,
        mut after: u64,
        stream: &TcpStream,
        is_known: impl Fn() -> bool,
    ) -> io::Result<()> {
        let number = client.begin_stream();
        let sent = (|| {
            let mut to = stream;
            to.write_all(head(200, "text/event-stream", None, None).as_bytes())?;
            // Two events at once: some scanners hold back the first until there is a second.
            to.write_all(b"data: {}\n\ndata: {}\n\n")?;
            let mut beat = Instant::now();
            let goes_on = || client.is_current_stream(number) && !self.ended.load(Ordering::Relaxed) && is_known();
            while goes_on() && is_open(stream) {
                if let Some((next, events)) = client.events.since(after, STREAM_POLL_INTERVAL) {
                    after = next;
                    to.write_all(format!("data: {events}\n\n").as_bytes())?;
                    beat = Instant::now();
                    thread::sleep(EVENT_INTERVAL);
                } else if beat.elapsed() > HEARTBEAT {
                    to.write_all(b"data: {}\n\n")?;
                    beat = Instant::now();
                }
            }
            Ok(())
        })();
        client.end_stream(number);
        sent
    }
}

const TOO_BUSY: HttpError = HttpError { status: 503, reason: "too many connections: try again in a moment" };

/// Tries something for a moment; returns whether it worked.
fn retry(attempt: impl Fn() -> bool) -> bool {
    let until = Instant::now() + RETRY_PATIENCE;
    loop {
        if attempt() {
            return true;
        }
        if Instant::now() > until {
            return false;
        }
        thread::sleep(RETRY_DELAY);
    }
}

/// Says that there is no room, without waiting for anything.
fn refuse(stream: &TcpStream) {
    let _ = stream.set_write_timeout(Some(STREAM_POLL_INTERVAL));
    let _ = HttpResponse::error(TOO_BUSY).write(&mut &*stream);
    let _ = stream.shutdown(Shutdown::Write);
}

/// Whether the other end is still connected: it sends nothing and has not closed.
fn is_open(stream: &TcpStream) -> bool {
    let mut byte = [0];
    let _ = stream.set_nonblocking(true);
    let peeked = stream.peek(&mut byte);
    let _ = stream.set_nonblocking(false);
    matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Reads for a moment what a refused client still sends; otherwise it would not receive the response.
fn drain_input(stream: &TcpStream) {
    let _ = stream.set_read_timeout(Some(STREAM_POLL_INTERVAL));
    let (mut from, mut step, until) = (stream, [0; 4096], Instant::now() + 4 * STREAM_POLL_INTERVAL);
    while Instant::now() < until && matches!(from.read(&mut step), Ok(count) if count > 0) {}
}

/// A connection that is read or written until a deadline, even if bytes keep trickling.
struct DeadlineStream<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl DeadlineStream<'_> {
    fn new(stream: &TcpStream, timeout: Duration) -> DeadlineStream<'_> {
        DeadlineStream { stream, until: Instant::now() + timeout }
    }

    fn time_left(&self) -> io::Result<Duration> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(ErrorKind::TimedOut.into()) } else { Ok(left.min(REQUEST_TIMEOUT)) }
    }
}

impl Read for DeadlineStream<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(Some(self.time_left()?))?;
        (&mut &*self.stream).read(bytes)
    }
}

impl Write for DeadlineStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(Some(self.time_left()?))?;
        (&mut &*self.stream).write(&bytes[..bytes.len().min(WRITE_SIZE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
