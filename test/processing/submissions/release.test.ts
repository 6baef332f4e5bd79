// docs/forms.md, "Quarantine": kept apart, and never processed downstream unless an operator releases it.
import { describe, expect, test } from 'bun:test'
import { readBacklog } from '../../../src/storage/sqlite/steps/processing.ts'
import { pageView, released } from '../../report/sample-entries.ts'
import { noon, ProcessedLedger, refused, sent } from './processed-ledger.ts'

const dayMs = 24 * 60 * 60_000

describe('a refused submission', () => {
  test('is nobody’s, and in no figure', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    expect(ledger.facts()).toMatchObject([{ status: 'refused', person: null, lead_source: null, duplicate_of: null }])
    expect(ledger.figures()).toEqual({})
  })

  test('counts once it is released, as a lead of that day and as its person’s', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    expect(await ledger.release('at-0')).toEqual({ outcome: 'released', at: noon + dayMs })
    ledger.process()
    expect(ledger.fact('at-0')).toMatchObject({ person: 'ada@acme.example', released_at: noon + dayMs })
    expect(ledger.figures()).toEqual({ '1 lead contact1': 1, '1 lead_source unknown': 1 })
  })

  test('gives its device to its person when it is released', async () => {
    const view = pageView({ receivedAt: noon - 1, deviceId: 'device-1' })
    await using ledger = new ProcessedLedger(view, refused(0))
    await ledger.release('at-0')
    ledger.process()
    const owners = ledger.connection.raw.query('SELECT device_row FROM device_tie').all()
    expect(owners).toHaveLength(1)
  })

  test('is a likely duplicate when it is released after its sender has tried again', async () => {
    await using ledger = new ProcessedLedger(refused(0), sent(1))
    await ledger.release('at-0')
    ledger.process()
    expect(ledger.duplicates()).toEqual({ 'at-0': 'at-1' })
    expect(ledger.figures()).toMatchObject({ '0 lead contact1': 1, '1 duplicate contact1': 1 })
  })

  test('that is sent again after its release is the one repeated', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    await ledger.release('at-0', 2)
    ledger.capture(sent(5))
    expect(ledger.duplicates()).toEqual({ 'at-5': 'at-0' })
  })
})

