"""``exo.core``."""
