import { describe, expect, test } from 'bun:test'
import { sendMail } from '../../../src/delivery/mail/transport.ts'
import { RecentMap } from '../../../src/lib/recent-map.ts'
import { ownPort } from '../../harness/loopback.ts'
import { TestMailServer } from '../../harness/mail-server.ts'
import { type Reply, scriptedMailServer } from '../../harness/scripted-mail-server.ts'
import { makeTlsAuthority } from '../../harness/tls-authority.ts'
import { aMail, aServer } from './a-mail.ts'

const authority = makeTlsAuthority()
const pair = authority.issue('IP:127.0.0.1', 'DNS:localhost')
const ca = authority.root
const login = { user: 'box', password: 's3cret pass' }
const quick = { connectMs: 400, silenceMs: 400, totalMs: 60_000 }
const mailboxes = (...addresses: string[]) => addresses.map((address) => ({ name: null, address }))

describe('a mail is taken', () => {
  test('over STARTTLS, after a login', async () => {
    await using server = await TestMailServer.start({ pair, login })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, security: 'starttls', login, ca }))
    expect(attempt).toMatchObject({ outcome: 'delivered', status: 250, error: null })
    expect(server.received).toMatchObject([
      { from: 'leads@agency.example', to: ['sales@acme.example'], user: 'box', encrypted: true },
    ])
  })

  test('over TLS from the first byte', async () => {
    await using server = await TestMailServer.start({ pair, secure: true, login })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, security: 'tls', login, ca }))
    expect(attempt).toMatchObject({ outcome: 'delivered' })
    expect(server.received).toMatchObject([{ encrypted: true }])
  })

  test('in the clear on this machine, whatever encryption is offered', async () => {
    await using server = await TestMailServer.start({ pair })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, host: 'localhost' }))
    expect(attempt).toMatchObject({ outcome: 'delivered' })
    expect(server.received).toMatchObject([{ encrypted: false }])
  })

  test('for those who have not had it yet, when some were put off', async () => {
    let busy = true
    await using server = await TestMailServer.start({
      refuse: (recipient) => (recipient.startsWith('later') && busy ? 451 : null),
    })
    const mail = aMail({ to: mailboxes('now@acme.example', 'later@acme.example') })
    const reached = new RecentMap<true>(100)
    const first = await sendMail(mail, aServer({ port: server.port }), { reached })
    expect(first).toMatchObject({
      outcome: 'failed',
      status: 451,
      error: expect.stringContaining('later@acme.example'),
    })
    busy = false
    const second = await sendMail(mail, aServer({ port: server.port }), { reached })
    expect(second).toMatchObject({ outcome: 'delivered', error: null })
    expect(server.received.map(({ to }) => to)).toEqual([['now@acme.example'], ['later@acme.example']])
  })

  test('for those who can have it, and names who cannot', async () => {
    await using server = await TestMailServer.start({
      refuse: (recipient) => (recipient.startsWith('gone') ? 550 : null),
    })
    const mail = aMail({ to: mailboxes('here@acme.example', 'gone@acme.example') })
    const attempt = await sendMail(mail, aServer({ port: server.port }))
    expect(attempt).toMatchObject({
      outcome: 'delivered',
      error: expect.stringContaining('gone@acme.example (550'),
    })
    expect(server.received).toHaveLength(1)
  })
})

