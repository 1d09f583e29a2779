//! The line of a mate that has been proven: the shortest way that is known, against the longest resistance.

use super::solver::{Child, Exhausted, Solver, Standing, is_defence, summary};
use super::store::Method;
use crate::types::Move;

/// A node of the line with all its moves.
struct Station {
    plies: u8,
    children: Vec<Child>,
    chosen: usize,
}

/// A line is walked again so often at most, if it turns out to be shorter than was thought.
const WALKS: usize = 100;

impl Solver<'_, '_> {
    /// The line of a mate within so many plies, which is proven; with its length, which may be less. If `is_shortest`,
    /// no shorter mate exists, and the line is as long as that: no reply in it lets itself be mated earlier.
    ///
    /// If the search is stopped meanwhile, the line ends early.
    pub fn line(&mut self, plies: u8, is_shortest: bool) -> (Vec<Move>, u8) {
        let (mut line, mut length) = (Vec::new(), plies);
        for _ in 0..WALKS {
            let mut stations = Vec::new();
            let walked = self.walk(length, is_shortest, &mut stations);
            line = stations.iter().map(|station| station.children[station.chosen].mv).collect();
            let known = self.walk_back(stations);
            if walked.is_err() {
                break;
            }
            length = known.unwrap_or(length);
            if line.len() == usize::from(length) {
                break;
            }
        }
        (line, length)
    }

    /// Goes to the mate, leaving the position there.
    fn walk(&mut self, plies: u8, exactly: bool, stations: &mut Vec<Station>) -> Result<(), Exhausted> {
        let mut plies = plies;
        while self.worker.position.has_legal_move() {
            let ply = stations.len();
            let mut children = self.solve(ply, plies)?;
            let chosen = if is_defence(ply) {
                self.longest_reply(&mut children, ply, plies, exactly)?
            } else {
                let proven = |child: &&Child| child.standing.pn == 0;
                let shortest = children.iter().filter(proven).map(|child| child.standing.plies).min();
                children
                    .iter()
                    .position(|child| child.standing.pn == 0 && Some(child.standing.plies) == shortest)
            };
            let Some(chosen) = chosen else { return Err(Exhausted) };
            let child = children[chosen];
            stations.push(Station { plies, children, chosen });
            self.worker.position.make(child.mv);
            plies = if exactly { plies - 1 } else { child.standing.plies };
        }
        Ok(())
    }

    /// Goes back to the root; on the way the lengths along the line become what they turned out to be. Answers
    /// that of the root, if the line went to its end.
    fn walk_back(&mut self, mut stations: Vec<Station>) -> Option<u8> {
        let at_end = !self.worker.position.has_legal_move();
        let mut below = at_end.then_some(0);
        while let Some(mut station) = stations.pop() {
            self.worker.position.unmake();
            let Some(plies) = below else { continue };
            station.children[station.chosen].standing = Standing::proven(plies);
            let standing = summary(stations.len(), &station.children);
            below = (standing.pn == 0).then_some(standing.plies);
            if let Some(plies) = below
                && !stations.is_empty()
            {
                self.store.prove(self.key(station.plies), plies, 1);
            }
        }
        below
    }

    /// The moves of a position that is proven, and how each stands then.
    fn solve(&mut self, ply: usize, plies: u8) -> Result<Vec<Child>, Exhausted> {
        if ply == 0 {
            return self.root(plies).map(|(_, children)| children);
        }
        self.standings(ply, plies)
    }

    /// The reply that puts the mate off longest: as far as is known, or else `exactly`.
    fn longest_reply(
        &mut self,
        children: &mut [Child],
        ply: usize,
        plies: u8,
        exactly: bool,
    ) -> Result<Option<usize>, Exhausted> {
        let longest = children.iter().map(|child| child.standing.plies).max();
        let found = children.iter().position(|child| Some(child.standing.plies) == longest);
        if !exactly || plies < 4 {
            return Ok(found);
        }
        let method = std::mem::replace(&mut self.method, Method::All);
        let mut chosen = Ok(found);
        for (index, child) in children.iter_mut().enumerate() {
            self.worker.position.make(child.mv);
            let sooner = self.answer(ply + 1, plies - 3);
            self.worker.position.unmake();
            match sooner {
                Ok(Standing { pn: 0, plies, .. }) => child.standing = Standing::proven(plies),
                Ok(_) => {
                    chosen = Ok(Some(index));
                    break;
                }
                Err(Exhausted) => {
                    chosen = Err(Exhausted);
                    break;
                }
            }
        }
        self.method = method;
        chosen
    }
}
