"""The parts of verify.py: encoding, schema, values, merkle, fold, and the vectors that use them."""
