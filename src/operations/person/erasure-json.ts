/**
 * An erasure, or what one would take, as JSON. Without deliveries nothing is said of destinations, and nothing of devices that
 * could not be derived again where there are none.
 */
export const erasureJson = <Result extends { destinations: string[]; notDerived?: number }>({
  destinations,
  notDerived = 0,
  ...result
}: Result) => ({
  ...result,
  ...(notDerived > 0 && { notDerived }),
  ...(destinations.length > 0 && { destinations }),
})
