//! The subset of HTTP that the board page needs: a request of bounded size, read whole, and a response that closes the
//! connection.

use chuhe_app::access::MAX_BODY_SIZE;
use httparse::{EMPTY_HEADER, Status};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};

/// The maximum size of a request without its body.
pub const MAX_HEAD_SIZE: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;
/// Bytes read at a time.
const READ_SIZE: usize = 16 * 1024;

/// The headers that are used; none of them may be there twice.
const HEADERS: [&str; 9] = [
    "host",
    "origin",
    "sec-fetch-site",
    "sec-fetch-mode",
    "sec-fetch-dest",
    "service-worker",
    "content-type",
    "accept-language",
    HttpRequest::TOKEN,
];

/// The method of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HttpMethod {
    Get,
    Post,
}

/// A request, with the headers that are used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpRequest {
    pub method: HttpMethod,
    pub path: String,
    /// What follows the path after a question mark.
    pub query: String,
    /// Those of `HEADERS` that it has.
    pub headers: BTreeMap<&'static str, String>,
    pub body: Vec<u8>,
}

/// Why a request is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HttpError {
    pub status: u16,
    pub reason: &'static str,
}

impl HttpError {
    pub const BAD_REQUEST: HttpError = HttpError { status: 400, reason: "not a request" };
    const INCOMPLETE: HttpError = HttpError { status: 400, reason: "the request ends too early" };
    const TIMEOUT: HttpError = HttpError { status: 408, reason: "the request takes too long" };
    const METHOD_NOT_ALLOWED: HttpError = HttpError { status: 405, reason: "only GET and POST" };
    const BODY_TOO_LARGE: HttpError = HttpError { status: 413, reason: "the body is too large" };
    const HEADERS_TOO_LARGE: HttpError = HttpError { status: 431, reason: "the headers are too large" };
    const TRANSFER_ENCODING: HttpError = HttpError { status: 501, reason: "no transfer encoding is understood" };
    const DUPLICATE_HEADER: HttpError = HttpError { status: 400, reason: "a header is there twice" };
    const PIPELINED: HttpError = HttpError { status: 400, reason: "one request for each connection" };
}

impl HttpRequest {
    /// The header that carries the token.
    pub const TOKEN: &'static str = "x-chuhe-token";

    /// A header by its name in small letters.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// Reads a head. Returns also what of the body was read with it, and the body's length.
    fn read_head(from: &mut impl Read) -> Result<(HttpRequest, Vec<u8>, usize), HttpError> {
        let mut bytes = Vec::new();
        loop {
            if let Some((request, length, head)) = parse(&bytes)? {
                return Ok((request, bytes.split_off(head), length));
            }
            if bytes.len() >= MAX_HEAD_SIZE {
                return Err(HttpError::HEADERS_TOO_LARGE);
            }
            read_more(from, &mut bytes)?;
        }
    }

    /// Reads one request, and nothing after it. `admit` sees it without its body, and says how long that may be.
    pub fn read(
        from: &mut impl Read,
        admit: impl FnOnce(&HttpRequest) -> Result<usize, HttpError>,
    ) -> Result<HttpRequest, HttpError> {
        let (mut request, mut body, length) = HttpRequest::read_head(from)?;
        if length > admit(&request)? {
            return Err(HttpError::BODY_TOO_LARGE);
        }
        while body.len() < length {
            read_more(from, &mut body)?;
        }
        if body.len() > length {
            return Err(HttpError::PIPELINED);
        }
        request.body = body;
        Ok(request)
    }
}

/// Appends the next bytes.
fn read_more(from: &mut impl Read, bytes: &mut Vec<u8>) -> Result<(), HttpError> {
    let mut step = [0; READ_SIZE];
    loop {
        match from.read(&mut step) {
            Ok(0) => return Err(HttpError::INCOMPLETE),
            Ok(count) => {
                bytes.extend(step.iter().take(count));
                return Ok(());
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                return Err(HttpError::TIMEOUT);
            }
            Err(_) => return Err(HttpError::INCOMPLETE),
        }
    }
}

