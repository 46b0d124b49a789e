"""``exo.rewrite``."""
