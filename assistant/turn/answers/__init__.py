"""Questions and their answers: what an answer is, how words are understood, what stands until it is changed."""
