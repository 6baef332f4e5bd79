import type { Answer } from '../post.ts'
import type { Fields } from './fields.ts'

/** A fault that the script finds before it asks the box, in the form of the box's answer. */
export const fault = (code: string, message: string, more?: object): Answer => [
  0,
  { error: { code, message, ...more } },
  0,
]

/**
 * Throws if a form contains more than may be sent. Says how much of its longest field fits, exactly if it is in one
 * script.
 */
export function assertFits(fields: Fields, bytesMax: number): void {
  const excess = bytesIn(fields) - bytesMax
  if (excess <= 0) return
  const [longest = ''] = Object.values(fields)
    .flat()
    .sort((a, b) => b.length - a.length)
  const { length } = longest
  const max = Math.max(0, Math.floor(length * (1 - excess / bytesIn(longest))))
  throw fault('too_long', `larger than ${bytesMax} bytes`, { length, max })
}

/** Bytes of a value as JSON. */
const bytesIn = (value: unknown): number => new Blob([JSON.stringify(value)]).size
