"""Games that are over: records, lists, sums, and how long they are kept."""
