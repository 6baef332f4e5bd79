// docs/privacy.md: a second call finishes an interrupted erasure of whoever sent a submission.
import { expect, test } from 'bun:test'
import { pageView, source, submission } from '../../../report/sample-entries.ts'
import { AForgettingBox } from '../a-forgetting-box.ts'

const at = (minute: number): number => Date.UTC(2026, 10, 20, 9, minute)
const browser = { ...source, userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
const ada = 'ada@customer.example'
const phone = '030 555 0123'

const sent = (id: string, minute: number, email: string | null, deviceId: string | null) =>
  submission({ id, receivedAt: at(minute), email, deviceId, fields: { email, phone } })

test.each([
  [null, 'device-1', 'ledger', 'id'],
  [ada, null, 'ledger', 'id'],
  [ada, 'device-1', 'person', 'email'],
])(
  'the submission that names whom to erase (%p, %p) goes last, as the %s does',
  async (email, device, table, column) => {
    await using box = new AForgettingBox()
    box.capture(
      sent('named', 1, email, device),
      sent('alike', 2, 'ben@customer.example', null),
      pageView({ id: 'view', deviceId: 'device-1', receivedAt: at(3), source: browser }),
      ...(email === null ? [] : [sent('own', 4, email, null)]),
    )
    // Interrupted once the named one is to go, or its person.
    box.connection.raw.run(`CREATE TRIGGER last BEFORE DELETE ON ${table} WHEN old.${column} IN ('named', '${ada}')
    BEGIN SELECT RAISE(ABORT, 'killed'); END`)
    const query = { email, recipients: [], accountId: 'account-a', sent: { ids: ['named'], reach: 'sender' as const } }
    await expect(box.erasure.erase(query)).rejects.toThrow('killed')
    const others = device === null ? ['view'] : []
    expect(box.ids()).toEqual(['named', ...others])
    box.connection.raw.run('DROP TRIGGER last')
    box.refold()
    await box.erasure.erase(query)
    expect([box.ids(), box.rows('SELECT email FROM person')]).toEqual([others, []])
  },
)
