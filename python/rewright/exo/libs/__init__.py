"""``exo.libs``."""