describe('a release', () => {
  test('waits for the next step of processing, and is counted once, whichever process takes it', async () => {
    await using ledger = new ProcessedLedger(refused(0), refused(11))
    await ledger.release('at-0')
    await ledger.release('at-11')
    expect(readBacklog(ledger.connection).waiting).toBe(2)
    const [one, other] = [ledger.newSteps(), ledger.newSteps()]
    while (one.run(1) === 'more' || other.run(1) === 'more');
    expect(readBacklog(ledger.connection).waiting).toBe(0)
    expect(ledger.figures()).toEqual({ '1 lead contact1': 2, '1 lead_source unknown': 2 })
  })

  test('that is cut off before its end leaves nothing behind, and is taken up again', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    await ledger.release('at-0')
    expect(() => ledger.stepOnFullDisk()).toThrow('full')
    expect(ledger.fact('at-0').person).toBeNull()
    expect(ledger.figures()).toEqual({})
    ledger.process()
    expect(ledger.figures()).toEqual({ '1 lead contact1': 1, '1 lead_source unknown': 1 })
  })

  test('for a second time says when the first was, and counts nothing more', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    await ledger.release('at-0', 1)
    ledger.process()
    expect(await ledger.release('at-0', 2)).toEqual({ outcome: 'already_released', at: noon + 60_000 })
    ledger.process()
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source unknown': 1 })
  })

  test('for a second time, before the first was processed, says when that was and stores nothing', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    await ledger.release('at-0', 1)
    expect(await ledger.release('at-0', 2)).toEqual({ outcome: 'already_released', at: noon + 60_000 })
    expect(ledger.stored('release')).toEqual([{ id: 'at-0', received_at: noon + 60_000 }])
  })

  test('is processed in its turn: what was captured before it comes first, and what came after it behind', async () => {
    await using ledger = new ProcessedLedger(refused(0))
    ledger.store(sent(1))
    await ledger.release('at-0')
    ledger.store(sent(12))
    ledger.process()
    expect(ledger.duplicates()).toEqual({ 'at-0': 'at-1' })
    await using other = new ProcessedLedger(refused(0))
    await other.release('at-0')
    other.store(sent(1), sent(12))
    other.process()
    expect(other.duplicates()).toEqual({ 'at-1': 'at-0' })
  })

  test('counts in the step in which its submission is processed', async () => {
    await using ledger = new ProcessedLedger()
    ledger.store(refused(0), released('at-0', noon + dayMs))
    ledger.process()
    expect(ledger.fact('at-0')).toMatchObject({ person: 'ada@acme.example', released_at: noon + dayMs })
    expect(ledger.figures()).toEqual({ '1 lead contact1': 1, '1 lead_source unknown': 1 })
  })

  test('of a submission that is gone, was accepted or came from the test page counts nothing', async () => {
    await using ledger = new ProcessedLedger(sent(0), refused(60, { test: true }))
    ledger.capture(...['gone', 'at-0', 'at-60'].map((id) => released(id, noon + dayMs)))
    expect(ledger.setAside()).toEqual([])
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source unknown': 1 })
  })

  test('of a submission that was set aside is set aside with it', async () => {
    await using ledger = new ProcessedLedger()
    ledger.store(refused(0), released('at-0', noon + dayMs), sent(60))
    ledger.connection.raw.run(`UPDATE ledger SET record = '{' WHERE kind = 1 AND id = 'at-0'`)
    ledger.process()
    expect(ledger.setAside()).toEqual(['at-0', 'at-0'])
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source unknown': 1 })
  })

  test('of one that was accepted changes nothing', async () => {
    await using ledger = new ProcessedLedger(sent(0))
    expect(await ledger.release('at-0')).toEqual({ outcome: 'accepted', at: null })
    ledger.process()
    expect(ledger.figures()).toEqual({ '0 lead contact1': 1, '0 lead_source unknown': 1 })
  })

  test('does not exist for a submission of the test page', async () => {
    await using ledger = new ProcessedLedger(refused(0, { test: true }))
    expect(await ledger.release('at-0')).toEqual({ outcome: 'test_page' })
  })

  test('of one that was not processed yet has to wait', async () => {
    await using ledger = new ProcessedLedger()
    ledger.store(refused(0))
    expect(await ledger.release('at-0')).toEqual({ outcome: 'unprocessed' })
    ledger.process()
    expect(await ledger.release('at-0')).toMatchObject({ outcome: 'released' })
  })

  test('reaches no other account', async () => {
    await using ledger = new ProcessedLedger(refused(0), refused(0, { accountId: 'account-b', id: 'of-b' }))
    expect(await ledger.release('at-0', 1, 'account-b')).toEqual({ outcome: 'unknown' })
    expect(await ledger.release('of-b', 1, 'account-b')).toMatchObject({ outcome: 'released' })
    ledger.process()
    expect(ledger.figures()).toEqual({})
    expect(ledger.figures('account-b')).toMatchObject({ '0 lead contact1': 1 })
    expect(ledger.fact('at-0').released_at).toBeNull()
  })

  test('that cannot be processed is set aside, and the others go on', async () => {
    await using ledger = new ProcessedLedger(refused(0), refused(1))
    await ledger.release('at-0')
    await ledger.release('at-1')
    ledger.connection.raw.run(`UPDATE ledger SET record = '{' WHERE kind = 1 AND id = 'at-0'`)
    ledger.process()
    expect(readBacklog(ledger.connection)).toMatchObject({ waiting: 0, setAside: { count: 1 } })
    expect(ledger.figures()).toMatchObject({ '1 lead contact1': 1 })
  })

  test('that cannot be processed is the one set aside, even when somebody else came first to the one before it', async () => {
    await using ledger = new ProcessedLedger(refused(0), refused(11))
    await ledger.release('at-0')
    await ledger.release('at-11')
    ledger.connection.raw.run(`UPDATE ledger SET record = '{' WHERE kind = 1 AND id = 'at-11'`)
    ledger.process(ledger.newSteps(ledger.overtakenBy(ledger.newSteps())))
    expect(ledger.setAside()).toEqual(['at-11'])
    expect(ledger.figures()).toMatchObject({ '1 lead contact1': 1 })
  })
})
