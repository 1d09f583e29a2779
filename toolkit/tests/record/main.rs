//! Games as people keep them, through their public seams: trees, notations, and every format read and written.

mod bridge;
mod dialects;
mod game;
mod hostile;
mod linear;
mod notation;
mod pasted;
mod pgn;
mod rubbish;
mod support;
mod ubb;
mod wxf;
mod xqf;
