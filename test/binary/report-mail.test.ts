// Reports by mail (docs/reports.md), with the executable and a real SMTP server.
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import PostalMime from 'postal-mime'
import { aSite } from '../harness/a-site.ts'
import { type ReceivedMail, TestMailServer } from '../harness/mail-server.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { deliveriesBecome, deliveriesOf } from './harness/delivery-box.ts'

const dayMs = 86_400_000

const aReport = { name: 'daily', kind: 'report', to: ['owner@acme.example'], every: 'day' }

const reportingBox = (server: TestMailServer): Promise<BinaryBox> =>
  BinaryBox.make({
    mail: { host: '127.0.0.1', port: server.port, security: 'none', from: 'Agency <leads@agency.example>' },
  })

const parsed = (mail: ReceivedMail | undefined) => PostalMime.parse(Buffer.from(mail?.raw ?? '', 'latin1'))

/** A time zone in which it is about noon now, so that no 07:00 passes while a test runs. */
function noonZone(): string {
  const east = 12 - new Date().getUTCHours()
  // Their signs are those of POSIX.
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`
}

/** As if it had been published a day ago: one 07:00 has passed since. */
function publishedADayAgo({ databaseFile }: BinaryBox): void {
  using database = new Database(databaseFile)
  database.run('UPDATE destination SET created_at = ?', [Date.now() - dayMs])
}

test('a report that was due while the box was off is sent when it is back, and not again after a kill', async () => {
  await using server = await TestMailServer.start()
  await using box = await reportingBox(server)
  const timezone = noonZone()
  await box.apply(aSite({ timezone, deliveries: [aReport] }))
  publishedADayAgo(box)
  {
    await using service = await box.serve()
    await deliveriesBecome(box, 'the report is sent', ([row]) => row?.state === 'delivered')
    service.signal('SIGKILL')
    await service.ended()
  }
  await using _again = await box.serve()
  await box.apply(aSite({ timezone, deliveries: [aReport, { ...aReport, name: 'other' }] }))
  publishedADayAgo(box)
  // The other one shows that reports were looked for since.
  const rows = await deliveriesBecome(box, 'another destination has its own', (rows) =>
    rows.some(({ destination, state }) => destination === 'other' && state === 'delivered'),
  )
  expect(rows.map(({ destination, attempts }) => [destination, attempts]).sort()).toEqual([
    ['daily', 1],
    ['other', 1],
  ])
  const mails = await Promise.all(server.received.map(parsed))
  expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(2)
  expect(mails).toHaveLength(2)
})

test('a test of the destination sends the last whole period as a marked example, and counts as none', async () => {
  await using server = await TestMailServer.start()
  await using box = await reportingBox(server)
  await box.apply(aSite({ timezone: 'Europe/Berlin', deliveries: [{ ...aReport, every: 'month' }] }))
  const { status, stdout } = await box.run(['delivery', 'test', 'acme', 'daily'])
  expect(status).toBe(0)
  expect(stdout).toContain('> RCPT TO:<owner@acme.example>')
  const mail = await parsed(server.received[0])
  expect(mail.subject).toMatch(/^\[Example\] The acme studio: [A-Z][a-z]+ \d{4}, no leads$/)
  expect(mail.from).toEqual({ name: 'The acme studio', address: 'leads@agency.example' })
  expect(mail.html).toContain('This is an example')
  expect(mail.text).toContain('This is an example')
  expect(await deliveriesOf(box)).toEqual([])
})
