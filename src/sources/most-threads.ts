/**
 * Threads that a checkpoint document holds where none is named: more than a person reads, and few enough for memory.
 * The others are counted.
 */
export const MOST_THREADS = 1_000
