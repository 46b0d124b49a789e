//! scratch
use rewright_backends::harness::{Built, agree::Mode};
use rewright_backends::toolchain::Compiler;
use rewright_semantics::inputs::{Given, Search, generate};
use rewright_semantics::parse::{Prelude, parse_module};
use rewright_semantics::span::SourceMap;
fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut map = SourceMap::new();
        let f = map.add(path.clone(), text);
        let parsed = parse_module(f, &map, &Prelude::standard());
        let mut d = parsed.diagnostics.clone();
        d.extend(rewright_semantics::typecheck::check_module(&parsed.module));
        for d in &d {
            println!("{path}: {:?} {} {} {:?}", d.severity, d.rule, d.message, map.line_col(d.primary.span));
        }
        for c in Compiler::available() {
            let b = match Built::new(&parsed.module, &c) {
                Ok(b) => b,
                Err(e) => {
                    println!("{path}: {e}");
                    if let rewright_backends::harness::HarnessError::Refused(ds) = &e {
                        for d in ds {
                            println!(
                                "   {} {:?} {} {:?}",
                                d.rule,
                                map.line_col(d.primary.span),
                                d.message,
                                d.help
                            );
                        }
                    }
                    continue;
                }
            };
            if let Err(e) = b.check() {
                println!("{path}: check: {e}");
                continue;
            }
            for f in &b.unit().functions {
                let name = f.proc.name.as_str();
                for (seed, mode) in [(1, Mode::Fast), (2, Mode::Fast), (3, Mode::Fast), (4, Mode::Sanitized)]
                {
                    let input = match generate(&f.proc, &Given::default(), seed, Search::default()) {
                        Ok(i) => i,
                        Err(e) => {
                            println!("{path} {name}: {e}");
                            continue;
                        }
                    };
                    match b.agree(name, &input, mode) {
                        Ok(v) => {
                            if !matches!(v, rewright_backends::harness::agree::Verdict::Agrees { .. })
                                || std::env::var("V").is_ok()
                            {
                                println!("{path} {name} {} {mode:?}: {v:?}", c.family);
                            }
                        }
                        Err(e) => println!("{path} {name} {} {mode:?}: {e}", c.family),
                    }
                }
            }
        }
    }
}
