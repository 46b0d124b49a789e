(* As rbtree.kk. *)
type color = Red | Black
type tree = Leaf | Node of color * tree * int * bool * tree

let is_red = function Node (Red, _, _, _, _) -> true | _ -> false

let bal_left l k v r = match l with
  | Leaf -> Leaf
  | Node (_, Node (Red, lx, kx, vx, rx), ky, vy, ry) ->
    Node (Red, Node (Black, lx, kx, vx, rx), ky, vy, Node (Black, ry, k, v, r))
  | Node (_, ly, ky, vy, Node (Red, lx, kx, vx, rx)) ->
    Node (Red, Node (Black, ly, ky, vy, lx), kx, vx, Node (Black, rx, k, v, r))
  | Node (_, lx, kx, vx, rx) -> Node (Black, Node (Red, lx, kx, vx, rx), k, v, r)

let bal_right l k v r = match r with
  | Leaf -> Leaf
  | Node (_, Node (Red, lx, kx, vx, rx), ky, vy, ry) ->
    Node (Red, Node (Black, l, k, v, lx), kx, vx, Node (Black, rx, ky, vy, ry))
  | Node (_, lx, kx, vx, Node (Red, ly, ky, vy, ry)) ->
    Node (Red, Node (Black, l, k, v, lx), kx, vx, Node (Black, ly, ky, vy, ry))
  | Node (_, lx, kx, vx, rx) -> Node (Black, l, k, v, Node (Red, lx, kx, vx, rx))

let rec ins t (k : int) v = match t with
  | Leaf -> Node (Red, Leaf, k, v, Leaf)
  | Node (Red, l, kx, vx, r) ->
    if k < kx then Node (Red, ins l k v, kx, vx, r)
    else if k > kx then Node (Red, l, kx, vx, ins r k v)
    else Node (Red, l, k, v, r)
  | Node (Black, l, kx, vx, r) ->
    if k < kx then (if is_red l then bal_left (ins l k v) kx vx r else Node (Black, ins l k v, kx, vx, r))
    else if k > kx then (if is_red r then bal_right l kx vx (ins r k v) else Node (Black, l, kx, vx, ins r k v))
    else Node (Black, l, k, v, r)

let insert t k v = match ins t k v with
  | Node (_, l, kx, vx, r) -> Node (Black, l, kx, vx, r)
  | Leaf -> Leaf

let rec count = function
  | Leaf -> 0
  | Node (_, l, _, v, r) -> count l + (if v then 1 else 0) + count r

let rec make n t = if n <= 0 then t else let m = n - 1 in make m (insert t m (m mod 10 = 0))

let () = Printf.printf "%d\n" (count (make 4200000 Leaf))
