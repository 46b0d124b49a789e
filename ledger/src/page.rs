//! The page: what does not change is HTML; steps and programs are drawn by a script from the data beside it.

use crate::called::Calls;
use crate::data::{Data, arguments};
use crate::dependences::{self, Pictures};
use crate::program::Definitions;
use crate::record::{Record, Schedule, Trouble, relation};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use rewright_primitives::derivation::{Because, Derivation};
use rewright_primitives::registry::Registry;
use std::collections::{BTreeMap, BTreeSet};

const CSS: &str = include_str!("../assets/ledger.css");
const JS: &str = include_str!("../assets/ledger.js");

/// The page of a derivation; what the ids of conditions mean is said by the primitives. The same record gives the same
/// bytes.
///
/// # Errors
/// There is no schedule in it, or it does not say what one begins with, or a version that one takes is not in it.
pub fn page(derivation: &Derivation, primitives: &Registry) -> Result<String, Trouble> {
    let definitions = Definitions::of(derivation);
    let record = Record::of(derivation, &definitions)?;
    let data = Data::of(&record, primitives);
    let title = title(&record);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("rewright ", env!("CARGO_PKG_VERSION")));
                title { (title) " – ledger" }
                style { (PreEscaped(CSS)) }
            }
            body {
                a .skip href="#steps" { "Skip to the steps" }
                (header(&title, &record, derivation))
                main {
                    (steps(&record))
                    (results(&record, &definitions))
                    (assumptions(&record, derivation))
                    section #definitions aria-labelledby="h-definitions" {
                        h2 #h-definitions { "Definitions" }
                        p .note { "The file as the record has it, with its scheduling lines where there are any." }
                        pre .code data-language="exo" tabindex="0" { (derivation.definitions) }
                    }
                }
                (help())
                script #data type="application/json" { (PreEscaped(data.to_json())) }
                script { (PreEscaped(JS)) }
            }
        }
    };
    Ok(page.into_string())
}

fn title(record: &Record) -> String {
    let bound: Vec<&str> = record.schedules.iter().filter_map(|s| s.binding.as_deref()).collect();
    bound.join(", ")
}

fn header(title: &str, record: &Record, derivation: &Derivation) -> Markup {
    let conditions: usize = record.steps.iter().map(|s| s.recorded.conditions.len()).sum();
    html! {
        header {
            div .bar {
                h1 { (title) }
                p .facts {
                    (count(record.schedules.len(), "schedule")) ", " (count(record.steps.len(), "step")) ", "
                    (count(conditions, "condition")) " · record " code { (derivation.digest) }
                }
                div .buttons {
                    button #theme type="button" aria-label="Light or dark" title="Light or dark (d)" { "◐" }
                    button #keys type="button" aria-label="Keys" title="Keys (?)" { "?" }
                }
            }
            nav #tabs aria-label="Parts of the page" {
                a href="#steps" { "Steps" }
                a href="#programs" { "Program and C" }
                a href="#dependences" { "Dependences" }
                a href="#assumptions" { "Assumptions" }
                a href="#definitions" { "Definitions" }
            }
        }
    }
}

fn count(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// `g`, or `gemm (an argument of step 3)`
fn name_of(s: &Schedule) -> String {
    s.binding.clone().unwrap_or_else(|| format!("{} (an argument)", s.root))
}

fn steps(record: &Record) -> Markup {
    html! {
        section #steps aria-labelledby="h-steps" {
            h2 #h-steps .hidden { "Steps" }
            div #panes {
                p #status .hidden role="status" {}
                div #index {
                    div .search {
                        label .hidden for="search" { "Search the steps" }
                        input #search type="search" placeholder="Search the steps   /"
                            autocomplete="off" spellcheck="false";
                        output #found for="search" {}
                    }
                    div #list { @for schedule in &record.schedules { (index(record, schedule)) } }
                }
                article #step tabindex="-1" aria-label="The step" {
                    noscript { p { "The programs before and after each step are drawn by a script, which this browser does not run." } }
                }
            }
            div #all-steps {}
        }
    }
}

/// The steps of a schedule, each a link to itself.
fn index(record: &Record, schedule: &Schedule) -> Markup {
    let shared = schedule.versions.len().saturating_sub(1) - schedule.own.len();
    html! {
        section .schedule {
            h3 { (name_of(schedule)) " " small { "from " code { (schedule.root) } @if schedule.extracted { ", extracted" } } }
            @if shared > 0 {
                @let last = record.versions[schedule.versions[shared]].step.unwrap_or_default();
                p .note { "begins with " (count(shared, "step")) ", up to "
                    a href={ "#step-" (last + 1) } { "step " (last + 1) } }
            }
            @if schedule.own.is_empty() && shared == 0 { p .note { "no steps" } }
            ol {
                @for number in &schedule.own { (entry(record, *number)) }
            }
        }
    }
}

fn entry(record: &Record, number: usize) -> Markup {
    let recorded = &record.steps[number].recorded;
    let args: Vec<String> = arguments(record, &recorded.args).into_iter().map(|a| a.text).collect();
    let relation = relation(recorded);
    html! {
        li #{ "step-" (number + 1) } {
            a href={ "#step-" (number + 1) } {
                span .n { (number + 1) }
                span .what { b { (recorded.primitive) } " " span .args { (args.join(", ")) } }
                @if relation != "equivalent" { span .tag .(relation) { (relation) } }
            }
        }
    }
}

