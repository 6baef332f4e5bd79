// src/ledger/confirmations.ts: what the port guarantees.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import type { Submission } from '../../../../src/ledger/entry.ts'
import { systemClock } from '../../../../src/lib/clock.ts'
import { InlineCommitter } from '../../../../src/storage/sqlite/commit/batch-transaction.ts'
import { GroupCommit } from '../../../../src/storage/sqlite/commit/group-commit.ts'
import { SqliteConfirmations } from '../../../../src/storage/sqlite/ledger/confirmations.ts'
import { submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = Date.UTC(2026, 10, 20)
const ada = 'ada@acme.example'
const sent = (id: string, changes: Partial<Submission> = {}) => submission({ id, receivedAt: at, ...changes })
const of = (submissionId: string) => ({ accountId: 'account-a', submissionId })

let box: AForgettingBox
let confirmations: SqliteConfirmations
beforeEach(() => {
  box = new AForgettingBox()
  const committer = new InlineCommitter(box.database.file, systemClock)
  box.database.onClose(() => committer.close())
  confirmations = new SqliteConfirmations(box.database.reader(), new GroupCommit(committer, systemClock))
  box.capture(sent('first'), sent('other', { email: 'ben@acme.example', fields: { email: 'ben@acme.example' } }))
})
afterEach(() => box[Symbol.asyncDispose]())

const stored = () => box.rows<{ id: string }>('SELECT id FROM ledger WHERE kind = 8').map(({ id }) => id)

describe('a confirmation', () => {
  test('is stored once, however often and however quickly the button is pressed', async () => {
    expect(confirmations.state(of('first'))).toBe('open')
    const presses = Array.from({ length: 5 }, () => confirmations.confirm(of('first'), at + 1))
    expect(await Promise.all(presses)).toEqual(Array(5).fill('confirmed'))
    expect(await confirmations.confirm(of('first'), at + 2)).toBe('confirmed')
    expect(stored()).toEqual(['first'])
  })

  test('counts in a cluster once it is stored there, before the leader has committed it', async () => {
    const groupCommit = { append: () => Promise.resolve() }
    const ofANode = new SqliteConfirmations(box.database.reader(), groupCommit, true)
    expect(await ofANode.confirm(of('first'), at + 1)).toBe('confirmed')
    expect(await ofANode.confirm(of('unknown'), at + 1)).toBe('gone')
  })

  test('of what is not in the account is not stored', async () => {
    expect(await confirmations.confirm(of('unknown'), at)).toBe('gone')
    expect(await confirmations.confirm({ ...of('first'), accountId: 'account-b' }, at)).toBe('gone')
    expect(stored()).toEqual([])
  })

  test('goes with its submission when the person is erased, and cannot be made afterwards', async () => {
    await confirmations.confirm(of('first'), at + 1)
    await confirmations.confirm(of('other'), at + 1)
    box.capture()
    await box.erase(ada)
    expect(stored()).toEqual(['other'])
    expect(await confirmations.confirm(of('first'), at + 2)).toBe('gone')
    expect(stored()).toEqual(['other'])
  })
})
