(* As cfold.kk. *)
type expr = Var of int | Val of int | Add of expr * expr | Mul of expr * expr

let rec mk n v =
  if n = 0 then (if v = 0 then Var 1 else Val v)
  else
    let l = mk (n - 1) (v + 1) in
    Add (l, mk (n - 1) (if v = 0 then 0 else v - 1))

let rec append_add e0 e3 = match e0 with Add (e1, e2) -> Add (e1, append_add e2 e3) | _ -> Add (e0, e3)
let rec append_mul e0 e3 = match e0 with Mul (e1, e2) -> Mul (e1, append_mul e2 e3) | _ -> Mul (e0, e3)

let rec reassoc e = match e with
  | Add (e1, e2) -> let a = reassoc e1 in append_add a (reassoc e2)
  | Mul (e1, e2) -> let a = reassoc e1 in append_mul a (reassoc e2)
  | _ -> e

let fold_add a b = match a with
  | Val x -> (match b with
    | Val y -> Val (x + y)
    | Add (l, Val y) -> Add (Val (x + y), l)
    | Add (Val y, r) -> Add (Val (x + y), r)
    | _ -> Add (a, b))
  | _ -> Add (a, b)

let fold_mul a b = match a with
  | Val x -> (match b with
    | Val y -> Val (x * y)
    | Mul (l, Val y) -> Mul (Val (x * y), l)
    | Mul (Val y, r) -> Mul (Val (x * y), r)
    | _ -> Mul (a, b))
  | _ -> Mul (a, b)

let rec fold e = match e with
  | Add (a, b) -> let a = fold a in fold_add a (fold b)
  | Mul (a, b) -> let a = fold a in fold_mul a (fold b)
  | _ -> e

let rec eval = function
  | Var _ -> 0
  | Val v -> v
  | Add (l, r) -> eval l + eval r
  | Mul (l, r) -> eval l * eval r

let () = Printf.printf "%d\n" (eval (fold (reassoc (mk 20 1))))
