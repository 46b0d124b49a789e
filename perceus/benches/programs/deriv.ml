(* As deriv.kk. *)
type expr =
  | Val of int
  | Var of int
  | Add of expr * expr
  | Mul of expr * expr
  | Pow of expr * expr
  | Ln of expr

let rec pown m n =
  if n = 0 then 1
  else if n = 1 then m
  else
    let b = pown m (n / 2) in
    b * b * if n mod 2 = 0 then 1 else m

let rec add f g = match f, g with
  | Val n, Val m -> Val (n + m)
  | Val 0, _ -> g
  | Val n, Add (Val m, h) -> add (Val (n + m)) h
  | Val _, _ -> Add (f, g)
  | _, Val 0 -> f
  | _, Val _ -> add g f
  | _, Add (Val m, h) -> add (Val m) (add f h)
  | Add (a, b), _ -> add a (add b g)
  | _ -> Add (f, g)

let rec mul f g = match f, g with
  | Val n, Val m -> Val (n * m)
  | Val 0, _ -> f
  | Val 1, _ -> g
  | Val n, Mul (Val m, h) -> mul (Val (n * m)) h
  | Val _, _ -> Mul (f, g)
  | _, Val 0 -> g
  | _, Val 1 -> f
  | _, Val _ -> mul g f
  | _, Mul (Val m, h) -> mul (Val m) (mul f h)
  | Mul (a, b), _ -> mul a (mul b g)
  | _ -> Mul (f, g)

let pow f g = match f, g with
  | Val m, Val n -> Val (pown m n)
  | _, Val 0 -> Val 1
  | _, Val 1 -> f
  | Val 0, _ -> f
  | _ -> Pow (f, g)

let ln f = match f with Val 1 -> Val 0 | _ -> Ln f

let rec d x e = match e with
  | Val _ -> Val 0
  | Var y -> if x = y then Val 1 else Val 0
  | Add (f, g) -> let a = d x f in add a (d x g)
  | Mul (f, g) -> let a = mul f (d x g) in add a (mul g (d x f))
  | Pow (f, g) ->
    let p = pow f g in
    let a = mul (mul g (d x f)) (pow f (Val (-1))) in
    mul p (add a (mul (ln f) (d x g)))
  | Ln f -> let a = d x f in mul a (pow f (Val (-1)))

let rec size = function
  | Val _ | Var _ -> 1
  | Add (l, r) | Mul (l, r) | Pow (l, r) -> size l + size r
  | Ln f -> size f

let rec nest n e = if n = 0 then e else nest (n - 1) (d 1 e)

let () = Printf.printf "%d\n" (size (nest 10 (Pow (Var 1, Var 1))))
