//! Giving up a question that z3 works on, when whoever asked does not want to wait any longer. Spec: [rule: solving.patience].
//!
//! What asks whether to stop may belong to the thread that waits: an interpreter looks for signals on its main thread
//! alone. So z3 works on another thread meanwhile.

use std::collections::HashMap;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};
use std::time::Duration;
use z3::{Config, Context, ContextHandle, with_z3_config};

/// Formulas as deep as programs are walked recursively.
const STACK: usize = 1 << 28;

/// How often it is asked.
const PERIOD: Duration = Duration::from_millis(20);

/// Says that nobody waits any longer.
type Stop = Arc<dyn Fn() -> bool + Send + Sync>;

/// The threads whose work may be given up. Who waits is told by the thread that does the work, whichever solvers it asks.
static WAITING: LazyLock<Mutex<HashMap<ThreadId, Patience>>> = LazyLock::new(Mutex::default);

fn waiting() -> MutexGuard<'static, HashMap<ThreadId, Patience>> {
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The patience that this thread's work is done with.
fn own() -> Option<Patience> {
    waiting().get(&thread::current().id()).cloned()
}

#[derive(Clone)]
struct Patience {
    stop: Stop,
    /// Whether it has said so.
    over: Arc<AtomicBool>,
}

/// Does some work. While z3 answers a question that this thread puts meanwhile, `stop` is asked every now and then; when
/// it says yes, that question and all later ones of this work stay open. What is open for that reason is not remembered.
pub fn with_patience<T>(stop: impl Fn() -> bool + Send + Sync + 'static, work: impl FnOnce() -> T) -> T {
    let own = Patience { stop: Arc::new(stop), over: Arc::default() };
    let restore = Restore(waiting().insert(thread::current().id(), own));
    let done = work();
    drop(restore);
    done
}

/// Puts back what was there before, after a panic as well.
struct Restore(Option<Patience>);

impl Drop for Restore {
    fn drop(&mut self) {
        let thread = thread::current().id();
        match self.0.take() {
            Some(outer) => drop(waiting().insert(thread, outer)),
            None => drop(waiting().remove(&thread)),
        }
    }
}

/// Whether the work of this thread has been given up.
pub(super) fn is_over() -> bool {
    own().is_some_and(|p| p.over.load(Ordering::Relaxed))
}

/// Asks whether to stop, on behalf of work that does not ask z3: whether the work of this thread is, or has been, given up.
pub fn nobody_waits() -> bool {
    own().is_some_and(|p| {
        let over = p.over.load(Ordering::Relaxed) || (p.stop)();
        p.over.store(over, Ordering::Relaxed);
        over
    })
}

/// Does what needs z3, in a context of its own; `None` when it is given up.
pub(super) fn patiently<T: Send + Sync>(work: impl FnOnce() -> T + Send + Sync) -> Option<T> {
    match own() {
        None => Some(with_z3_config(&Config::new(), work)),
        Some(patience) if patience.over.load(Ordering::Relaxed) => None,
        Some(patience) => beside(&patience, work),
    }
}

/// How far the work of another thread is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    Working,
    /// Nobody waits any longer.
    Unwanted,
    Done,
}

/// What the threads tell each other.
struct Progress {
    phase: Mutex<Phase>,
    changed: Condvar,
}

impl Progress {
    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the work is done; asks now and then whether to stop.
    fn wait(&self, patience: &Patience) {
        let mut phase = self.phase();
        while *phase != Phase::Done {
            let waited = self.changed.wait_timeout(phase, PERIOD).unwrap_or_else(PoisonError::into_inner);
            phase = waited.0;
            if *phase == Phase::Working && waited.1.timed_out() {
                drop(phase);
                let over = patience.over.load(Ordering::Relaxed) || (patience.stop)();
                patience.over.store(over, Ordering::Relaxed);
                phase = self.phase();
                // z3 takes the word only while it searches: it is said until it is heard.
                if over && *phase == Phase::Working {
                    *phase = Phase::Unwanted;
                    self.changed.notify_all();
                }
            }
        }
    }

    /// Passes the word on to z3 until the work is done.
    fn interrupt(&self, z3: &ContextHandle<'_>) {
        let mut phase = self.phase();
        while *phase != Phase::Done {
            if *phase == Phase::Unwanted {
                z3.interrupt();
                *phase = Phase::Working;
            }
            phase = self.changed.wait(phase).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The end of the work, after a panic as well.
struct Ending<'a>(&'a Progress);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        *self.0.phase() = Phase::Done;
        self.0.changed.notify_all();
    }
}

/// Does it on another thread while this one asks whether to stop. A third one interrupts z3, whose context does not leave
/// its thread.
fn beside<T: Send + Sync>(patience: &Patience, work: impl FnOnce() -> T + Send + Sync) -> Option<T> {
    let progress = Progress { phase: Mutex::new(Phase::Working), changed: Condvar::new() };
    let progress = &progress;
    let in_z3 = move || {
        let context = Context::thread_local();
        let handle = context.handle();
        thread::scope(|threads| {
            let interrupting = thread::Builder::new().spawn_scoped(threads, || progress.interrupt(&handle));
            let ending = Ending(progress);
            let done = work();
            drop(ending);
            drop(interrupting);
            done
        })
    };
    let done = thread::scope(|threads| {
        let working = thread::Builder::new()
            .stack_size(STACK)
            // The thread's own context: it is as new as the thread, and to make one takes longer than most questions.
            .spawn_scoped(threads, in_z3)
            .ok()?;
        progress.wait(patience);
        Some(working.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    if patience.over.load(Ordering::Relaxed) { None } else { done }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;
    use std::time::Instant;
    use z3::ast::Int;
    use z3::{SatResult, Solver};

    /// A question that z3 does not answer in a day: a sum of three cubes.
    fn hard() -> SatResult {
        let [x, y, z] = ["x", "y", "z"].map(Int::new_const);
        let cube = |n: &Int| n * n * n;
        let solver = Solver::new();
        solver.assert((cube(&x) + cube(&y) + cube(&z)).eq(Int::from_i64(114)));
        solver.check()
    }

    /// Spec: [rule: solving.patience].
    #[test]
    fn nobody_waits_for_what_is_given_up() {
        let asked = Arc::new(AtomicU32::new(0));
        let count = asked.clone();
        let began = Instant::now();
        let (first, second) = with_patience(
            move || count.fetch_add(1, Ordering::Relaxed) >= 3,
            || (patiently(hard), patiently(|| 1)),
        );
        assert_eq!((first, second), (None, None));
        assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
        assert_eq!(asked.load(Ordering::Relaxed), 4, "who has said so is not asked again");
        assert!(!is_over(), "the next work has patience again");
        assert_eq!(with_patience(|| false, || patiently(|| 1)), Some(1));
        assert_eq!(patiently(|| 2), Some(2));
    }
}
