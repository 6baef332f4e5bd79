const frame = /^\s*at (.*)$/
const place = /(?<![\w-])([\w-]{1,100}\.(?:ts|js)):(\d{1,9})/

/** Where in the source code a thread failed. The error's own text may quote captured data and comes with a stack. */
export function faultPlace(text: string): string {
  for (const line of text.split('\n')) {
    const [, file, row] = place.exec(frame.exec(line)?.[1] ?? '') ?? []
    if (file !== undefined) return `a fault in ${file}:${row}`
  }
  return 'a fault'
}
