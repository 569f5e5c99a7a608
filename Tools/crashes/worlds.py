"""The worlds a store lives in, as far as they can be made on one machine."""

WORLDS = {}
