//! The board server: accepts connections of this machine and, if the board is shared, of the local network, one thread and
//! one request each. `connection_limits` says which connection is closed in favour of a new one; every wait has a timeout, and so has
//! a whole answer.
//!
//! [`Auth`] lets in only the board page of the user who knows the token, and no other page in the browser, and the devices that
//! were paired with a shared board (`lan`). A browser lets any page send requests to this machine, but such a page can neither
//! forge its host or origin nor know the token, which is in the fragment of the address and so in no request and no log.
//! [`Router`] serves the files of the page, and passes its posts to the sessions.

mod connection_limits;
pub mod http;
pub mod lan;
pub mod qr_code;
pub mod redirect_file;

use crate::BoardPage;
use crate::requests::Reply;
use crate::sessions::{ApiError, Sessions};
use chuhe_app::access::Access;
use chuhe_app::client::Client;
use chuhe_app::files::FileDownload;
use chuhe_support::lock::Lock;
use connection_limits::{Places, Stage};
use http::{HttpError, HttpMethod, HttpRequest, HttpResponse, head};
use lan::{Lan, constant_time_eq, random_token};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
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
    places: Places,
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
        let take_place = || {
            let close = |clone: TcpStream| move || drop(clone.shutdown(Shutdown::Both));
            stream.try_clone().is_ok_and(|clone| self.places.take(number, peer, close(clone)))
        };
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

/// The secrets that a request is checked against.
pub struct Auth {
    port: u16,
    token: String,
    /// Exchanged for the token, once. Arguments of a process are visible to all users of the machine, so the browser is
    /// started with this key instead of the token.
    one_time_key: Mutex<Option<String>>,
    /// The local network, if the board is shared there.
    lan: Option<Lan>,
}

/// The port that addresses need not name.
const HTTP_PORT: u16 = 80;

const WRONG_HOST: HttpError = HttpError { status: 403, reason: "another host is meant" };
const WRONG_ORIGIN: HttpError = HttpError { status: 403, reason: "another page asks" };
const SERVICE_WORKER: HttpError = HttpError { status: 403, reason: "there is no service worker here" };
const WRONG_TOKEN: HttpError =
    HttpError { status: 403, reason: "the token is missing: open the address that the program has printed" };
const WRONG_CONTENT_TYPE: HttpError = HttpError { status: 415, reason: "only application/json" };

impl Auth {
    /// Creates a random token.
    pub fn new(port: u16) -> Auth {
        let invitation = Mutex::new(Some(format!("once-{}", random_token())));
        Auth { port, token: random_token(), one_time_key: invitation, lan: None }
    }

    /// The same for a board that is shared on the local network.
    pub fn with_lan(self, lan: Lan) -> Auth {
        Auth { lan: Some(lan), ..self }
    }

    /// The local network, if the board is shared there.
    pub fn lan(&self) -> Option<&Lan> {
        self.lan.as_ref()
    }

