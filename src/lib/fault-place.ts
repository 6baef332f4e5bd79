/** Where in the source code a thread failed. The error's own text may quote captured data and comes with a stack. */
export function faultPlace(text: string): string {
  const place = /\bat .*?([\w-]+\.(?:ts|js)):(\d+)/.exec(text)
  return place === null ? 'a fault' : `a fault in ${place[1]}:${place[2]}`
}
