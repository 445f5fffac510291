"""Finding passages: analysis of text, two legs, fusion, reranking."""