    /// The address of the page, with the token.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/#{}", self.port, self.token)
    }

    /// The same for one visit.
    pub fn one_time_address(&self) -> String {
        let invitation = self.one_time_key.locked();
        format!("http://127.0.0.1:{}/#{}", self.port, invitation.as_deref().unwrap_or_default())
    }

    /// Returns a token in exchange for a one-time key: the token of this machine, or that of a device that is paired.
    /// Works once.
    pub fn redeem_one_time_key(&self, request: &HttpRequest, peer: IpAddr) -> Result<String, HttpError> {
        let brought = request.header(HttpRequest::TOKEN).unwrap_or_default();
        if !peer.is_loopback() {
            return self.lan.as_ref().ok_or(WRONG_TOKEN)?.pair(brought, peer);
        }
        let mut invitation = self.one_time_key.locked();
        match invitation.take_if(|invitation| constant_time_eq(invitation, brought)) {
            Some(_) => Ok(self.token.clone()),
            None => Err(WRONG_TOKEN),
        }
    }

    /// Whether the one-time key has been exchanged.
    pub fn is_redeemed(&self) -> bool {
        self.one_time_key.locked().is_none()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    pub fn token(&self) -> &str {
        &self.token
    }

    /// The hosts that a request from this address may name.
    fn host_names(&self, peer: IpAddr) -> Vec<String> {
        let names: Vec<String> = if peer.is_loopback() {
            ["127.0.0.1", "localhost"].map(String::from).to_vec()
        } else {
            self.lan.iter().flat_map(Lan::addresses).map(ToString::to_string).collect()
        };
        let with_port: Vec<String> = names.iter().map(|name| format!("{name}:{}", self.port)).collect();
        // A browser leaves out the usual port.
        if self.port == HTTP_PORT { [names, with_port].concat() } else { with_port }
    }

    /// Checks that a request comes from the board page.
    pub fn check_origin(&self, request: &HttpRequest, peer: IpAddr) -> Result<(), HttpError> {
        let names = self.host_names(peer);
        let host = request.header("host").filter(|host| names.iter().any(|name| name == host)).ok_or(WRONG_HOST)?;
        let is_own = |origin: &str| origin.strip_prefix("http://") == Some(host);
        let is_near = |site: &str| ["same-origin", "none"].contains(&site);
        let is_worker = request.header("sec-fetch-dest") == Some("serviceworker");
        if is_worker || request.header("service-worker").is_some() {
            return Err(SERVICE_WORKER);
        }
        // Anything may lead to the page, which holds no secret: a link, and the file that the browser is started with.
        let leads_to_page = request.method == HttpMethod::Get
            && request.path == "/"
            && request.header("sec-fetch-mode") == Some("navigate")
            && request.header("sec-fetch-dest") == Some("document");
        let is_near = leads_to_page || request.header("sec-fetch-site").is_none_or(is_near);
        if !request.header("origin").is_none_or(is_own) || !is_near {
            return Err(WRONG_ORIGIN);
        }
        if request.method == HttpMethod::Get {
            return Ok(());
        }
        let kind = request.header("content-type").unwrap_or_default();
        let is_json = kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json");
        if is_json { Ok(()) } else { Err(WRONG_CONTENT_TYPE) }
    }

    /// What the token of a request opens. The token of this machine is good for nobody else.
    pub fn check_token(&self, request: &HttpRequest, peer: IpAddr) -> Result<Access, HttpError> {
        let brought = request.header(HttpRequest::TOKEN).unwrap_or_default();
        let access = if peer.is_loopback() {
            constant_time_eq(brought, &self.token).then_some(Access::Owner)
        } else {
            self.lan.as_ref().and_then(|lan| lan.access_of(brought, peer))
        };
        access.ok_or(WRONG_TOKEN)
    }
}

const NOT_FOUND: HttpError = HttpError { status: 404, reason: "there is nothing of this name" };

/// The maximum size of a body without a token.
const MAX_STRANGER_BODY_SIZE: usize = 1024;

/// The answer to a request.
pub enum Answer {
    Now(HttpResponse),
    /// A file, which is written while it is sent.
    File(FileDownload),
    /// The events of a page, as a stream.
    Stream(Arc<Client>, u64),
}

pub struct Router {
    pub guard: Auth,
    pub sessions: Sessions,
}

/// How the next device is paired.
#[derive(Serialize)]
struct Invitation {
    address: String,
    /// The address as a picture.
    qr: String,
    /// The addresses of the paired devices, and of those that have to wait because of wrong codes.
    devices: Vec<IpAddr>,
    slowed: Vec<IpAddr>,
}

/// Asks for an invitation: of a device, of the other player of a game, or of who watches it.
#[derive(Deserialize, Default)]
struct InvitationRequest {
    access: Option<Access>,
}

/// Sends a paired device away.
#[derive(Deserialize)]
struct DismissRequest {
    device: IpAddr,
}

impl Router {
    /// Answers any request.
    pub fn answer(&self, request: &HttpRequest, peer: IpAddr) -> Answer {
        self.route(request, peer).unwrap_or_else(|refusal| Answer::Now(HttpResponse::error(refusal)))
    }

