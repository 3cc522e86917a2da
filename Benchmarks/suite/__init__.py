"""What `Benchmarks/run` runs."""
