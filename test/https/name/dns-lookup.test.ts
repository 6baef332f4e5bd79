import { expect, test } from 'bun:test'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { decode, encode, type Packet, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet'
import { DnsLookup } from '../../../src/https/name/dns-lookup.ts'

const name = 'go.acme.com'
const never = new AbortController().signal

/** A DNS server whose datagrams a test makes of the query, and that answers whole over TCP. */
async function server(replies: (query: Packet) => Buffer[], whole: (query: Packet) => Packet) {
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    // In two pieces, as networks may have it.
    socket.once('data', (data) => {
      const answer = streamEncode(whole(decode(Buffer.from(data).subarray(2))))
      socket.write(answer.subarray(0, 5))
      setImmediate(() => socket.end(answer.subarray(5)))
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  const { port } = tcp.address() as { port: number }
  const udp = createSocket('udp4')
  udp.on('message', (query, sender) => {
    for (const reply of replies(decode(query))) udp.send(reply, sender.port, sender.address)
  })
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve))
  return {
    dns: new DnsLookup([{ host: '127.0.0.1', port }]),
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => udp.close(() => resolve()))
      await new Promise((resolve) => tcp.close(resolve))
    },
  }
}

const answerTo = ({ id = 0, questions = [] }: Packet, data: string, flags = 0): Packet => ({
  ...{ type: 'response', id, flags, questions },
  answers: [{ type: 'TXT', name, ttl: 60, data }],
})
const nothing = (query: Packet): Packet => answerTo(query, 'over TCP')

test('an answer that was cut is asked for again over TCP', async () => {
  await using found = await server((query) => [encode(answerTo(query, 'cut', TRUNCATED_RESPONSE))], nothing)
  expect(await found.dns.texts(name, never)).toEqual({ kind: 'records', records: ['over TCP'], alias: null })
})

test('a reply to another question, with another id, or that is none at all, is passed over', async () => {
  await using found = await server((query) => {
    const { id = 0, questions = [] } = query
    const elsewhere = questions.map((question) => ({ ...question, name: 'evil.example' }))
    return [
      Buffer.from('?'),
      encode(answerTo({ id: (id + 1) % 65_536, questions }, 'forged')),
      encode(answerTo({ id, questions: elsewhere }, 'forged')),
      encode({ type: 'query', id, questions }),
      encode(answerTo(query, 'true')),
    ]
  }, nothing)
  expect(await found.dns.texts(name, never)).toMatchObject({ records: ['true'] })
})

test('a reply that cannot be read is a failure', async () => {
  await using found = await server((query) => [encode(answerTo(query, 'x')).subarray(0, -4)], nothing)
  expect(await found.dns.texts(name, never)).toEqual({ kind: 'failed', code: 'unreadable' })
})

test('the parts of a text are one text', async () => {
  const long = 'x'.repeat(255)
  await using found = await server((query) => {
    const answer = answerTo(query, '')
    return [encode({ ...answer, answers: [{ type: 'TXT', name, ttl: 60, data: [long, 'end'] }] })]
  }, nothing)
  expect(await found.dns.texts(name, never)).toMatchObject({ records: [`${long}end`] })
})

test('a server that does not exist is a failure, and ends nothing else', async () => {
  const lookups = [
    { host: 'nowhere.invalid', port: 53 },
    { host: '127.0.0.1', port: 9 },
  ].map(async (address) => {
    const answer = await new DnsLookup([address]).texts(name, never)
    expect(answer).toMatchObject({ kind: 'failed' })
  })
  await Promise.all(lookups)
})

test('the signal ends a question at once', async () => {
  await using found = await server(() => [], nothing)
  const ending = new AbortController()
  const answer = found.dns.texts(name, ending.signal)
  ending.abort()
  expect(await answer).toEqual({ kind: 'failed', code: 'timeout' })
})
