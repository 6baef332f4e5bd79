/** An erasure, or what one would take, as JSON. Without deliveries nothing is said of destinations. */
export const erasureJson = <Result extends { destinations: string[] }>({ destinations, ...result }: Result) => ({
  ...result,
  ...(destinations.length > 0 && { destinations }),
})
