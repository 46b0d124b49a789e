//! C11 for code. Spec: [rule: perceus.c].
//!
//! Functions become functions, and those that call one another in tail position one function with labels; closures become
//! functions that are given their cell. Variables that are always integers are `int64_t`, others a word that says what it is.

mod emit;
mod layout;
mod statics;
mod tail;
mod text;

use crate::code::kinds::{Kinds, Slot};
use crate::code::{Above, Block, Bound, Code, End, Fun, Instr, Rhs};
use emit::{Body, Program};
use layout::{Layout, Names, Rep};
use rewright_base::sym::Name;
use std::collections::{BTreeMap, BTreeSet};

/// A function of which every way calls it is what a program may say, and no fault of the C.
const RECURSION: &str = "#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 12)\n\
                         #pragma GCC diagnostic ignored \"-Winfinite-recursion\"\n#endif\n";

/// The runtime, one header: [rule: perceus.c.runtime] [rule: perceus.c.threads].
pub const RUNTIME: &str = include_str!("c/perceus.h");

/// What the header's file is called.
pub const RUNTIME_NAME: &str = "perceus.h";

/// The C of a program, which includes [`RUNTIME_NAME`] and prints its result.
///
/// # Errors
/// More constructors or fields than a header of a cell can say.
pub fn emit(code: &Code) -> Result<String, String> {
    let code = &possible(code);
    let layout = Layout::new(code)?;
    let live = live(code);
    let mut taken = Names::default();
    let names = live.iter().map(|f| (*f, taken.fresh("f_", *f))).collect::<BTreeMap<_, _>>();
    let mut program = Program {
        layout,
        names,
        closures: Vec::new(),
        bodies: String::new(),
        called: BTreeSet::from([code.main.name]),
        entries: Vec::new(),
        refusal: None,
    };
    let mut functions = String::new();
    for (group, is_loop) in tail::groups(code, &live) {
        let members: Vec<&Fun> = group.iter().filter_map(|f| code.all().find(|g| g.name == *f)).collect();
        let Some(first) = members.first().copied() else { continue };
        functions.push_str(&Body::new(&mut program, members, first).functions(is_loop));
    }
    if let Some(why) = program.refusal {
        return Err(why);
    }
    let is_called = |f: &Name| program.called.contains(f);
    let forward: String = code.all().filter(|f| is_called(&f.name)).map(|f| prototype(&program, f)).collect();
    functions.extend(program.entries.iter().filter(|(f, _)| is_called(f)).map(|(_, text)| text.as_str()));
    let closures = &program.closures;
    if closures.len() > 30_000 {
        return Err("C takes 30000 closures".to_owned());
    }
    let table = table(closures, &functions, &program.bodies);
    let main = main(&program.layout, &program.names, code, !table.is_empty());
    Ok(format!(
        "#include \"{RUNTIME_NAME}\"\n\n{RECURSION}\n{}\n{}{forward}\n{table}{}{functions}{main}",
        constructors(&program.layout),
        statics::definitions(&program.layout),
        program.bodies
    ))
}

/// The code without arms that no value gets to: as often as kinds become sharper by that. Such an arm would take the
/// place of another in the tests of the C.
fn possible(code: &Code) -> Code {
    let mut code = code.clone();
    loop {
        let kinds = Kinds::of(&code);
        let mut pruned = false;
        code = code.map(|f| {
            let mut prune = |b: Block| match b.end {
                End::Match(x, arms) => {
                    let cons = kinds.get(Slot::Var(f.name, x)).cons;
                    let before = arms.len();
                    let arms: Vec<_> = arms.into_iter().filter(|a| cons.contains(&a.con)).collect();
                    pruned |= arms.len() < before;
                    Block { instrs: b.instrs, end: End::Match(x, arms) }
                }
                End::Done(_) => b,
            };
            Fun { body: f.body.map(Above::Nothing, &mut |_, b| prune(b)), ..f.clone() }
        });
        if !pruned {
            return code;
        }
    }
}

/// The functions that `main` calls.
fn live(code: &Code) -> BTreeSet<Name> {
    let (mut live, mut rest) = (BTreeSet::new(), vec![code.main.name]);
    while let Some(f) = rest.pop() {
        let Some(fun) = code.all().find(|g| g.name == f).filter(|_| live.insert(f)) else { continue };
        fun.body.each(&mut |_, b| {
            let all = b.instrs.iter().filter_map(|i| match i {
                Instr::Val(_, Bound::Rhs(r)) => Some(r),
                Instr::Val(..) | Instr::Op(_) | Instr::Unique(..) | Instr::Token { .. } => None,
            });
            let end = match &b.end {
                End::Done(r) => Some(r),
                End::Match(..) => None,
            };
            for r in all.chain(end) {
                if let Rhs::Call(g, _) = r {
                    rest.push(*g);
                }
            }
        });
    }
    live
}

fn prototype(program: &Program<'_>, f: &Fun) -> String {
    let params: Vec<&str> = f.params.iter().map(|x| program.layout.rep(f, *x).ctype().trim_end()).collect();
    let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
    let name = program.names.get(&f.name).map_or("f_", String::as_str);
    format!("static {}{name}({params});\n", program.layout.result(f.name).ctype())
}

/// The numbers of constructors, and how they are shown.
fn constructors(layout: &Layout<'_>) -> String {
    let names: Vec<&str> = layout.constructors.values().map(|(name, _)| name.as_str()).collect();
    let shape = |(name, (_, fields)): (&Name, &(String, layout::Fields))| {
        let order: String = fields.at.iter().map(|at| format!("\\{at:03o}")).collect();
        let order =
            if order.is_empty() { "NULL".to_owned() } else { format!("(const unsigned char *)\"{order}\"") };
        format!("    {{\"{name}\", {order}}},\n")
    };
    let shapes: String = layout.constructors.iter().map(shape).collect();
    let list: String = names.iter().map(|n| format!("{n}, ")).collect();
    format!(
        "enum {{ {list}C_closure }};\n\nstatic const struct rw_shape c_shapes[] = {{\n{shapes}    {{NULL, NULL}},\n}};\n"
    )
}

/// The functions of closures by their numbers, where there are closures or something is applied.
fn table(closures: &[String], functions: &str, bodies: &str) -> String {
    if closures.is_empty() && ![functions, bodies].iter().any(|t| t.contains("rw_apply(")) {
        return String::new();
    }
    let forward: String = closures.iter().map(|c| format!("static rw_val {c}(rw_val, rw_val);\n")).collect();
    let table: String = closures.iter().map(|c| format!("    {c},\n")).collect();
    format!("{forward}\nstatic const rw_closure c_closures[] = {{\n{table}    NULL,\n}};\n\n")
}

fn main(layout: &Layout<'_>, names: &BTreeMap<Name, String>, code: &Code, table: bool) -> String {
    let name = names.get(&code.main.name).map_or("f_", String::as_str);
    let result = match layout.result(code.main.name) {
        Rep::Int => format!("rw_box({name}())"),
        Rep::Value | Rep::Token => format!("{name}()"),
    };
    // It may be that nothing is ever applied.
    let table = if table { "    (void)c_closures;\n" } else { "" };
    format!(
        "int main(void) {{\n{table}    rw_val result = {result};\n    rw_print(result, c_shapes, C_closure);\n    \
         printf(\"\\n\");\n    rw_drop(result);\n    rw_report();\n    return 0;\n}}\n"
    )
}
