//! scratch
use rewright_backends::c::{Options, compile_module};
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
        let stem = std::path::Path::new(&path).file_stem().unwrap().to_str().unwrap().to_owned();
        match compile_module(&parsed.module, &Options::new(stem.clone())) {
            Ok(u) => {
                println!("{}\n//-----\n{}", u.header, u.source);
                if let Ok(dir) = std::env::var("OUT") {
                    std::fs::write(format!("{dir}/{stem}.h"), &u.header).unwrap();
                    std::fs::write(format!("{dir}/{stem}.c"), &u.source).unwrap();
                }
            }
            Err(ds) => {
                for d in ds {
                    println!(
                        "{path}: {} {} | {} | {:?} {:?}",
                        d.rule,
                        d.message,
                        d.primary.text,
                        map.line_col(d.primary.span),
                        d.help
                    );
                }
            }
        }
    }
}