describe('nothing is sent', () => {
  test('to a server that does not offer the encryption it has to', async () => {
    await using server = await TestMailServer.start()
    const attempt = await sendMail(aMail(), aServer({ port: server.port, security: 'starttls' }))
    expect(attempt.outcome).toBe('failed')
    expect(attempt.error).toContain('offers no encryption by STARTTLS')
    expect(server.received).toEqual([])
  })

  test.each(['starttls', 'tls'] as const)('to a certificate of an unknown authority, by %s', async (security) => {
    await using server = await TestMailServer.start({ pair, secure: security === 'tls', login })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, security, login }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: null })
    expect(attempt.error).toContain('mail.ca_file')
    expect(server.received).toEqual([])
  })

  test.each(['starttls', 'tls'] as const)('to a certificate for another name, by %s', async (security) => {
    const other = authority.issue('DNS:other.test')
    await using server = await TestMailServer.start({ pair: other, secure: security === 'tls', login })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, host: 'localhost', security, login, ca }))
    expect(attempt.outcome).toBe('failed')
    expect(attempt.error).toContain('for another name; check mail.host')
    expect(server.received).toEqual([])
  })

  test('with an address that is none', async () => {
    await using server = await TestMailServer.start()
    const mail = aMail({ to: mailboxes('a@b.example>\r\nRCPT TO:<x@y.example') })
    expect(await sendMail(mail, aServer({ port: server.port }))).toMatchObject({ outcome: 'failed' })
    expect(server.received).toEqual([])
  })
})

describe('a refusal says what to do:', () => {
  test('the login', async () => {
    await using server = await TestMailServer.start({ pair, login })
    const wrong = { user: 'box', password: 'not the one' }
    const attempt = await sendMail(aMail(), aServer({ port: server.port, security: 'starttls', login: wrong, ca }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: 535 })
    expect(attempt.error).toContain('check mail.user and mail.password')
  })

  test('the sender', async () => {
    await using server = await TestMailServer.start({ refuseSender: () => 553 })
    const attempt = await sendMail(aMail(), aServer({ port: server.port }))
    expect(attempt).toMatchObject({ status: 553, error: expect.stringContaining('set mail.from to an address') })
  })

  test.each([
    [450, 'it is tried again'],
    [550, 'correct the address in `to`'],
  ])('the recipient, %i', async (code, words) => {
    await using server = await TestMailServer.start({ refuse: () => code })
    const attempt = await sendMail(aMail(), aServer({ port: server.port }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: code })
    expect(attempt.error).toContain('sales@acme.example')
    expect(attempt.error).toContain(words)
  })

  test.each([
    [451, 'it is tried again'],
    [554, 'ask the mail server’s operator'],
  ])('the message, %i', async (code, words) => {
    await using server = await TestMailServer.start({ refuseMessage: () => code })
    const attempt = await sendMail(aMail(), aServer({ port: server.port }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: code, error: expect.stringContaining(words) })
  })

  test('nobody on the port', async () => {
    const attempt = await sendMail(aMail(), aServer({ port: ownPort() }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: null })
    expect(attempt.error).toContain('the connection was refused')
  })

  test('a name that nobody has', async () => {
    const attempt = await sendMail(aMail(), aServer({ host: 'mail.invalid' }))
    expect(attempt).toMatchObject({ outcome: 'failed', error: expect.stringContaining('mail.invalid') })
  })
})

