"""Questions on tables: a model writes one SELECT over tables found in documents, which runs locked down."""