/// The request without its body, the body's length and where it begins; `None` while the head is incomplete.
fn parse(bytes: &[u8]) -> Result<Option<(HttpRequest, usize, usize)>, HttpError> {
    let mut headers = [EMPTY_HEADER; MAX_HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    let head = match parsed.parse(bytes) {
        Ok(Status::Complete(head)) if head <= MAX_HEAD_SIZE => head,
        Ok(Status::Complete(_)) | Err(httparse::Error::TooManyHeaders) => {
            return Err(HttpError::HEADERS_TOO_LARGE);
        }
        Ok(Status::Partial) => return Ok(None),
        Err(_) => return Err(HttpError::BAD_REQUEST),
    };
    let method = match parsed.method {
        Some("GET") => HttpMethod::Get,
        Some("POST") => HttpMethod::Post,
        _ => return Err(HttpError::METHOD_NOT_ALLOWED),
    };
    let values = |name: &str| {
        let named = parsed.headers.iter().filter(|header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value).collect::<Vec<_>>()
    };
    if !values("transfer-encoding").is_empty() {
        return Err(HttpError::TRANSFER_ENCODING);
    }
    let value = |name: &str| match values(name)[..] {
        [] => Ok(None),
        [value] => String::from_utf8(value.to_vec()).map(Some).map_err(|_| HttpError::BAD_REQUEST),
        _ => Err(HttpError::DUPLICATE_HEADER),
    };
    let address = parsed.path.unwrap_or_default();
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let mut headers = BTreeMap::new();
    for name in HEADERS {
        headers.extend(value(name)?.map(|value| (name, value)));
    }
    let (path, query) = (path.to_string(), query.to_string());
    let request = HttpRequest { method, path, query, headers, body: Vec::new() };
    let length = match value("content-length")? {
        None => 0,
        Some(digits) => body_length(digits.trim())?,
    };
    Ok(Some((request, length, head)))
}

fn body_length(digits: &str) -> Result<usize, HttpError> {
    if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return Err(HttpError::BAD_REQUEST);
    }
    digits.parse().ok().filter(|&length| length <= MAX_BODY_SIZE).ok_or(HttpError::BODY_TOO_LARGE)
}

/// A response.
pub struct HttpResponse {
    pub status: u16,
    pub content_type: &'static str,
    /// The content security policy of a page.
    pub policy: Option<&'static str>,
    /// The browser is to forget what an earlier server at this port has left.
    pub clears_site: bool,
    pub body: Vec<u8>,
}

impl HttpResponse {
    pub fn new(status: u16, content_type: &'static str, body: String) -> HttpResponse {
        HttpResponse { status, content_type, policy: None, clears_site: false, body: body.into_bytes() }
    }

    pub fn json(body: String) -> HttpResponse {
        HttpResponse::new(200, "application/json", body)
    }

    pub fn error(refusal: HttpError) -> HttpResponse {
        HttpResponse::new(refusal.status, "text/plain; charset=utf-8", format!("{}\n", refusal.reason))
    }

    pub fn write(&self, to: &mut impl Write) -> io::Result<()> {
        let mut head = head(self.status, self.content_type, Some(self.body.len()), self.policy);
        if self.clears_site {
            head.insert_str(head.len() - "\r\n".len(), "Clear-Site-Data: \"cache\", \"cookies\", \"storage\"\r\n");
        }
        to.write_all(head.as_bytes())?;
        to.write_all(&self.body)?;
        to.flush()
    }
}

/// Sends JSON that is written meanwhile. It lasts until the connection closes: what is cut off is no JSON.
pub fn write_json<W: Write>(to: &mut W, write: impl FnOnce(&mut W) -> io::Result<()>) -> io::Result<()> {
    to.write_all(head(200, "application/json", None, None).as_bytes())?;
    write(to)?;
    to.flush()
}

/// The head of a response; without a length the body lasts until the connection closes.
pub fn head(status: u16, kind: &str, length: Option<usize>, policy: Option<&str>) -> String {
    let length = length.map(|length| format!("Content-Length: {length}\r\n")).unwrap_or_default();
    // A response that is not a page may load and run nothing.
    let policy = policy.unwrap_or("default-src 'none'; frame-ancestors 'none'");
    format!(
        "HTTP/1.1 {status} {}\r\nContent-Type: {kind}\r\n{length}Connection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: {policy}\r\n\r\n",
        reason_phrase(status)
    )
}

fn reason_phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        429 => "Too Many Requests",
        431 => "Request Header Fields Too Large",
        501 => "Not Implemented",
        _ => "Service Unavailable",
    }
}
