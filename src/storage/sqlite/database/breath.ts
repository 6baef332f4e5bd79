/**
 * The pause between two steps of long work. A writer that found the lock taken looks again after 1, 2, 5, 10 ms and so
 * on: this pause lets it find the lock free within a few looks, however long the work takes.
 */
export const breath = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, breathMs))

const breathMs = 10
