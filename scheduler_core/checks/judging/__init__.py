"""One module an expectation: what it means, judged on a case."""
