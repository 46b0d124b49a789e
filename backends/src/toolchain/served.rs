//! A program that answers one request after another: what starts slowly is started once.

use super::{Finished, ToolError, reader};
use std::io::{ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A running program that reads requests from its standard input and writes an answer to each to its standard output. It is
/// killed when this value goes.
#[derive(Debug)]
pub struct Served {
    program: String,
    child: Child,
    requests: Sender<Vec<u8>>,
    answers: Receiver<Vec<u8>>,
    /// What it says besides, once it has ended.
    said: Option<JoinHandle<String>>,
}

/// What came of a request.
#[derive(Debug)]
pub enum Answer {
    /// The answer.
    Whole(Vec<u8>),
    /// The program ended before it had answered: nothing more can be asked of it.
    Ended(Finished),
}

impl Served {
    /// Starts a program.
    ///
    /// # Errors
    /// It could not be started.
    pub fn start(command: &mut Command) -> Result<Served, ToolError> {
        let program = command.get_program().to_string_lossy().into_owned();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let (Some(requests), Some(out)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(std::io::Error::from(ErrorKind::BrokenPipe).into());
        };
        let said = child.stderr.take().map(reader);
        Ok(Served { program, child, requests: sender(requests), answers: chunks(out), said })
    }

    /// Asks for an answer of `length` bytes.
    ///
    /// # Errors
    /// It did not answer in time; it has been killed then.
    pub fn ask(&mut self, request: Vec<u8>, length: usize, limit: Duration) -> Result<Answer, ToolError> {
        let start = Instant::now();
        // A program that has ended reads nothing, and answers nothing: its end is what there is to tell.
        let _ = self.requests.send(request);
        let mut answer = Vec::with_capacity(length);
        while answer.len() < length {
            match self.answers.recv_timeout(limit.saturating_sub(start.elapsed())) {
                Ok(bytes) => answer.extend(bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {
                    self.child.kill()?;
                    return Err(ToolError::TimeLimit {
                        program: self.program.clone(),
                        seconds: limit.as_secs(),
                    });
                }
            }
        }
        if answer.len() == length {
            return Ok(Answer::Whole(answer));
        }
        self.ended(limit).map(Answer::Ended)
    }

    fn ended(&mut self, limit: Duration) -> Result<Finished, ToolError> {
        let Some(status) = super::wait(&mut self.child, limit)? else {
            self.child.kill()?;
            let program = self.program.clone();
            return Err(ToolError::TimeLimit { program, seconds: limit.as_secs() });
        };
        let text = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        // It was to answer: its end is a failure, however it came about.
        Ok(Finished { program: self.program.clone(), is_success: false, code: status.code(), text })
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // Where it has ended already, there is nothing to do.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes requests as they come: a program that does not read holds nobody up.
fn sender(mut requests: ChildStdin) -> Sender<Vec<u8>> {
    let (sender, receiver) = channel::<Vec<u8>>();
    std::thread::spawn(move || {
        for request in receiver {
            if requests.write_all(&request).and_then(|()| requests.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// What a program writes, as it comes.
fn chunks(mut out: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 16];
        while let Ok(n) = out.read(&mut buffer) {
            let bytes = buffer.get(..n).unwrap_or_default();
            if n == 0 || sender.send(bytes.to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    fn shell(script: &str) -> Served {
        Served::start(Command::new("sh").args(["-c", script])).expect("it starts")
    }

    #[test]
    fn requests_are_answered_one_after_another() {
        let mut echo = Served::start(&mut Command::new("cat")).unwrap();
        let large: Vec<u8> = (0..300_000_u32).map(|k| k.to_le_bytes()[0]).collect();
        for request in [b"one".as_slice(), b"", &large, b"two"] {
            match echo.ask(request.to_vec(), request.len(), SOON).unwrap() {
                Answer::Whole(answer) => assert_eq!(answer, request),
                Answer::Ended(how) => panic!("{how:?}"),
            }
        }
    }

    #[test]
    fn the_end_of_a_program_is_told() {
        let mut twice = shell("head -c 3; echo 'no more' >&2; exit 7");
        assert!(matches!(twice.ask(b"abc".to_vec(), 3, SOON).unwrap(), Answer::Whole(a) if a == b"abc"));
        for _ in 0..2 {
            match twice.ask(b"def".to_vec(), 3, SOON).unwrap() {
                Answer::Ended(how) => assert_eq!((how.is_success, how.code), (false, Some(7))),
                Answer::Whole(answer) => panic!("{answer:?}"),
            }
        }
        let Answer::Ended(how) = shell("echo 'no more' >&2; exit 7").ask(b"abc".to_vec(), 3, SOON).unwrap()
        else {
            panic!("it has ended");
        };
        assert_eq!(how.text.trim(), "no more");
    }

    #[test]
    fn an_answer_that_takes_too_long_is_not_waited_for() {
        let mut slow = shell("sleep 60");
        // More than a pipe holds.
        let found = slow.ask(vec![0; 1 << 20], 3, Duration::from_millis(50));
        assert!(matches!(found, Err(ToolError::TimeLimit { .. })), "{found:?}");
    }
}
