import type { Entry } from '../../ledger/entry.ts'
import { count, plural, timestamp } from '../../lib/quantities.ts'
import type { KnownEntry } from '../../report/export.ts'
import { jsonText } from '../../report/json-text.ts'
import type { KnownPerson } from '../../report/person-reader.ts'
import { type Labelled, labelledLines } from '../output/labelled.ts'
import { printable } from '../output/printable.ts'
import type { Layout } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'
import { described } from '../record/record-line.ts'
import { touchWords } from '../record/touch-words.ts'

/** Limits the records shown, latest first; `--json` has them all. */
export const timelineMax = 50
/** Limits the devices shown; a browser without cookies is a new device at each visit. */
const devicesShownMax = 10

interface Shown {
  person: KnownPerson
  /** Their latest records, latest last. */
  latest: KnownEntry[]
}

/** The person in words. Control characters are escaped. */
export function personText({ person, latest }: Shown, { style, columns }: Layout): string {
  const { submissions, events } = person
  const total = submissions + events
  const traits = Object.entries(person.traits).map(([name, value]): Labelled => [name, jsonText(value)])
  const totals = `${plural(submissions, 'submission')} and ${plural(events, 'event')}`
  const timeline = {
    headers: ['Received', 'What', ''],
    rows: latest.map(row),
    empty: 'No record of theirs is left.',
  }
  return [
    `${style('heading', printable(person.email))}\n${labelledLines(about(person), columns)}`,
    traits.length === 0 ? '' : `${style('heading', 'Traits')}\n${labelledLines(traits, columns)}`,
    `${style('heading', totals)}${total > latest.length ? `, of which the latest ${count(latest.length)}; --json prints all` : ''}\n${tableText(timeline, style, columns)}`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

function about({ id, firstSeenAt, lastSeenAt, first, last, deviceIds }: KnownPerson): Labelled[] {
  return [
    ['First seen', seenWords(firstSeenAt)],
    ['Last seen', seenWords(lastSeenAt)],
    ['First came from', touchWords(first)],
    ['Last came from', touchWords(last)],
    ['Devices', deviceWords(deviceIds)],
    ['Person', id],
  ]
}

const seenWords = (at: number | null): string => (at === null ? 'no record is left' : timestamp(at))

function deviceWords(ids: string[]): string {
  if (ids.length === 0) return 'none: the requests had no identity cookie'
  const more = ids.length - devicesShownMax
  return ids.slice(0, devicesShownMax).join(', ') + (more > 0 ? ` and ${count(more)} more` : '')
}

function row(found: KnownEntry): Cell[] {
  const { tone, kind, detail } = described(asKnown(found))
  return [timestamp(found.entry.receivedAt), { text: kind, tone }, detail]
}

/** The entry's present state: a released submission is no longer refused, a click has its latest verdict. */
function asKnown({ entry, facts }: KnownEntry): Entry {
  if (entry.kind === 'submission' && facts.submission?.isReleased) return { ...entry, status: 'accepted' }
  return entry.kind === 'click' ? { ...entry, ...facts.click } : entry
}
