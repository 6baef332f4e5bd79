/** The index at which items cease to be before a point, in a list ordered so; found by bisection. */
export function partitionPoint<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    // The middle of a non-empty range always exists.
    if (isBefore(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
