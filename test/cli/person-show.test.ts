// `capture person show` (docs/privacy.md, docs/exports.md), over records in a real data folder.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Entry } from '../../src/ledger/entry.ts'
import { jsonText } from '../../src/report/json-text.ts'
import { click, pageView, submission, trackedEvent } from '../report/sample-entries.ts'
import { storeEntries } from '../storage/sqlite/stored-entries.ts'
import { ADataFolder } from './a-data-folder.ts'

let folder: ADataFolder
beforeAll(async () => {
  folder = await ADataFolder.with()
})
afterAll(() => folder[Symbol.dispose]())

let number = 0
const nextId = (): string => `id-${String(++number).padStart(5, '0')}`

/** Stores entries as a running box would, one second apart. */
async function captured(...entries: Entry[]): Promise<Entry[]> {
  const { id: accountId } = await folder.json(['account', 'show', 'acme'])
  const stored = entries.map((entry, index) => ({
    ...entry,
    accountId: String(accountId),
    id: nextId(),
    receivedAt: Date.UTC(2026, 10, 20, 9, 30, index),
  }))
  storeEntries(join(folder.dataDir, 'capture.db'), stored)
  return stored
}

/** A visit by a device of its own that ends in a submission. */
const aVisit = (email: string, deviceId: string) => [
  pageView({ deviceId, attribution: { utm_source: 'newsletter', utm_medium: 'email', utm_campaign: 'spring' } }),
  trackedEvent({ deviceId, event: '$identify', traits: { name: 'Ada', plan: 'pro' }, attribution: {} }),
  click({ deviceId, verdict: 'human', reasons: [] }),
  submission({ deviceId, email, fields: { email, message: 'Hello' } }),
]

const show = (email: string, ...flags: string[]) => folder.run(['person', 'show', 'acme', email, ...flags])
const shownJson = async (email: string) => JSON.parse((await show(email, '--json')).stdout)

/** Whom a link that is signed for the address names: it stands in the link's token, and in clicks on it. */
async function recipientOf(email: string): Promise<string> {
  const to = ['--to', 'http://go.acme.test/launch', '--email', email]
  const { stdout } = await folder.done(['link', 'sign', 'acme', ...to])
  const contents = (stdout.trim().split('/').at(-1) ?? '')
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  return JSON.parse(contents.find((content) => content.startsWith('[')) ?? '[]')[2]
}

