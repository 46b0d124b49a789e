"""``exo.frontend``."""
