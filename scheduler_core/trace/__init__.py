"""The trace of a run: events, cycle details, their encoding, and the sentences made of them."""
