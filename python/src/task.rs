//! Work without the interpreter's lock: other threads run meanwhile, Ctrl-C is heard while z3 works, trees may be deep, and
//! a panic becomes an exception. Spec: [rule: python.tasks].

use crate::failure::Failure;
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use rewright_effects::solver::with_patience;
use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Trees as deep as the parser lets through are walked recursively.
const STACK: usize = 1 << 28;

/// What is left of a thread's stack where no other is made: enough for programs that people write.
const ENOUGH: usize = 1 << 22;

thread_local! {
    /// Whether what this thread works for has ended; nothing, where it works for itself.
    static ENDED: RefCell<Option<Arc<AtomicBool>>> = const { RefCell::new(None) };
}

/// What several threads work for. Signals are heard by the main thread alone, which ends it for all.
#[pyclass(module = "rewright._rewright", frozen)]
pub(crate) struct Run(Arc<AtomicBool>);

#[pymethods]
impl Run {
    #[new]
    fn new() -> Run {
        Run(Arc::default())
    }

    /// The work of this thread is for it from now on.
    fn join(&self) {
        ENDED.set(Some(Arc::clone(&self.0)));
    }

    /// Work for it is given up, with a `KeyboardInterrupt`.
    fn end(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does some work; its failure is raised.
///
/// # Errors
/// The work fails or panics, a signal's handler raises, or what the thread works for has ended.
pub(crate) fn work<T: Send>(py: Python<'_>, task: impl FnOnce() -> Result<T, Failure> + Send) -> PyResult<T> {
    let raised: Arc<Mutex<Option<PyErr>>> = Arc::default();
    let heard = raised.clone();
    let ended = ENDED.with_borrow(Clone::clone);
    let listen = move |py: Python<'_>| match &ended {
        Some(ended) if ended.load(Ordering::Relaxed) => Err(PyKeyboardInterrupt::new_err(())),
        Some(_) | None => py.check_signals(),
    };
    let stop = move || {
        Python::attach(|py| match listen(py) {
            Ok(()) => false,
            Err(e) => {
                heard.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(e);
                true
            }
        })
    };
    let done = py.detach(|| {
        stacker::maybe_grow(ENOUGH, STACK, || catch_unwind(AssertUnwindSafe(|| with_patience(stop, task))))
    });
    if let Some(e) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(e);
    }
    done.unwrap_or_else(|panic| Err(bug(panic.as_ref()))).map_err(|failure| failure.raised(py))
}

/// Looks something up that takes no longer than handing over the interpreter's lock: no search, and nothing that asks z3.
///
/// # Errors
/// The look fails or panics.
pub(crate) fn look<T>(py: Python<'_>, task: impl FnOnce() -> Result<T, Failure>) -> PyResult<T> {
    let done = stacker::maybe_grow(ENOUGH, STACK, || catch_unwind(AssertUnwindSafe(task)));
    done.unwrap_or_else(|panic| Err(bug(panic.as_ref()))).map_err(|failure| failure.raised(py))
}

/// What a panic says.
fn bug(panic: &(dyn Any + Send)) -> Failure {
    let words = panic.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
    Failure::internal(&words)
}
