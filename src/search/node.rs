//! The kinds of nodes.

/// Kinds of nodes, as types: the compiler makes a search for each.
pub trait Node {
    /// On the principal variation: the window is open.
    const PV: bool;
}

/// On the principal variation.
pub struct Pv;
/// Off it: a null window.
pub struct Cut;

impl Node for Pv {
    const PV: bool = true;
}
impl Node for Cut {
    const PV: bool = false;
}