/// The last program of each schedule that is bound to a name: itself, its C, the dependences of its loops.
fn results(record: &Record, definitions: &Definitions) -> Markup {
    let bound: Vec<&Schedule> = record.schedules.iter().filter(|s| s.binding.is_some()).collect();
    let mut calls = Calls::of(record, definitions);
    let read: Vec<_> = bound.iter().map(|s| calls.program(s.last())).collect();
    html! {
        section #programs aria-labelledby="h-programs" {
            h2 #h-programs { "Program and C" }
            p .note { "The last version of each schedule, and the C that it becomes. What it calls is what its steps were given." }
            @for (s, read) in bound.iter().zip(&read) {
                h3 { (name_of(s)) }
                div .beside {
                    figure { figcaption { "Program" }
                        pre .code data-language="exo" tabindex="0" { (record.versions[s.last()].text) } }
                    figure { figcaption { "C" }
                        @match read.as_ref().map_err(String::clone).and_then(|p| definitions.c_of(p)) {
                            Ok(c) => { pre .code data-language="c" tabindex="0" { (c) } }
                            Err(why) => { p .missing { "There is no C to show: " (why) } }
                        }
                    }
                }
            }
        }
        section #dependences aria-labelledby="h-dependences" {
            h2 #h-dependences { "Dependences" }
            (dependences::legend())
            @for (s, read) in bound.iter().zip(&read) {
                h3 { (name_of(s)) }
                @match read {
                    Ok(p) => (Pictures::of(p).markup()),
                    Err(why) => { p .missing { "The program cannot be read from the record alone: " (why) } }
                }
            }
        }
    }
}

/// What the result stands on.
fn assumptions(record: &Record, derivation: &Derivation) -> Markup {
    let mut relations: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let (mut modulo, mut rounding, mut omitted) = (BTreeSet::new(), Vec::new(), Vec::new());
    let mut how: BTreeMap<&str, usize> = BTreeMap::new();
    for (k, step) in record.steps.iter().enumerate() {
        let r = &step.recorded;
        relations.entry(relation(r)).or_default().push(k);
        modulo.extend(r.modulo.iter());
        rounding.extend(r.rounding.iter().map(|clause| (k, clause)));
        for c in &r.conditions {
            let tier = match &c.because {
                Because::Syntax => "syntax",
                Because::Omitted => "assumed",
                Because::Postponed(_) => "postponed",
                Because::Solver { tier, .. } => tier.as_str(),
            };
            *how.entry(tier).or_default() += 1;
            if c.because == Because::Omitted {
                omitted.push((k, &c.id));
            }
        }
    }
    let starts = record.schedules.iter().filter(|s| s.binding.is_some());
    let asserted: Vec<(&str, &str)> = starts
        .flat_map(|s| {
            let text = s.versions.first().map_or("", |v| record.versions[*v].text.as_str());
            text.lines().filter_map(|l| Some((s.root.as_str(), l.strip_prefix("    assert ")?)))
        })
        .collect();
    let link = |k: usize| html! { a href={ "#step-" (k + 1) } { "step " (k + 1) } };
    html! {
        section #assumptions aria-labelledby="h-assumptions" {
            h2 #h-assumptions { "Assumptions" }
            p { "This page shows the derivation with digest " code { (derivation.digest) } ", and nothing else. It is evidence of nothing until "
                code { "rewright audit" } " has made every step of that derivation again." }
            h3 { "Who calls the result" }
            ul {
                li { "gives sizes of at least 1, and buffers of the declared shapes that do not overlap." }
                @for (proc, assertion) in &asserted { li { "sees to it that " code { (assertion) } " (" (proc) ")." } }
            }
            h3 { "How the last version is related to the first" }
            ul {
                @for (relation, steps) in &relations {
                    li { b { (relation) } " – " (meaning(relation)) ": " (count(steps.len(), "step"))
                        @if *relation != "equivalent" { ": " @for k in steps { (link(*k)) " " } } }
                }
                @if !modulo.is_empty() { li { "Afterwards these fields may hold something else: " @for f in &modulo { code { (f) } " " } } }
                @for (k, clause) in &rounding { li { (link(*k)) " rounds otherwise: " (clause) } }
                @for (k, id) in &omitted { li .missing { (link(*k)) " assumes " code { (id) } ", which nobody proved." } }
            }
            h3 { "How conditions were decided" }
            ul { @for (tier, n) in &how { li { b { (tier) } " – " (tier_meaning(tier)) ": " (n) } } }
        }
    }
}

fn meaning(relation: &str) -> &'static str {
    match relation {
        "equivalent" => "the same on every input",
        "restricted" => "the same on the inputs that are still accepted",
        "rounded" => "the same in exact arithmetic, with other roundings",
        "specialised" => "it takes other arguments",
        "assumed" => "as its primitive promises where its conditions hold, of which some were not asked for",
        _ => "a relation that this page does not know",
    }
}

fn tier_meaning(tier: &str) -> &'static str {
    match tier {
        "syntax" => "by the form of program and arguments",
        "fast" => "by equalities and intervals, without z3",
        "linear" => "by z3, of linear arithmetic without quantifiers",
        "quantified" => "by z3, with quantifiers",
        "assumed" => "not asked for",
        _ => "in a way that this page does not know",
    }
}

fn help() -> Markup {
    let rows = [
        ("j / k", "next, previous step"),
        ("g / G", "first, last step"),
        ("/", "search"),
        ("Enter", "in the search: the next match; else: open or close the questions of the step"),
        ("u", "all lines, or those around the changes"),
        ("1 … 5", "parts of the page"),
        ("d", "light or dark"),
        ("?", "this list"),
        ("Esc", "leave the search, close this list"),
    ];
    html! {
        dialog #help aria-labelledby="h-help" {
            h2 #h-help { "Keys" }
            dl { @for (key, what) in rows { dt { kbd { (key) } } dd { (what) } } }
            form method="dialog" { button { "Close" } }
        }
    }
}
