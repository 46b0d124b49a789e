use z3::{*,ast::*};
use std::time::Instant;
fn main(){
  println!("{}", z3::full_version());
  set_global_param("rlimit","2000000");
  let f = |v:&str| { let x=Int::new_const("x"); let n=Int::new_const("n"); let y=Int::new_const("y");
    let z=Int::from_i64(0);
    match v {
     "divmod" => Bool::and(&[z.le(&x), x.lt(&n), (Int::from_i64(8)*x.div(&Int::from_i64(8))+x.modulo(&Int::from_i64(8))).eq(&x).not()]),
     "tile" => Bool::and(&[z.le(&x), x.lt(&n), z.le(&y), y.lt(&Int::from_i64(8)), (Int::from_i64(8)*&x+&y).ge(&(Int::from_i64(8)*&n))]),
     _ => Bool::and(&[z.le(&x), x.lt(&n), ast::forall_const(&[&y],&[],&Bool::and(&[z.le(&y),y.lt(&n),(&x+&y).eq(&(&n-1))]).not())]),
    } };
  for q in ["divmod","tile","rev"] {
   for (nm,mk) in [("solver",0),("simple?",1),("LIA",2)] {
    let s = match mk {0=>Solver::new(),1=>Solver::new_for_logic("QF_LIA").unwrap(),_=>Solver::new_for_logic("LIA").unwrap()};
    let t=Instant::now(); let mut r=SatResult::Unknown;
    for _ in 0..50 { s.push(); s.assert(&f(q)); r=s.check(); s.pop(1);}
    println!("{q} {nm} pushpop {:?} {:?}", t.elapsed()/50, r);
    let t=Instant::now();
    for _ in 0..20 { let s=match mk {0=>Solver::new(),1=>Solver::new_for_logic("QF_LIA").unwrap(),_=>Solver::new_for_logic("LIA").unwrap()}; s.assert(&f(q)); r=s.check();}
    println!("{q} {nm} fresh {:?} {:?}", t.elapsed()/20, r);
    let t=Instant::now();
    for _ in 0..20 { r=with_z3_config(&Config::new(), ||{let s=match mk {0=>Solver::new(),1=>Solver::new_for_logic("QF_LIA").unwrap(),_=>Solver::new_for_logic("LIA").unwrap()}; s.assert(&f(q)); s.check()});}
    println!("{q} {nm} freshctx {:?} {:?}", t.elapsed()/20, r);
   }
  }
}
