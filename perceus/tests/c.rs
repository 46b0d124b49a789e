//! The C that is generated: what it prints is what the interpreter gives, what it counts is what the optimised semantics counts,
//! nothing is left, no compiler warns, no sanitizer speaks.

mod support;

use rewright_base::rng::Rng;
use rewright_perceus::code::value::Counters;
use rewright_perceus::optimise::agree::{Ended, agree};
use rewright_perceus::optimise::{Pass, Passes, code};
use rewright_perceus::syntax::Program;
use rewright_perceus::theorems::{effects, generate};
use rewright_perceus::{c, code as ir};
use std::fs;
use std::process::Command;
use std::sync::Mutex;
use support::{assert_none, files, leaves, number, program};

const STEPS: u64 = 2_000_000;

/// Both warn of everything, and about nothing.
const FLAGS: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-DRW_COUNT"];
const SANITIZED: [&str; 4] =
    ["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-DRW_MALLOC"];

/// How long a program may compute.
const SECONDS: u32 = 30;

/// How many blocks of 512 bytes it may print.
const BLOCKS: u32 = 100_000;

/// What a run of C says: its exit code, standard output, standard error.
fn run(text: &str, compiler: &str, flags: &[&str]) -> Result<(i32, String, String), String> {
    let folder = tempfile::tempdir().expect("a folder, a file or a process");
    fs::write(folder.path().join(c::RUNTIME_NAME), c::RUNTIME).expect("a folder, a file or a process");
    fs::write(folder.path().join("p.c"), text).expect("a folder, a file or a process");
    let out = Command::new(compiler)
        .args(FLAGS)
        .args(flags)
        .args(["p.c", "-o", "p"])
        .current_dir(folder.path())
        .output()
        .map_err(|e| format!("{compiler}: {e}"))?;
    if !out.status.success() || !out.stderr.is_empty() {
        return Err(format!("{compiler}: {}\n{text}", String::from_utf8_lossy(&out.stderr)));
    }
    // A program that goes wrong may go on for ever, and print for ever.
    let script = format!("ulimit -t {SECONDS}; ulimit -f {BLOCKS}; exec ./p >out");
    let out = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output();
    let out = out.expect("a folder, a file or a process");
    let said = fs::read(folder.path().join("out")).expect("a folder, a file or a process");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((out.status.code().unwrap_or(-1), text(said), text(out.stderr)))
}

fn counters(c: Counters) -> String {
    format!(
        "allocs {}\nfrees {}\nreuses {}\ndups {}\ndrops {}\ntests {}\nwrites {}\npeak {}\n",
        c.allocs, c.frees, c.reuses, c.dups, c.drops, c.tests, c.writes, c.peak
    )
}

/// Whether the C of a program says what the semantics say.
fn same(name: &str, p: &Program, code: &ir::Code, compiler: &str, flags: &[&str]) -> Result<Ended, String> {
    let limit = if name.starts_with("seed") { 4_000 } else { STEPS };
    let found = agree(p, code, limit, 0).map_err(|why| format!("{name}: {why}"))?;
    let wanted = match &found.end {
        Ended::Value(v) if v.contains('…') => {
            return Err(format!("{name}: the value is too large to compare"));
        }
        Ended::Value(v) => (0, format!("{v}\n"), counters(found.dropped)),
        Ended::Stuck(why) => (3, String::new(), format!("stuck: {}\n", why.name())),
        Ended::Unfinished => return Ok(found.end),
    };
    let text = c::emit(code).map_err(|why| format!("{name}: {why}"))?;
    let (exit, out, err) = run(&text, compiler, flags).map_err(|why| format!("{name}: {why}"))?;
    // A program that is stuck leaves what it has.
    let err =
        if wanted.0 == 3 { err.lines().next().map_or(String::new(), |l| format!("{l}\n")) } else { err };
    // A field may be kept in memory that has it elsewhere: C assigns it.
    let (err, writes) = without_writes(&err);
    let (wanted_err, least) = without_writes(&wanted.2);
    if (exit, &out, &err) == (wanted.0, &wanted.1, &wanted_err) && writes >= least {
        Ok(found.end)
    } else {
        Err(format!(
            "{name}, {compiler}: {exit} {out}{err}\nand not {} {}{}\n{text}",
            wanted.0, wanted.1, wanted.2
        ))
    }
}

