import { expect, test } from 'bun:test'
import { connect } from 'node:net'
import { parseDescriptorLimit } from '../../src/listener/assets/downloads.ts'
import { parseSendQueues, peerKey, readSendQueues } from '../../src/listener/peer-source.ts'

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n'

test('the send queue of an IPv4 peer is read', () => {
  const row = '   0: 0100007F:1F90 0200007F:BEC8 01 00380E9D:00000000 01:00000014 00000000     0        0 12345 1 0\n'
  expect([...parseSendQueues(head + row)]).toEqual([['127.0.0.2 48840', 0x380e9d]])
})

test('of an IPv6 peer, and of an IPv4 one as an IPv6 socket shows it', () => {
  const local = '00000000000000000000000001000000:1F90'
  const rows = [
    `   0: ${local} B80D0120000000000000000001000000:C000 01 00000010:00000000 00:00000000 0\n`,
    `   1: ${local} 0000000000000000FFFF00000200007F:C001 01 00000020:00000000 00:00000000 0\n`,
  ]
  expect([...parseSendQueues(head + rows.join(''))]).toEqual([
    ['2001:db8::1 49152', 16],
    ['127.0.0.2 49153', 32],
  ])
})

test('what a peer has not read is in its queue, on this machine', async () => {
  const enough = 16 * 1024 * 1024
  using server = Bun.listen({
    hostname: '127.0.0.1',
    port: 0,
    socket: { data: () => {}, open: (socket) => void socket.write(new Uint8Array(enough)) },
  })
  const client = connect({ host: '127.0.0.1', port: server.port })
  client.pause()
  await new Promise((resolve) => client.once('connect', resolve))
  const key = peerKey({ address: '127.0.0.1', port: client.localPort ?? 0 })
  const queues = await readSendQueues()
  client.destroy()
  if (process.platform === 'linux') expect(queues?.get(key)).toBeGreaterThan(0)
  else expect(queues).toBeNull()
})

test.each([
  ['256', 256],
  ['unlimited', Number.POSITIVE_INFINITY],
])('a limit of %s descriptors is read', (soft, expected) => {
  const limits = `Limit                     Soft Limit           Hard Limit           Units     \nMax open files            ${soft}                  524288               files     \n`
  expect(parseDescriptorLimit(limits)).toBe(expected)
})

test('limits that do not say are none', () => {
  expect(parseDescriptorLimit('Max locked memory 1 1 bytes')).toBeNull()
})
