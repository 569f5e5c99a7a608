"""The parts of Tools/crash. Standard library only."""
