import { SQLiteError } from 'bun:sqlite'

/** Processor time that one entry may take, in milliseconds; a common one takes 0.03. */
export const entryMsMax = 250

export class TookTooLong extends Error {
  override readonly name = 'TookTooLong'
}

export const tookTooLong = `it took more than ${entryMsMax} ms of processor time`

const reasonCharactersMax = 200

/**
 * SQLite's codes for an unusable disk, lock or file. All others concern the statement, including that of a damaged
 * page, which other entries may not touch.
 */
const storageCodes =
  /^SQLITE_(?:AUTH|BUSY|CANTOPEN|FULL|INTERRUPT|IOERR|LOCKED|NOLFS|NOMEM|NOTADB|PERM|PROTOCOL|READONLY|SCHEMA)/

/** Whether the database could not do its work, which says nothing against the entry under way. */
export const isStorageFault = (error: unknown): boolean =>
  error instanceof SQLiteError && storageCodes.test(error.code ?? 'SQLITE_IOERR')

/** Whether somebody else kept the database locked for longer than the timeout. */
export const isLocked = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code ?? '')

/**
 * What is kept of an error that an entry caused: its name and its place in our sources, such as `TypeError in touchOf
 * (processing/attribution/touch-of.ts:12)`. Never its message, which may quote the entry.
 */
export function faultReason(error: unknown): string {
  if (error instanceof TookTooLong) return tookTooLong
  if (!(error instanceof Error)) return 'a thrown value that is not an error'
  const name = error instanceof SQLiteError ? (error.code ?? error.name) : error.name
  return `${name}${placeOf(error)}`.slice(0, reasonCharactersMax)
}

/** A stack frame: `at touchOf (/opt/capture/src/processing/attribution/touch-of.ts:12:3)`. */
const frame = /^ +at (?:(?:async |new )?([\w$.#<>]+) \()?(.*)$/
const ownPlace = /^[\w./-]+\.ts:\d+/

/** The first frame in one of our files. */
function placeOf({ stack = '', message }: Error): string {
  const messageAt = stack.indexOf(message)
  if (messageAt === -1) return ''
  // The message precedes the frames and may look like one.
  for (const line of stack.slice(messageAt + message.length).split('\n')) {
    const [, functionName = 'a function', where = ''] = frame.exec(line) ?? []
    const own = `/${where}`.split('/src/')
    const [place] = (own.length > 1 && ownPlace.exec(own.at(-1) ?? '')) || []
    if (place !== undefined) return ` in ${functionName} (${place})`
  }
  return ''
}
