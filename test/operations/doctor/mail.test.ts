import { expect, test } from 'bun:test'
import type { MailConfig } from '../../../src/config/delivery.ts'
import { examineMail } from '../../../src/operations/doctor/deliveries.ts'
import { TestMailServer } from '../../harness/mail-server.ts'

const noMail: MailConfig = {
  host: null,
  port: 587,
  security: 'starttls',
  user: null,
  password: null,
  from: null,
  senders: [],
  ca: null,
}
const login = { user: 'box', password: 's3cret' }
const from = { name: null, address: 'leads@agency.example' }
const at = ({ port }: { port: number }): MailConfig => ({ ...noMail, host: '127.0.0.1', port, security: 'none', from })
const nameOf = (handle: string) => handle.toUpperCase()
const withAccounts = (...handles: string[]) => ({ mailingAccounts: () => handles })

test('a box without a mail server is well as long as no account wants mail', async () => {
  expect(await examineMail(noMail, withAccounts(), nameOf)).toEqual([])
  expect(await examineMail(noMail, withAccounts('acme', 'bold'), nameOf)).toEqual([
    {
      check: 'mail',
      status: 'warning',
      found: 'ACME, BOLD should get mail, but this box sends none.',
      advice: 'Set `host` and `from` under `[mail]` in `capture.toml`, and restart the box.',
      accounts: ['acme', 'bold'],
      settings: { table: 'mail', lines: expect.stringContaining('host = ') },
    },
  ])
})

test('a mail server that lets the box in is well, and gets no mail', async () => {
  await using server = await TestMailServer.start({ login })
  const [result] = await examineMail({ ...at(server), ...login }, withAccounts(), nameOf)
  expect(result).toMatchObject({ status: 'ok', found: `127.0.0.1:${server.port} takes mail of this box as box.` })
  expect(server.received).toEqual([])
})

test('a mail server that does not is a warning that says what to do, and never the password', async () => {
  await using server = await TestMailServer.start({ login })
  const [result] = await examineMail({ ...at(server), user: 'box', password: 'another' }, withAccounts(), nameOf)
  expect(result?.status).toBe('warning')
  expect(result?.found).toContain('check mail.user and mail.password')
  expect(JSON.stringify(result)).not.toContain('another')
})

test('a mail server that is away is a warning', async () => {
  const server = await TestMailServer.start()
  await server[Symbol.asyncDispose]()
  const [result] = await examineMail(at(server), withAccounts(), nameOf)
  expect(result?.found).toContain('the connection was refused')
})
