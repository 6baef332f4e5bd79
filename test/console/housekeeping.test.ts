import { expect, test } from 'bun:test'
import type { ConsoleBox } from '../../src/console/console-box.ts'
import { eraseOutdated } from '../../src/console/housekeeping.ts'

const day = 86_400_000
const now = 1000 * day

test('sessions and shared reports go when they are over, tokens after 90 days, answers after one, failed uploads after an hour, the audit log and invitations after 400', async () => {
  const erased: [string, number][] = []
  const noting = (name: string) => async (at: number) => {
    erased.push([name, at])
    return 0
  }
  const box = {
    sessions: { eraseOver: noting('sessions') },
    tokens: { eraseOld: noting('tokens') },
    users: { eraseInvitationsBefore: noting('invitations') },
    shares: { eraseOver: noting('shares') },
    idempotency: { eraseBefore: noting('answers') },
    audit: { eraseBefore: noting('audit') },
    uploads: { eraseKeptBefore: noting('uploads') },
    clock: { now: () => now },
  }
  await eraseOutdated(box as unknown as ConsoleBox)
  expect(Object.fromEntries(erased)).toEqual({
    sessions: now,
    shares: now,
    tokens: now - 90 * day,
    answers: now - day,
    audit: now - 400 * day,
    invitations: now - 400 * day,
    uploads: now - day / 24,
  })
})
