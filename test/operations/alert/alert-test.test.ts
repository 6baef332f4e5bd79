import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'
import { TestMailServer } from '../../harness/mail-server.ts'
import { Receiver } from '../../harness/receiver.ts'

let server: TestMailServer
let chat: Receiver
let box: Box
beforeAll(async () => {
  server = await TestMailServer.start()
  chat = new Receiver()
  const mail = { host: '127.0.0.1', port: server.port, security: 'none', from: 'Agency <box@agency.example>' }
  const alerts = { to: ['ops@agency.example'], url: chat.url('/services/T0/B0/secret-part') }
  box = await Box.start([aSite()], { mail, alerts })
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  await server[Symbol.asyncDispose]()
  await chat[Symbol.asyncDispose]()
})

test('`alert test` sends by each way, prints the exchanges, and no secret', async () => {
  const { status, stdout } = await box.run(['alert', 'test'])
  expect(status).toBe(0)
  expect(stdout).toContain('RCPT TO:<ops@agency.example>')
  expect(stdout).not.toContain('secret-part')
  expect(JSON.parse(chat.received[0]?.body ?? '').text).toContain('Nothing is wrong.')
  expect(server.received).toMatchObject([{ to: ['ops@agency.example'] }])
})

test('it fails where one of them is not accepted', async () => {
  chat.answer = () => new Response('no_service', { status: 404 })
  const { status, stdout } = await box.run(['alert', 'test', '--json'])
  expect(status).toBe(1)
  expect(JSON.parse(stdout).channels).toMatchObject([
    { channel: 'mail', delivered: true },
    { channel: 'url', delivered: false, status: 404 },
  ])
})
