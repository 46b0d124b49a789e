(* As nqueens.kk. *)
let rec safe (queen : int) diag = function
  | [] -> true
  | q :: qs -> queen <> q && queen <> q + diag && queen <> q - diag && safe queen (diag + 1) qs

let rec append_safe k soln solns =
  if k <= 0 then solns
  else if safe k 1 soln then append_safe (k - 1) soln ((k :: soln) :: solns)
  else append_safe (k - 1) soln solns

let rec extend n acc = function
  | [] -> acc
  | soln :: rest -> extend n (append_safe n soln acc) rest

let rec find_solutions n k = if k = 0 then [ [] ] else extend n [] (find_solutions n (k - 1))

let rec length xs n = match xs with [] -> n | _ :: xx -> length xx (n + 1)

let () = Printf.printf "%d\n" (length (find_solutions 12 12) 0)
