//! What the engine does for a game: one task at a time, its move, a hint or the answer to a draw offer. A task is started
//! and ends here alone, and whatever ends it, the next step is the same: [`GameSession::go_on`]. It runs on a thread of its own if
//! there are threads: jobs run one after the other, and a search can be ended early.

use super::game_session::{EngineState, EngineTask, GameSession, GameState, Hint, note_help};
use super::searches::{JobOutcome, JobPriority, JobRunner, JobWorker};
use chuhe_engine::search::{HashSizeError, Poll, SearchResult};
use chuhe_study::game::opponent::{EngineOpponent, EngineReply};
use chuhe_study::game::{GameEnd, LiveGame};
use chuhe_study::player::DrawOrResign;
use chuhe_support::language::{Message, NoThread, message};
use chuhe_support::lock::Lock;
use chuhe_support::messages::Localize;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

/// The maximum number of moves shown of a hint.
const MAX_HINT_MOVES: usize = 5;

enum EngineAnswer {
    Move(EngineReply),
    Hint(SearchResult),
    DrawOffer { accepted: bool },
}

impl EngineTask {
    fn run(self, opponent: &mut EngineOpponent, game: &LiveGame) -> io::Result<EngineAnswer> {
        Ok(match self {
            EngineTask::Move => EngineAnswer::Move(opponent.play(game)?),
            EngineTask::Hint => EngineAnswer::Hint(opponent.hint(game)?),
            EngineTask::DrawOffer => EngineAnswer::DrawOffer { accepted: opponent.accepts_draw(game)? },
        })
    }
}

impl GameSession {
    /// The engine plays its best move so far, or tries again after a failure.
    pub fn move_now(self: &Arc<GameSession>) {
        let mut state = self.state.locked();
        if state.engine == EngineState::Failed {
            state.engine = EngineState::Idle;
            self.go_on(&mut state);
        } else {
            self.opponent.move_now();
        }
    }

    /// Starts a task that the user asks for, or says why not.
    pub(super) fn ask_engine(self: &Arc<GameSession>, task: EngineTask) -> Result<(), Message> {
        let mut state = self.state.locked();
        state.check_running()?;
        match state.engine {
            EngineState::Busy(current) if current == task => return Ok(()),
            EngineState::Busy(_) => {
                return Err(message!("Chuhe is thinking: ask again when it has finished."));
            }
            EngineState::Idle | EngineState::Failed => {}
        }
        if task == EngineTask::Hint {
            note_help(&mut state.game);
            // The program may end before the next move.
            self.save(&mut state);
        }
        self.start_task(&mut state, task);
        self.publish(&state);
        Ok(())
    }

    /// Starts a task on the current game. It may be interrupted, and is done again then.
    pub(super) fn start_task(self: &Arc<GameSession>, state: &mut GameState, task: EngineTask) {
        state.engine = EngineState::Busy(task);
        let (session, game, turn) = (Arc::clone(self), state.game.clone(), state.turn);
        self.opponent.submit(move |opponent| {
            if session.state.locked().turn != turn {
                return JobOutcome::Done;
            }
            let answer = match opponent {
                Ok(opponent) => task.run(opponent, &game),
                Err(error) => Err(io::Error::other(error.localized())),
            };
            match answer {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => return JobOutcome::Interrupted,
                answer => session.finish_task(turn, answer),
            }
            JobOutcome::Done
        });
    }

    /// A task has ended. If it was dropped, whoever dropped it has gone on.
    fn finish_task(self: &Arc<GameSession>, turn: u64, answer: io::Result<EngineAnswer>) {
        let mut state = self.state.locked();
        if state.turn != turn {
            return;
        }
        let task = std::mem::take(&mut state.engine);
        match answer {
            Ok(EngineAnswer::Move(reply)) => return self.apply_reply(state, &reply),
            Ok(EngineAnswer::Hint(outcome)) => {
                for member in state.members.iter().filter(|_| outcome.best_move.is_some()) {
                    let hint = || Hint::of(turn, state.game.position(), &outcome, MAX_HINT_MOVES);
                    member.events.publish("hint", hint);
                }
            }
            Ok(EngineAnswer::DrawOffer { accepted: true }) => {
                state.game.finish(GameEnd::Agreed);
                return self.after_change(state);
            }
            Ok(EngineAnswer::DrawOffer { accepted: false }) => {
                state.message = Some(message!("Chuhe does not agree to a draw yet."));
            }
            Err(error) => {
                state.message = Some(Message::from_error(error));
                if task == EngineState::Busy(EngineTask::Move) {
                    state.engine = EngineState::Failed;
                }
            }
        }
        self.go_on(&mut state);
    }

