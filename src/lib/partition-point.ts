/** Where the items stop to be before a point, in a list that has all of those first: found by halving. */
export function partitionPoint<Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    // The middle of what is left is always there.
    if (isBefore(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}
