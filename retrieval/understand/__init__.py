"""Before searching: the road, the stand-alone question, the thread so far."""