    /// Applies the engine's reply.
    fn apply_reply(self: &Arc<GameSession>, mut state: MutexGuard<'_, GameState>, reply: &EngineReply) {
        match (reply.draw_or_resign, reply.best) {
            (DrawOrResign::Resign, _) => {
                let side = state.game.side();
                state.game.finish(GameEnd::Resigned(side));
            }
            (gesture, Some(best)) => {
                state.play(best);
                state.draw_offered = gesture == DrawOrResign::Draw && state.game.end().is_none();
                if state.draw_offered {
                    state.message = Some(message!("Chuhe offers a draw; a move declines it."));
                }
            }
            (_, None) => {
                state.message = Some(message!("the search has failed"));
                state.engine = EngineState::Failed;
                return self.publish(&state);
            }
        }
        self.after_change(state);
    }
}

/// The engine as opponent, or why it could not be created.
type Opponent = Result<EngineOpponent, HashSizeError>;

pub struct OpponentWorker {
    worker: JobWorker,
    /// It comes with the first job: its hash table is allocated then.
    opponent: Arc<Mutex<Option<Opponent>>>,
    /// A flag of each job that is not done ends it early, so that one is ended that has not begun yet, and none that comes later.
    flags: Arc<Mutex<Vec<Arc<AtomicBool>>>>,
    /// What a search asks whether a request has come, where there are no threads.
    poll: Option<Arc<dyn Poll>>,
}

impl OpponentWorker {
    pub fn start(runner: &JobRunner) -> Result<OpponentWorker, NoThread> {
        let (opponent, flags) = Default::default();
        let poll = runner.queue().map(|queue| Arc::clone(queue.poll()));
        Ok(OpponentWorker { worker: runner.worker("opponent", JobPriority::Opponent)?, opponent, flags, poll })
    }

    /// Submits a job, which receives the opponent and reports its result itself. On a thread it is never interrupted.
    pub fn submit(
        &self,
        mut work: impl FnMut(Result<&mut EngineOpponent, &HashSizeError>) -> JobOutcome + Send + 'static,
    ) {
        let move_now = Arc::<AtomicBool>::default();
        self.flags.locked().push(Arc::clone(&move_now));
        let (opponent, flags, poll) = (Arc::clone(&self.opponent), Arc::clone(&self.flags), self.poll.clone());
        let mut again = false;
        self.worker.submit(move |_| {
            let mut place = opponent.locked();
            let opponent = place.get_or_insert_with(|| {
                let opponent = EngineOpponent::new(Arc::clone(&move_now))?;
                Ok(match &poll {
                    Some(poll) => opponent.searching_inline(Arc::clone(poll)),
                    None => opponent,
                })
            });
            let goes_on = std::mem::replace(&mut again, true);
            if let Ok(opponent) = opponent {
                opponent.set_interrupt_flag(Arc::clone(&move_now));
                if !goes_on {
                    opponent.forget_interrupted();
                }
            }
            let outcome = work(opponent.as_mut().map_err(|error| &*error));
            if outcome == JobOutcome::Done {
                flags.locked().retain(|flag| !Arc::ptr_eq(flag, &move_now));
            }
            place.take_if(|opponent| opponent.is_err());
            outcome
        });
    }

    /// Ends the running search with the best move so far, and at once those that were submitted and have not begun.
    pub fn move_now(&self) {
        self.flags.locked().iter().for_each(|flag| flag.store(true, Ordering::Relaxed));
    }

    /// Whether a job is running or waiting.
    pub fn is_busy(&self) -> bool {
        !self.flags.locked().is_empty()
    }
}

impl Drop for OpponentWorker {
    fn drop(&mut self) {
        self.move_now();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{AppContext, Events};
    use crate::save_store::SaveStore;
    use crate::searches::JobRunner;
    use crate::searches::tests::undisturbed_queue;
    use chuhe_study::game::Seat;
    use xiangqi::Position;

    #[test]
    fn failed_move_is_told_and_tried_again_when_asked() {
        let jobs = undisturbed_queue();
        let mut game = LiveGame::new(Position::start(), Vec::new());
        game.seat = Seat::Black;
        let runner = JobRunner::Queue(Arc::clone(&jobs));
        let context = AppContext { runner, ..AppContext::new("test", SaveStore::disabled()) };
        let session = GameSession::new(1, game, None, Arc::new(Events::new(None)), &context);
        let session = Arc::new(session.expect("a session"));
        session.resume();
        let turn = session.state.locked().turn;
        session.finish_task(turn, Err(io::Error::other("no threads left")));
        session.wake();
        assert_eq!(session.state.locked().engine, EngineState::Failed);
        assert_eq!(session.state.locked().message.as_ref().map(Message::english).as_deref(), Some("no threads left"));
        session.move_now();
        assert_eq!(session.state.locked().engine, EngineState::Busy(EngineTask::Move));
        while jobs.run_next() {}
        assert_eq!(session.game().moves().len(), 1);
    }
}