/// The counters without the number of assignments, and that.
fn without_writes(text: &str) -> (String, u64) {
    let writes = text.lines().find_map(|l| l.strip_prefix("writes ")).and_then(|n| n.parse().ok());
    let rest = text.lines().filter(|l| !l.starts_with("writes ")).map(|l| format!("{l}\n")).collect();
    (rest, writes.unwrap_or(0))
}

/// Does all of these, on two threads.
fn each<T: Sync>(all: &[T], f: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, wrong) = (Mutex::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                loop {
                    let i = {
                        let mut n = next.lock().expect("no thread panics");
                        *n += 1;
                        *n - 1
                    };
                    let Some(x) = all.get(i) else { return };
                    if let Err(why) = f(x) {
                        wrong.lock().expect("no thread panics").push(why);
                    }
                }
            });
        }
    });
    wrong.into_inner().expect("no thread panics")
}

/// A program without cycles frees what it allocates; one that loses a cycle does not, and its counters say so.
/// [rule: perceus.cycles]
#[test]
fn counters_show_the_leak_of_a_cycle_and_of_nothing_else() {
    let all: Vec<_> = files("programs").into_iter().filter(|(_, t)| t.contains("ref(")).collect();
    let wrong = each(&all, |(name, text)| {
        let leaves = u64::try_from(leaves(text)).expect("a small number");
        let c = c::emit(&code(&program(text), &Passes::all()))?;
        let (_, _, err) = run(&c, "gcc", &["-O0"])?;
        let count = |what: &str| {
            let line = err.lines().find_map(|l| l.strip_prefix(what));
            line.and_then(|n| n.trim().parse::<u64>().ok()).ok_or(format!("{name}: {err}"))
        };
        let left = count("allocs")? - count("frees")?;
        if left == leaves { Ok(()) } else { Err(format!("{name}: {left} cells are left, and not {leaves}")) }
    });
    assert!(all.len() > 8 && all.iter().any(|(_, t)| t.contains("// leaves: ")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// [rule: perceus.c] [rule: perceus.c.runtime]
#[test]
fn every_program_of_the_corpus_runs_in_c_as_in_the_semantics() {
    let all: Vec<_> = files("programs").into_iter().enumerate().collect();
    let wrong = each(&all, |(i, (name, text))| {
        let p = program(text);
        let code = code(&p, &Passes::all());
        let compiler = if i % 2 == 0 { "gcc" } else { "clang" };
        same(name, &p, &code, compiler, &["-O0"]).map(drop)
    });
    println!("{} programs", all.len());
    assert_none(wrong);
}

/// A few of them with sanitizers.
#[test]
fn sanitizers_are_silent() {
    let all: Vec<_> = files("programs")
        .into_iter()
        .filter(|(n, _)| ["rbtree", "queue", "thunks", "mutual"].contains(&n.as_str()))
        .collect();
    assert_eq!(all.len(), 4);
    let wrong = each(&all, |(name, text)| {
        let p = program(text);
        same(name, &p, &code(&p, &Passes::all()), "clang", &SANITIZED).map(drop)
    });
    assert_none(wrong);
}

/// Integers that need 64 bits, in variables that are not always integers.
#[test]
fn integers_of_64_bits_survive_boxing() {
    let text = "type pair { Pair(a, b) }\nfun fst(p) { match(p) { Pair(a, _) -> a } }\n\
                fun main() {\n  val u = fst(Pair(Unit, 1))\n  \
                Pair(fst(Pair(9223372036854775807, u)), fst(Pair(0 - 9223372036854775807 - 1, u)) + 0)\n}";
    let p = program(text);
    for passes in [Passes::all(), Passes::only(&[])] {
        for (compiler, flags) in [("gcc", &SANITIZED[..]), ("clang", &["-O2"][..])] {
            let end = same("integers", &p, &code(&p, &passes), compiler, flags)
                .unwrap_or_else(|why| panic!("{why}"));
            assert_eq!(end, Ended::Value("Pair(9223372036854775807, -9223372036854775808)".to_owned()));
        }
    }
}

/// A list and a spine to the left of 10⁶ cells are dropped, and a loop of 10⁶ rounds ends, on a stack of 64 KiB.
#[test]
fn deep_structures_and_long_loops_need_no_stack() {
    let text = "type tree { Tip; Bin(l, r) }\n\
                fun left(n, t) { if n == 0 then t else left(n - 1, Bin(t, Tip)) }\n\
                fun right(n, t) { if n == 0 then t else right(n - 1, Bin(Tip, t)) }\n\
                fun zigzag(n, t) { if n == 0 then t else zigzag(n - 1, if n % 2 == 0 then Bin(Bin(Tip, n), t) else Bin(t, Bin(n, Tip))) }\n\
                fun even(n) { if n == 0 then True else odd(n - 1) }\n\
                fun odd(n) { if n == 0 then False else even(n - 1) }\n\
                fun keep(x, y) { y }\n\
                fun main() {\n  val a = keep(left(1000000, Tip), 1)\n  val b = keep(right(1000000, Tip), 2)\n  \
                val c = keep(zigzag(1000000, Tip), 3)\n  val d = even(1000000)\n  if d then a + b + c else 0\n}";
    let p = program(text);
    let text = c::emit(&code(&p, &Passes::all())).unwrap();
    for compiler in ["gcc", "clang"] {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(c::RUNTIME_NAME), c::RUNTIME).unwrap();
        fs::write(folder.path().join("p.c"), &text).unwrap();
        let script = format!("{compiler} {} -O0 p.c -o p && ulimit -s 64 && ./p", FLAGS.join(" "));
        let out = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
        let err = String::from_utf8_lossy(&out.stderr);
        assert_eq!(String::from_utf8_lossy(&out.stdout), "6\n", "{compiler}: {err}");
        assert!(err.contains("allocs 4000000\nfrees 4000000\n"), "{err}");
    }
}

/// A result that is 10⁵ deep in its first field, and one as deep in its last, are printed on a stack of 64 KiB.
#[test]
fn deep_results_are_printed_without_a_stack() {
    let text = "type tree { Tip; Bin(l, n, r) }\n\
                fun left(n, t) { if n == 0 then t else left(n - 1, Bin(t, n, Tip)) }\n\
                fun right(n, t) { if n == 0 then t else right(n - 1, Bin(Tip, n, t)) }\n\
                fun main() { Bin(left(100000, Tip), 0, right(100000, Bin(Tip, -7, Tip))) }";
    let text = c::emit(&code(&program(text), &Passes::all())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(c::RUNTIME_NAME), c::RUNTIME).unwrap();
    fs::write(folder.path().join("p.c"), &text).unwrap();
    let script = format!("gcc {} -O1 p.c -o p && ulimit -s 64 && ./p", FLAGS.join(" "));
    let out = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let left: String = (1..=100_000).rev().map(|n| format!(", {n}, Tip)")).collect();
    let right: String = (1..=100_000).map(|n| format!("Bin(Tip, {n}, ")).collect();
    let wanted = format!(
        "Bin({}Tip{left}, 0, {right}Bin(Tip, -7, Tip){})\n",
        "Bin(".repeat(100_000),
        ")".repeat(100_000)
    );
    let found = String::from_utf8_lossy(&out.stdout);
    assert!(found == wanted, "{} {}", found.len(), String::from_utf8_lossy(&out.stderr));
}

/// Cells that threads share, and static ones, under the sanitizers of addresses and of races: [rule: perceus.c.threads]
/// [rule: perceus.c.static].
#[test]
fn shared_cells_are_counted_by_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join(c::RUNTIME_NAME), c::RUNTIME).unwrap();
    fs::write(folder.path().join("runtime.c"), include_str!("runtime.c")).unwrap();
    let wrong = each(
        &[("gcc", "address,undefined", "-DRW_MALLOC"), ("clang", "thread", "-DRW_MALLOC")],
        |(cc, sanitizer, flag)| {
            let script = format!(
                "{cc} -std=c11 -Wall -Wextra -Werror -g -O1 -pthread -fsanitize={sanitizer} {flag} runtime.c -o {cc} && ./{cc}"
            );
            let out = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
            let said = (String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
            if out.status.success() && said.0 == "fine\n" { Ok(()) } else { Err(format!("{cc}: {said:?}")) }
        },
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The corpus under each compiler with sanitizers, with passes left out, and random programs:
/// `cargo test --release -p rewright-perceus --test c -- --ignored --nocapture`.
#[test]
#[ignore = "minutes: compiles some thousand programs"]
fn campaign() {
    let n = number("PERCEUS_PROGRAMS", 1_000);
    let mut jobs: Vec<(String, Program, Passes, &str, &[&str])> = Vec::new();
    for (name, text) in files("programs") {
        let p = program(&text);
        for compiler in ["gcc", "clang"] {
            jobs.push((name.clone(), p.clone(), Passes::all(), compiler, &SANITIZED));
            jobs.push((name.clone(), p.clone(), Passes::only(&[]), compiler, &SANITIZED));
            jobs.push((name.clone(), p.clone(), Passes::all().and(Pass::Borrow), compiler, &["-O2"]));
        }
        for pass in Pass::ALL {
            jobs.push((name.clone(), p.clone(), Passes::without(&[pass]), "gcc", &["-O0"]));
        }
    }
    let first = number("PERCEUS_FIRST", 0);
    for seed in first..first + n {
        let mut rng = Rng::new(seed);
        let p = match seed % 5 {
            0 | 2 => generate::program(&mut rng, 14),
            4 => effects::program(&mut rng, 30).unwrap_or_else(|why| panic!("seed {seed}: {why}")),
            _ => generate::about_data(&mut rng, 40),
        };
        let compiler = if seed % 4 < 2 { "gcc" } else { "clang" };
        let passes = match seed / 5 % 3 {
            0 => Passes::only(&[]),
            1 => Passes::all(),
            _ => Passes::all().and(Pass::Borrow),
        };
        let flags: &[&str] = match seed / 5 % 7 {
            0 | 5 => &SANITIZED,
            1 | 2 => &["-O2"],
            _ => &["-O0"],
        };
        jobs.push((format!("seed {seed}"), p, passes, compiler, flags));
    }
    let (stuck, values) = (Mutex::new(0), Mutex::new(0));
    let wrong = each(&jobs, |(name, p, passes, compiler, flags)| {
        // A program that is stuck leaks, and says so; a cycle does too.
        let leaks = agree(p, &code(p, passes), 4_000, 0)
            .is_ok_and(|a| matches!(a.end, Ended::Stuck(_)) || a.left > 0);
        let flags = if leaks && flags.len() > 1 { &["-O1"][..] } else { flags };
        match same(name, p, &code(p, passes), compiler, flags)? {
            Ended::Value(_) => *values.lock().unwrap() += 1,
            Ended::Stuck(_) => *stuck.lock().unwrap() += 1,
            Ended::Unfinished => {}
        }
        Ok(())
    });
    println!("{} jobs, {} values, {} stuck", jobs.len(), values.lock().unwrap(), stuck.lock().unwrap());
    wrong.iter().for_each(|why| println!("{}", why.lines().take(3).collect::<Vec<_>>().join("\n  ")));
    assert_none(wrong);
}
