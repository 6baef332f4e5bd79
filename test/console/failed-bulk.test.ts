import { expect, test } from 'bun:test'
import type { AuditEntry } from '../../src/console/audit/audit-log.ts'
import { removeMany } from '../../src/console/inbox/bulk.ts'

test('a bulk removal that fails part-way is in the audit log, with each submission', async () => {
  const entries: AuditEntry[] = []
  const box = {
    clock: { now: () => 0 },
    audit: { add: async (entry: AuditEntry) => void entries.push(entry) },
    submissions: { find: async (_: string, id: string) => (id === 'nothing' ? null : {}) },
    signingKeys: {},
    erasure: async () => ({ erase: () => Promise.reject(new Error('disk I/O error')) }),
  }
  const caller = { kind: 'user', userId: 'user-1', email: 'ada@agency.example' }
  const asked = { account: { id: 'account-a' }, caller, address: '192.0.2.1', ids: ['one', 'nothing', 'two'] }
  const removing = removeMany(asked as never, box as never)
  await expect(removing).rejects.toThrow('disk I/O error')
  expect(entries.map(({ action, accountId, subject, outcome }) => [action, accountId, subject, outcome])).toEqual([
    ['submission.remove', 'account-a', 'one', 'failed'],
    ['submission.remove', 'account-a', 'two', 'failed'],
  ])
})
