"""Programs as users write them show and raise what they do under Exo 1.0.0. Spec: [rule: python.exo-operations]."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

HERE = Path(__file__).parent
#: ``import exo`` is ours.
pytestmark = pytest.mark.usefixtures("installed")


#: Programs that do something else here, by why.
OTHERWISE = {
    "Exo fails on it by an internal error": (
        "windows inline_window_chain lambda_expr star_args default_argument keyword_only window_of_scalar is_eq_wrong"
        " get_instr_of_none user_errors_in_try stage_wrong_name cur_slice_empty cur_find_within app_windows_c"
        " r_multdim_ok r_stage_point_window reuse_buffer_ok reuse_buffer_live inline_window_ok s_rewrite_data"
        " config_unknown_field config_write_unknown_field two_configs two_configs_compile two_configs_in_one two_configs_write"
    ),
    "Exo compares cursors as objects; here they are compared and hashed as what they point at": "equality navigation",
    "Exo's is_eq does not know what was assumed": "unsafe_assert_eq",
    "some internals of Exo have no counterpart": "import_paths cursor_classes",
    "Exo prints no configuration": "cfg_bind",
    "Exo does not know that a field of type size is positive": "config_assert kf_alloc_extent kf_size_field_loop",
    "Exo does not know what a field was set to": "kf_assert_config",
    "Exo does not divide loops after a field that is the same in all iterations": "kf_fission kf_hoist",
    "Classes of one name and with the same fields are one state; Exo makes no C of two": (
        "p_cfg_same_name_callee p_cfg_same_name_extract two_configs_bind two_configs_inline config_of_a_factory"
    ),
    "Exo has no such thing": (
        "docstring int_argument call_scalar_of_tensor not_operator get_arg aliased_arguments cur_call f_not f_run_avx app_extern_custom"
        " s_cfg_patterns s_config_in_fragment"
    ),
    "Exo does not notice, or later": (
        "out_of_bounds_window call_too_few cur_find_bad r_lrc_nonzero r_autofission"
        " r_fuse_lo r_extract_alloc inline_assign_bad g_replace_asserts r_lift_if_cond_changed"
        " kf_field_tensor_arg kf_instr_missing lm_field_of_data_changed kf_write_config_args"
    ),
    "Exo's C of it does not compile": "f_run_mem g_inline_nested p_inline_prec",
    "Exo does not look at the arguments of a call, of which there may be another that has these": "s_call_patterns",
    "Exo takes no loop after a semicolon": "s_block_patterns",
    "Exo leaves it to its developers to pass a part for a tensor": "r_expand_used_as_arg",
    "Exo leaves sums of constants, and assertions that are true": (
        "call_instr_c app_neon"
    ),
    "Exo drops what is multiplied by zero": "simplify_terms_5",
    "Exo leaves conditions under which there is nothing but `pass`": "delete_pass_all",
    "Exo numbers a name that is in another branch, too": "sink_alloc_if",
    "Exo's words tell its trees, types or places, or several mistakes; ours may lack some": (
        "memory_mismatch call_precondition window_size_name kf_field_extent wrong_rank scalar_indexed assign_tensor app_mem_mismatch cur_block f_call_alias f_call_precond"
        " r_merge_kind g_stride_assert g_stride_bad g_replace_shape p_replace_mem"
    ),
}


def test_programs_do_what_they_do_in_exo() -> None:
    from exo_programs.surface import is_same, outcome, programs, sections

    there = sections((HERE / "exo_surface.txt").read_text(encoding="utf-8"))
    assert there.keys() == programs().keys(), "python -m exo_programs.surface was not run"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        here = {name: outcome(name, text) for name, text in programs().items()}
    differ = {name for name in there if not is_same(there[name].rstrip("\n"), here[name])}
    listed = [name for names in OTHERWISE.values() for name in names.split()]
    assert len(listed) == len(set(listed))
    print(f"{len(there) - len(differ)} of {len(there)} programs do what they do in Exo")
    assert not differ - set(listed), "\n".join(f"{n}\n{there[n]}\n-- here:\n{here[n]}" for n in differ - set(listed))
    assert not set(listed) - differ, f"these do the same now: {set(listed) - differ}"
