//! `rewright halide explain`. Spec: [rule: halide.explain].

use super::{apply, load, or_outcome, verified};
use crate::args::HalideExplain;
use crate::output::{Outcome, no_answer, put, say};
use rewright_halide_model::bounds::complete::complete;
use rewright_halide_model::bounds::verify::verify_within;
use rewright_halide_model::explain::{Dim, Explained, Force, explain};
use rewright_halide_model::expr::Region;
use rewright_halide_model::text::print;
use serde_json::{Value, json};

/// The loop nest with its regions and what forces them, and whether the bounds are verified.
pub(super) fn explained(args: &HalideExplain) -> Outcome {
    or_outcome(load(&args.pipeline.file).and_then(|p| {
        let t = apply(&p, args.pipeline.strict)?;
        let explanation = explain(&t).map_err(|none| {
            put("verification", "no bounds");
            no_answer(&none.to_string())
        })?;
        say(&explanation.text);
        put("nest", explanation.text);
        put("regions", explanation.regions.iter().map(region).collect::<Vec<_>>());
        if args.proof.no_verify {
            return Ok(());
        }
        verified(verify_within(&complete(&t, &explanation.solution), args.proof.time()))
    }))
}

fn region(r: &Explained) -> Value {
    let dims: Vec<Value> = r.dims.iter().map(dim).collect();
    match r.region {
        Region::Mem(f) => {
            json!({ "func": f.to_string(), "kind": if r.input { "input" } else { "store" }, "dims": dims })
        }
        Region::Cpu(site) => json!({
            "func": site.func.to_string(), "kind": "compute", "stage": site.stage, "specialization": site.spec, "dims": dims,
        }),
    }
}

fn dim(d: &Dim) -> Value {
    let forces = |all: &[Force]| all.iter().map(force).collect::<Vec<_>>();
    json!({
        "name": d.name, "min": print::expr(&d.bounds.min), "len": print::expr(&d.bounds.len),
        "first": forces(&d.first), "last": forces(&d.last),
    })
}

fn force(f: &Force) -> Value {
    json!({ "point": print::expr(&f.point), "by": f.by, "directive": f.directive })
}
