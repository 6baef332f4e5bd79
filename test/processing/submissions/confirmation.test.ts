// docs/confirmed-leads.md, "What follows".
import { describe, expect, test } from 'bun:test'
import type { Destination } from '../../../src/account/destination.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import { SqliteSigningKeyStore } from '../../../src/storage/sqlite/account/signing-key-store.ts'
import { confirmed, released } from '../../report/sample-entries.ts'
import { minuteMs, noon, ProcessedLedger, refused, sent } from './processed-ledger.ts'

const at = (minutes: number): number => noon + minutes * minuteMs
const passed = { required: true, provider: 'altcha', verified: true }

const mail = { subject: 'Please confirm', text: 'Thank you.' }
const hook = (name: string, isConfirmed: boolean): Destination => ({
  kind: 'webhook',
  name,
  url: 'https://crm.example/',
  forms: null,
  when: null,
  confirmed: isConfirmed,
  givenSecret: null,
})
const ask: Destination = { kind: 'confirm', name: 'confirm:contact1', formId: 'contact1', mail, confirmed: false }
const thank: Destination = { kind: 'reply', name: 'reply:contact1', formId: 'contact1', mail, confirmed: true }

async function ledgerWith(...destinations: Destination[]): Promise<ProcessedLedger> {
  const ledger = new ProcessedLedger()
  await SqliteSigningKeyStore.open(ledger.connection, systemClock)
  for (const definition of destinations)
    ledger.connection.raw.run(
      'INSERT INTO destination (account_row, name, definition, created_at) VALUES (1, ?, ?, 0)',
      [definition.name, JSON.stringify(definition)],
    )
  return ledger
}

/** What is sent: which submission to which destination, in order. */
const sendings = ({ connection }: ProcessedLedger): string[] =>
  connection.raw
    .query<{ text: string }, []>(
      `SELECT submission_id || ' to ' || name AS text FROM delivery JOIN destination ON destination.row = destination_row
       ORDER BY delivery.row`,
    )
    .all()
    .map(({ text }) => text)

const confirmedAt = ({ connection }: ProcessedLedger, id: string): number | null | undefined =>
  connection.raw
    .query<{ at: number | null }, [string]>('SELECT confirmed_at AS at FROM submission_fact WHERE id = ?')
    .get(id)?.at

describe('a confirmed submission', () => {
  test('goes to whoever waits for that, once it is confirmed, and to the others when it is sent', async () => {
    await using ledger = await ledgerWith(hook('waits', true), hook('does-not', false))
    ledger.capture(sent(0), sent(30))
    expect(sendings(ledger)).toEqual(['at-0 to does-not', 'at-30 to does-not'])
    ledger.capture(confirmed('at-30', at(40)))
    expect(sendings(ledger)).toEqual(['at-0 to does-not', 'at-30 to does-not', 'at-30 to waits'])
    expect([confirmedAt(ledger, 'at-0'), confirmedAt(ledger, 'at-30')]).toEqual([null, at(40)])
  })

  test('is the same where one step processes both, as in a replay', async () => {
    await using ledger = await ledgerWith(hook('waits', true))
    ledger.capture(sent(0), confirmed('at-0', at(1)))
    expect(sendings(ledger)).toEqual(['at-0 to waits'])
    expect(confirmedAt(ledger, 'at-0')).toBe(at(1))
  })

  test('is not sent again where it was sent before the destination began to wait', async () => {
    await using ledger = await ledgerWith(hook('crm', false))
    ledger.capture(sent(0))
    ledger.connection.raw.run('UPDATE destination SET definition = ?', [JSON.stringify(hook('crm', true))])
    ledger.process(ledger.newSteps())
    ledger.store(confirmed('at-0', at(1)))
    ledger.process(ledger.newSteps())
    expect(sendings(ledger)).toEqual(['at-0 to crm'])
  })
})

/** The destinations as they are from now on. */
function redefine(ledger: ProcessedLedger, ...destinations: Destination[]): void {
  for (const definition of destinations)
    ledger.connection.raw.run('UPDATE destination SET definition = ? WHERE name = ?', [
      JSON.stringify(definition),
      definition.name,
    ])
}

describe('a submission that waits for its confirmation', () => {
  test('goes, once confirmed, to what no longer waits for that, the reply included', async () => {
    await using ledger = await ledgerWith(ask, thank, hook('waited', true), hook('never-did', false))
    ledger.capture(sent(0, { botCheck: passed }))
    redefine(ledger, { ...thank, confirmed: false }, hook('waited', false))
    ledger.store(confirmed('at-0', at(1)))
    ledger.process(ledger.newSteps())
    expect(sendings(ledger)).toEqual([
      'at-0 to confirm:contact1',
      'at-0 to never-did',
      'at-0 to reply:contact1',
      'at-0 to waited',
    ])
  })

  test('does not go to what was added since and waits for nothing', async () => {
    await using ledger = await ledgerWith(hook('later', false), hook('waits', true))
    ledger.connection.raw.run('UPDATE destination SET created_at = ?', [at(1)])
    ledger.capture(sent(0), confirmed('at-0', at(2)))
    expect(sendings(ledger)).toEqual(['at-0 to waits'])
  })
})

describe('a refused submission that its visitor confirmed', () => {
  test('goes nowhere, and on its release everywhere but to the visitor once more', async () => {
    await using ledger = await ledgerWith(ask, thank, hook('waits', true), hook('does-not', false))
    ledger.capture(refused(0), confirmed('at-0', at(1)))
    expect(sendings(ledger)).toEqual([])
    ledger.capture(released('at-0', at(2)))
    expect(sendings(ledger)).toEqual(['at-0 to reply:contact1', 'at-0 to waits', 'at-0 to does-not'])
  })
})

describe('a visitor', () => {
  test('is asked to confirm first, and has the reply afterwards', async () => {
    await using ledger = await ledgerWith(ask, thank)
    ledger.capture(sent(0, { botCheck: passed }))
    expect(sendings(ledger)).toEqual(['at-0 to confirm:contact1'])
    ledger.capture(confirmed('at-0', at(3)))
    expect(sendings(ledger)).toEqual(['at-0 to confirm:contact1', 'at-0 to reply:contact1'])
  })

  test('is asked once a day by a form, and not for a likely duplicate or without a bot check', async () => {
    await using ledger = await ledgerWith(ask)
    const other = { email: 'ben@acme.example', fields: { email: 'ben@acme.example' } }
    ledger.capture(sent(0, { botCheck: passed }), sent(1, { botCheck: passed }), sent(2, other))
    ledger.capture(sent(60, { botCheck: passed, fields: { email: 'ada@acme.example', message: 'Once more' } }))
    expect(sendings(ledger)).toEqual(['at-0 to confirm:contact1'])
  })

  test('is asked when an operator releases what was refused', async () => {
    await using ledger = await ledgerWith(ask, { ...thank, confirmed: false })
    ledger.capture(refused(0), released('at-0', at(5)))
    expect(sendings(ledger)).toEqual(['at-0 to confirm:contact1'])
  })
})