    /// Whether a request is answered, by its head alone, and how long its body may be.
    pub fn admit(&self, request: &HttpRequest, peer: IpAddr) -> Result<usize, HttpError> {
        self.guard.check_origin(request, peer)?;
        let needs_token = request.method == HttpMethod::Post && request.path != "/token";
        if needs_token {
            self.guard.check_token(request, peer).map(Access::max_body_size)
        } else {
            Ok(MAX_STRANGER_BODY_SIZE)
        }
    }

    fn route(&self, request: &HttpRequest, peer: IpAddr) -> Result<Answer, HttpError> {
        self.admit(request, peer)?;
        if request.method == HttpMethod::Get {
            return Ok(Answer::Now(self.file(request, peer)?));
        }
        if request.path == "/token" {
            let token = self.guard.redeem_one_time_key(request, peer)?;
            return Ok(Answer::Now(json(&BTreeMap::from([("token", token)]))));
        }
        if request.path == "/dismiss" {
            let device: DismissRequest = serde_json::from_slice(&request.body).map_err(|_| HttpError::BAD_REQUEST)?;
            self.guard.lan().filter(|_| peer.is_loopback()).ok_or(NOT_FOUND)?.dismiss(device.device);
        }
        if ["/invitation", "/dismiss"].contains(&request.path.as_str()) {
            let wanted: InvitationRequest = serde_json::from_slice(&request.body).unwrap_or_default();
            let access = wanted.access.unwrap_or(Access::Device);
            return Ok(Answer::Now(json(&self.invitation(peer, access).ok_or(NOT_FOUND)?)));
        }
        let access = self.guard.check_token(request, peer)?;
        match self.sessions.answer(access, &request.path, &request.body) {
            Ok(Reply::Json(json)) => Ok(Answer::Now(HttpResponse::json(json))),
            Ok(Reply::File(file)) => Ok(Answer::File(file)),
            Ok(Reply::Stream(client, seen)) => Ok(Answer::Stream(client, seen)),
            Err(ApiError::NotFound) => Err(NOT_FOUND),
            Err(ApiError::BadRequest) => Err(HttpError::BAD_REQUEST),
        }
    }

    /// The invitation of a device, for the page on this machine.
    fn invitation(&self, peer: IpAddr, access: Access) -> Option<Invitation> {
        let lan = self.guard.lan().filter(|_| peer.is_loopback())?;
        let address = lan.invitation(self.guard.port(), access)?;
        let (devices, slowed) = (lan.paired_devices(), lan.slowed_addresses());
        Some(Invitation { qr: qr_code::svg(&address)?, address, devices, slowed })
    }

    /// The page; on this machine it says that the board is shared.
    fn html(&self, request: &HttpRequest, peer: IpAddr) -> String {
        let named = request.query.split('&').find_map(|field| field.strip_prefix("language=")?.parse().ok());
        let html = self.sessions.html(named, request.header("accept-language"));
        let is_shared = peer.is_loopback() && self.guard.lan().is_some();
        if is_shared { html.replacen("<html ", "<html data-lan ", 1) } else { html }
    }

    /// A file of the page. None of them holds a secret.
    fn file(&self, request: &HttpRequest, peer: IpAddr) -> Result<HttpResponse, HttpError> {
        let (page, path) = (self.sessions.page(), request.path.as_str());
        let module = |path: &str| Some(page.module(path.strip_prefix('/')?)?.to_string());
        let (kind, text) = match path {
            "/" => ("text/html; charset=utf-8", self.html(request, peer)),
            "/board.css" => ("text/css; charset=utf-8", page.style.clone()),
            path => ("text/javascript; charset=utf-8", module(path).ok_or(NOT_FOUND)?),
        };
        let policy = (path == "/").then_some(BoardPage::POLICY);
        // Before the first page has shown its token, nothing that the browser has stored is ours.
        let clears_site = path == "/" && !self.sessions.was_opened();
        Ok(HttpResponse { policy, clears_site, ..HttpResponse::new(200, kind, text) })
    }
}

fn json(value: &impl Serialize) -> HttpResponse {
    HttpResponse::json(serde_json::to_string(value).unwrap_or_default())
}