describe('capture person show', () => {
  test('says in words who it is, where they came from, and what they did, latest last', async () => {
    await captured(...aVisit('words@customer.example', 'device-words'))
    const { status, stdout } = await show('words@customer.example')
    expect(status).toBe(0)
    const lines = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))
    expect(lines.slice(0, 5)).toEqual([
      'words@customer.example',
      'First seen | 2026-11-20 09:30:00 UTC',
      'Last seen | 2026-11-20 09:30:03 UTC',
      'First came from | newsletter / email, campaign spring, 2026-11-20 09:30:00 UTC, at https://go.acme.example/launch',
      expect.stringContaining('Last came from | '),
    ])
    expect(lines).toContain('Devices | device-words')
    expect(lines).toContain('plan | "pro"')
    expect(lines.filter((line) => line.startsWith('2026-')).map((line) => line.split(' | ')[1])).toEqual([
      'page view',
      'event',
      'click',
      'submission',
    ])
  })

  test('as JSON is the person as exported, with all their records as exported', async () => {
    const [view, event, clicked, sent] = await captured(...aVisit('json@customer.example', 'device-json'))
    const { records, ...person } = await shownJson('json@customer.example')
    const exported = (await folder.done(['export', 'acme', 'persons'])).stdout.split('\n')
    expect(exported).toContain(jsonText(person))
    expect(person).toMatchObject({
      email: 'json@customer.example',
      traits: { name: 'Ada', plan: 'pro' },
      firstSeenAt: '2026-11-20T09:30:00.000Z',
      lastSeenAt: '2026-11-20T09:30:03.000Z',
      deviceIds: ['device-json'],
      attribution: { first: { source: 'newsletter' } },
      submissions: 1,
      events: 3,
    })
    const personId = person.personId
    expect(records.submissions).toEqual([expect.objectContaining({ submissionId: sent?.id, personId })])
    expect(records.events).toEqual([
      expect.objectContaining({ eventId: view?.id, event: '$pageview', personId }),
      expect.objectContaining({ eventId: event?.id, event: '$identify', personId }),
      expect.objectContaining({ eventId: clicked?.id, event: '$click', personId }),
    ])
    const events = (await folder.done(['export', 'acme', 'events'])).stdout.split('\n')
    for (const record of records.events) expect(events).toContain(jsonText(record))
  })

  test('takes the address as people write it', async () => {
    await captured(submission({ email: 'as.written@customer.example', deviceId: null }))
    expect((await shownJson(' As.Written@CUSTOMER.example ')).email).toBe('as.written@customer.example')
  })

  test('shows the latest records of somebody who has many, and says that there are more', async () => {
    const many = Array.from({ length: 60 }, (_, n) => trackedEvent({ deviceId: 'device-many', event: `number ${n}` }))
    await captured(...many, submission({ deviceId: 'device-many', email: 'many@customer.example' }))
    const { stdout } = await show('many@customer.example')
    expect(stdout).toContain('1 submission and 60 events, of which the latest 50; --json prints all\n')
    expect(stdout).toContain('number 11 ')
    expect(stdout).not.toContain('number 10 ')
    expect((await shownJson('many@customer.example')).records.events.length).toBe(60)
  })

  test('is one JSON object when there are no events', async () => {
    await captured(submission({ email: 'alone@customer.example', deviceId: null }))
    expect((await shownJson('alone@customer.example')).records).toMatchObject({ submissions: [{}], events: [] })
  })

  test('sends nothing to the terminal that a stranger wrote to steer it', async () => {
    const said = { '\u001b[2J': 'a\u001b[2Jb', name: '\u202eadA' }
    await captured(
      trackedEvent({ deviceId: 'device-evil', event: '\u001b[31mred', traits: said }),
      trackedEvent({ deviceId: 'device-evil', event: '$identify', traits: said }),
      submission({ deviceId: 'device-evil', email: 'evil@customer.example' }),
    )
    for (const flags of [[], ['--json']]) {
      expect((await show('evil@customer.example', ...flags)).stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
    }
  })

  test('says that nobody is known by an address, and where to look', async () => {
    const { status, stdout, stderr } = await show('stranger@customer.example')
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toStartWith('Nobody is known as stranger@customer.example in acme:')
    expect(stderr).toContain('capture export acme persons')
  })

  test('says what is held of an address by which nobody is known, and that an erasure would take it', async () => {
    const email = 'refused@customer.example'
    await captured(
      submission({ email, deviceId: null, status: 'refused', refusedFor: 'honeypot' }),
      click({ deviceId: 'device-refused', recipient: await recipientOf(email) }),
      trackedEvent({ deviceId: 'device-refused', properties: { who: email } }),
    )
    for (const flags of [[], ['--json']]) {
      const { status, stdout, stderr } = await show(email, ...flags)
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
      expect(stderr).toStartWith(`Nobody is known as ${email} in acme:`)
      expect(stderr).toContain(
        '1 submission (refused, from the test page, or only mentioning it); 1 click on links sent to it',
      )
      expect(stderr).toContain('1 event or page view mentioning it')
      expect(stderr).toContain(`\`capture person erase acme ${email}\` would erase them.`)
    }
    const erased = await folder.json(['person', 'erase', 'acme', email, '--yes'])
    expect(erased).toMatchObject({ submissions: 1, clicks: 1, events: 1 })
    expect((await show(email)).stderr).not.toContain('still has records')
  })

  test('refuses what is no address as wrong usage', async () => {
    const { status, stderr } = await show('ada')
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('"ada" is not an email address.'),
    })
  })
})
