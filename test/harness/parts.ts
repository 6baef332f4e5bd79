import type { BytesAnswer } from './visits.ts'

/** What an answer to a request for a part says of it. */
export const partOf = ({ status, headers, bytes }: BytesAnswer): object => ({
  status,
  range: headers.get('content-range'),
  bytes: [...bytes],
})

/** The answer to expect for the bytes from `first` to `last`, both included. */
export const expectedPart = (whole: Uint8Array, first: number, last: number): object => ({
  status: 206,
  range: `bytes ${first}-${last}/${whole.length}`,
  bytes: [...whole.slice(first, last + 1)],
})

export const expectedWhole = (whole: Uint8Array): object => ({ status: 200, range: null, bytes: [...whole] })

/** Requests that mean a part (RFC 9110 section 14.1.2), for a body of 1,000 bytes. */
export const partRequests: [what: string, range: string, first: number, last: number][] = [
  ['the first bytes', 'bytes=0-99', 0, 99],
  ['a single byte', 'bytes=500-500', 500, 500],
  ['bytes in the middle', 'bytes=100-899', 100, 899],
  ['an open end', 'bytes=900-', 900, 999],
  ['everything, with an open end', 'bytes=0-', 0, 999],
  ['an end behind the end', 'bytes=990-5000', 990, 999],
  ['the last bytes', 'bytes=-10', 990, 999],
  ['more last bytes than there are', 'bytes=-5000', 0, 999],
]

/** Requests that mean no part: the whole is the answer. */
export const wholeRequests: [what: string, range: string][] = [
  ['several parts', 'bytes=0-1,5-6'],
  ['an end before the beginning', 'bytes=10-5'],
  ['another unit', 'lines=0-5'],
  ['no numbers', 'bytes=-'],
  ['no unit', '0-5'],
  ['letters', 'bytes=a-b'],
  ['nothing', ''],
]

export const unsatisfiableRequests: [what: string, range: string][] = [
  ['a beginning at the end', 'bytes=1000-'],
  ['a beginning behind the end', 'bytes=5000-6000'],
  ['none of the last bytes', 'bytes=-0'],
]
