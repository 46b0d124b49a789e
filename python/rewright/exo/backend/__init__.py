"""``exo.backend``."""
