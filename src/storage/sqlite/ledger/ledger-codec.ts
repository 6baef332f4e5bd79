import type {
  Click,
  Entry,
  EntryKind,
  PageView,
  RequestSource,
  Submission,
  TrackedEvent,
} from '../../../ledger/entry.ts'
import { type LedgerQuery, type LedgerRow, UnreadableEntry } from '../../../ledger/ledger.ts'
import type { JsonValue } from '../../../lib/json-value.ts'
import { parseLosslessText } from '../../../lib/lossless-json.ts'
import { isRecordOf } from './entry-record.ts'
import { type ChecksummedRow, checksumOfLine, isAsCaptured } from './ledger-checksum.ts'

/** The numbers of kinds in the `kind` column. They are on disk: never renumber. */
export const entryKinds: Record<EntryKind, number> = {
  submission: 1,
  event: 2,
  page_view: 3,
  click: 4,
}

/** Captured records; the ledger's other entries are about them. */
export const capturedKinds = Object.values(entryKinds)

const kindNames = new Map(Object.entries(entryKinds).map(([name, number]) => [number, name as EntryKind]))

/** The columns from which an entry is rebuilt. */
export type EntryRow = ChecksummedRow

const fieldSeparator = '\t'
const entrySeparator = '\n'

/**
 * Writes each entry as a line, so that a whole batch is sent to the writing thread as one string (a structured clone of
 * objects costs ten times as much). The JSON comes last and contains neither a raw tab nor a line feed.
 */
export function encodeEntries(entries: readonly Entry[]): string[] {
  let source: RequestSource | null = null
  let sourceJson = ''
  return entries.map((entry) => {
    // Events of one request share their source, which is encoded once.
    if (entry.source !== source) {
      source = entry.source
      sourceJson = JSON.stringify(source)
    }
    const { kind, id, accountId, receivedAt } = entry
    const record = `{"source":${sourceJson},${JSON.stringify(recordOf(entry)).slice(1)}`
    return `${accountId}\t${entryKinds[kind]}\t${id}\t${receivedAt}\t${record}`
  })
}

/**
 * Everything but the columns and the source. Fields are listed: copying the rest of an object costs four times as much.
 */
function recordOf(entry: Entry): object {
  const { test } = entry
  switch (entry.kind) {
    case 'submission': {
      const { formId, formVersion, status, refusedFor, email, deviceId, consentTextId, honeypot, botCheck, fields } =
        entry
      return {
        test,
        formId,
        formVersion,
        status,
        refusedFor,
        email,
        deviceId,
        consentTextId,
        honeypot,
        botCheck,
        fields,
      } satisfies RecordOf<Submission>
    }
    case 'event': {
      const { event, deviceId, properties, traits, attribution, consent } = entry
      return {
        test,
        event,
        deviceId,
        properties,
        traits,
        attribution,
        consent,
      } satisfies RecordOf<TrackedEvent>
    }
    case 'page_view': {
      const { deviceId, slug, sha256, url, path, host, attribution } = entry
      return { test, deviceId, slug, sha256, url, path, host, attribution } satisfies RecordOf<PageView>
    }
    case 'click': {
      const { deviceId, message, recipient, sentAt, url, attribution, verdict, reasons, evidence } = entry
      return {
        test,
        deviceId,
        message,
        recipient,
        sentAt,
        url,
        attribution,
        verdict,
        reasons,
        evidence,
      } satisfies RecordOf<Click>
    }
  }
}

type RecordOf<E extends Entry> = Omit<E, 'kind' | 'id' | 'accountId' | 'receivedAt' | 'source'>

export const joinEntries = (lines: string[]): string => lines.join(entrySeparator)

/** The parts of a line of `encodeEntries`. */
export interface EncodedEntry extends EntryRow {
  accountId: string
}

export function* splitEntries(text: string): Generator<EncodedEntry> {
  if (text === '') return
  for (const line of text.split(entrySeparator)) yield encodedEntry(line)
}

export function encodedEntry(line: string): EncodedEntry {
  const [accountId = '', kind = '', id = '', receivedAt = ''] = line.split(fieldSeparator, 4)
  const recordStart = accountId.length + kind.length + id.length + receivedAt.length + 4
  return {
    accountId,
    kind: Number(kind),
    id,
    receivedAt: Number(receivedAt),
    record: line.slice(recordStart),
    checksum: checksumOfLine(line),
  }
}

/**
 * Decodes rows. Leaves out unreadable ones and reports each to `onUnreadable`; with `withChanged`, keeps rows that are
 * readable but changed.
 *
 * @throws UnreadableEntry for such a row if there is no `onUnreadable`
 */
export function decodedRows(
  rows: readonly (EntryRow & { sequence: number })[],
  { accountId, onUnreadable, withChanged = false }: Pick<LedgerQuery, 'accountId' | 'onUnreadable' | 'withChanged'>,
): LedgerRow[] {
  return rows.flatMap((row) => {
    try {
      if (typeof row.id !== 'string') throw new UnreadableEntry(String(row.id), 'unreadable')
      return [{ cursor: String(row.sequence), entry: decodeEntry(row, accountId) }]
    } catch (error) {
      if (!(error instanceof UnreadableEntry) || onUnreadable === undefined) throw error
      const isKept = withChanged && error.fault === 'changed'
      onUnreadable({ fault: error.fault, id: error.id, isKept })
      return isKept ? [{ cursor: String(row.sequence), entry: decodeStored(row, accountId) }] : []
    }
  })
}

/**
 * The row's entry; its numbers keep the digits that were sent.
 *
 * @throws UnreadableEntry if there is none, or not the captured one
 */
export function decodeEntry(row: EntryRow, accountId: string): Entry {
  const entry = decodeStored(row, accountId)
  if (isAsCaptured(row, accountId)) return entry
  throw new UnreadableEntry(row.id, 'changed')
}

/** The row's entry as it is now, even if it is not the captured one. @throws UnreadableEntry if there is none */
export function decodeStored(row: EntryRow, accountId: string): Entry {
  const kind = kindNames.get(row.kind)
  if (kind === undefined) throw new UnreadableEntry(row.id, 'unreadable')
  const record = parsedRecord(row)
  if (!isRecordOf(kind, record)) throw new UnreadableEntry(row.id, 'unreadable')
  return {
    ...record,
    kind,
    id: row.id,
    accountId,
    receivedAt: row.receivedAt,
  } as Entry
}

/** @throws UnreadableEntry if the record is not JSON */
export function parsedRecord({ id, record }: EntryRow): JsonValue {
  try {
    return parseLosslessText(record)
  } catch (cause) {
    throw new UnreadableEntry(id, 'unreadable', { cause })
  }
}