describe('a server that misbehaves fails the attempt, and nothing else:', () => {
  const at = (moment: string, reply: Reply) => (line: string) => (line.startsWith(moment) ? reply : null)

  test.each([
    ['the greeting', at('(greeting)', 'silence')],
    ['EHLO', at('EHLO', 'silence')],
    ['RCPT TO', at('RCPT', 'silence')],
    ['the end of the message', at('.', 'silence')],
  ])('silence at %s', async (_, script) => {
    await using server = await scriptedMailServer(script)
    const attempt = await sendMail(aMail(), aServer({ port: server.port }), { limits: quick })
    expect(attempt).toMatchObject({ outcome: 'failed', error: expect.stringContaining('did not answer in time') })
  })

  test.each([
    ['at the greeting', at('(greeting)', 'end')],
    ['at the login', at('AUTH', 'end')],
    ['in the envelope', at('MAIL', 'end')],
    ['after it has taken the message, before it says so', at('.', 'end')],
  ])('closing %s', async (_, script) => {
    await using server = await scriptedMailServer(script)
    const attempt = await sendMail(aMail(), aServer({ port: server.port, login }))
    expect(attempt).toMatchObject({ outcome: 'failed', error: expect.stringContaining('closed') })
  })

  test('421 in the middle', async () => {
    await using server = await scriptedMailServer(at('RCPT', '421 closing for tonight'))
    const attempt = await sendMail(aMail(), aServer({ port: server.port }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: 421 })
  })

  test('a reply without end', async () => {
    await using server = await scriptedMailServer(at('EHLO', `250-${'x'.repeat(100_000)}`))
    expect(await sendMail(aMail(), aServer({ port: server.port }))).toMatchObject({ outcome: 'failed' })
  })

  test('a word now and then, for ever', async () => {
    const words = new Set<ReturnType<typeof setInterval>>()
    using server = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: {
        open: (socket) => void words.add(setInterval(() => socket.write('220-and so on\r\n'), 20)),
        data() {},
        close: () => words.forEach(clearInterval),
      },
    })
    const limits = { connectMs: 60_000, silenceMs: 60_000, totalMs: 300 }
    const attempt = await sendMail(aMail(), aServer({ port: server.port }), { limits })
    expect(attempt).toMatchObject({ outcome: 'failed', error: expect.stringContaining('did not answer in time') })
  })

  test('no answer to QUIT takes nothing back', async () => {
    await using server = await scriptedMailServer(at('QUIT', 'silence'))
    expect(await sendMail(aMail(), aServer({ port: server.port }))).toMatchObject({ outcome: 'delivered' })
  })
})

describe('the exchange', () => {
  test('shows the dialogue in order', async () => {
    await using server = await scriptedMailServer(() => null)
    const { exchange } = await sendMail(aMail(), aServer({ port: server.port }))
    const lines = exchange
      .split('\n')
      .map((line) => line.replace(/\d+ bytes/, 'N bytes').replace(/EHLO .+/, 'EHLO box'))
    expect(lines).toEqual([
      '* N bytes to sales@acme.example',
      `* Connected to 127.0.0.1, port ${server.port}`,
      '< 220 mail.test ESMTP',
      '> EHLO box',
      '< 250-mail.test',
      '< 250 AUTH PLAIN LOGIN',
      '> MAIL FROM:<leads@agency.example>',
      '< 250 ok',
      '> RCPT TO:<sales@acme.example>',
      '< 250 ok',
      '> DATA',
      '< 354 go on',
      '< 250 ok',
    ])
  })

  test.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('keeps a login by %s to itself', async (mechanism) => {
    const inBase64 = (text: string) => Buffer.from(text).toString('base64')
    const proofs: string[] = []
    await using server = await scriptedMailServer((line) => {
      if (line.startsWith('EHLO')) return `250-mail.test\r\n250 AUTH ${mechanism}`
      if (line === 'AUTH LOGIN') return `334 ${inBase64('Username:')}`
      if (line === inBase64(login.user)) return `334 ${inBase64('Password:')}`
      if (line === 'AUTH CRAM-MD5') return `334 ${inBase64('<1.2@mail.test>')}`
      if (line === 'QUIT' || line === '(greeting)') return null
      proofs.push(line.replace('AUTH PLAIN ', ''))
      // A server that gives away what it was given.
      return `535 wrong: ${login.password} ${inBase64(login.password)} ${proofs.at(-1)}`
    })
    const attempt = await sendMail(aMail(), aServer({ port: server.port, login }))
    expect(attempt).toMatchObject({ outcome: 'failed', status: 535 })
    const shown = `${attempt.exchange} ${attempt.error}`
    expect(shown).toContain(`> AUTH ${mechanism}`)
    expect(proofs).not.toEqual([])
    expect(shown).not.toContain(login.password)
    expect(shown).not.toContain(inBase64(login.password))
    // Of CRAM-MD5 it is a digest that is good for one challenge.
    if (mechanism !== 'CRAM-MD5') for (const proof of proofs) expect(shown).not.toContain(proof)
  })
})
