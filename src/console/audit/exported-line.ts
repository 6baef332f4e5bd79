import type { JsonObject, JsonValue } from '../../lib/json-value.ts'
import type { ChainedText } from './audit-log.ts'

/** A line as `capture audit export` prints it, with what checking it needs. */
interface ExportedLine extends Omit<ChainedText, 'at' | 'before' | 'after'> {
  /** The hash of the line before. */
  previous: string
  at: string
  before: JsonValue
  after: JsonValue
}

export const exportedLine = ({ at, before, after, ...line }: ChainedText, previous: string): ExportedLine => ({
  ...line,
  previous,
  at: new Date(at).toISOString(),
  before: before === null ? null : jsonOrText(before),
  after: after === null ? null : jsonOrText(after),
})

/** What somebody wrote into the database need not be JSON; the line does not match its hash then. */
function jsonOrText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    return text
  }
}

/** Reads an exported line; `null`: it is none. */
export function readExportedLine(text: string): (ChainedText & { previous: string }) | null {
  try {
    const { previous, at, before, after, ...line } = JSON.parse(text) as ExportedLine & JsonObject
    const isLine = Number.isSafeInteger(line.seq) && typeof line.hash === 'string' && typeof previous === 'string'
    if (!isLine || typeof line.actor !== 'object' || line.actor === null) return null
    return { ...line, previous, at: Date.parse(at), before: textOrNull(before), after: textOrNull(after) }
  } catch {
    return null
  }
}

const textOrNull = (value: JsonValue): string | null => (value === null ? null : JSON.stringify(value))
