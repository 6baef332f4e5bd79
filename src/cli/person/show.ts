import type { Entry } from '../../ledger/entry.ts'
import { identityEmail } from '../../ledger/identity-email.ts'
import { count, plural, timestamp } from '../../lib/quantities.ts'
import type { KnownEntry } from '../../report/export.ts'
import { inChunks, jsonText } from '../../report/json-text.ts'
import type { KnownPerson } from '../../report/person-reader.ts'
import { defineCommand, usageError } from '../command.ts'
import type { Layout } from '../output/style.ts'
import { type Cell, tableText } from '../output/table.ts'
import { type Labelled, labelledLines, printable } from '../output/text.ts'
import { described, touchWords } from '../record/record-line.ts'
import { noticesTo } from '../record/record-notices.ts'

export const personShow = defineCommand({
  name: 'person show',
  summary: 'Shows what is known of one person: where they came from, their devices, traits and latest records',
  details: `docs/identity.md says which records belong to a person, and why.
--json prints the person as \`capture export ACCOUNT persons\` does, and all their records as exported in
"records": { "submissions": […], "events": […] }.
  capture person show acme ada@customer.example`,
  args: { account: { summary: "the account's handle" }, email: { summary: "the person's email address" } },
  async run({ args, json }, session) {
    const email = identityEmail(args.email)
    if (email === null) throw usageError(`"${args.email}" is not an email address.`)
    const { personJson, showPerson } = await import('../../operations/person/show-person.ts')
    const onNotice = noticesTo(session.err)
    const shown = await session.withBox(
      async (box) => {
        const found = await showPerson(box, { account: args.account, email }, onNotice)
        const { person } = found
        if (!json) return { person, latest: await found.latest(timelineMax) }
        for await (const chunk of inChunks(personJson(found))) await session.out.write(chunk)
        return { person, latest: null }
      },
      { action: 'person.read', account: args.account, subject: (done) => done?.person.id ?? '' },
    )
    const { person, latest } = shown
    return latest === null ? 0 : { text: (layout) => personText({ person, latest }, layout) }
  },
})

/** Limits the records shown, latest first; `--json` has them all. */
const timelineMax = 50
/** Limits the devices shown; a browser without cookies is a new device at each visit. */
const devicesShownMax = 10

interface Shown {
  person: KnownPerson
  /** Their latest records, latest last. */
  latest: KnownEntry[]
}

/** The person in words. Control characters are escaped. */
function personText({ person, latest }: Shown, { style, columns }: Layout): string {
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
  const isConfirmed = (found.facts.submission?.confirmedAt ?? null) !== null
  return [
    timestamp(found.entry.receivedAt),
    { text: kind, tone },
    isConfirmed ? `${detail} (confirmed by mail)` : detail,
  ]
}

/** The entry's present state: a released submission is no longer refused, a click has its latest verdict. */
function asKnown({ entry, facts }: KnownEntry): Entry {
  if (entry.kind === 'submission' && facts.submission?.isReleased) return { ...entry, status: 'accepted' }
  return entry.kind === 'click' ? { ...entry, ...facts.click } : entry
}
