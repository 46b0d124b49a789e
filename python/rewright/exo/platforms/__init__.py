"""Machines under Exo's names: memories, configurations and instructions. What is not used is not read."""
