import { expect, test } from 'bun:test'
import { connect, createServer, type Socket } from 'node:net'
import { inTime } from '../../src/lib/in-time.ts'

test('what has arrived while the process was kept from running is not late', async () => {
  const met = Promise.withResolvers<Socket>()
  const server = createServer(met.resolve).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const client = connect(port, '127.0.0.1')
  const other = await met.promise
  const message = new Promise<string>((resolve) => client.once('data', (bytes) => resolve(String(bytes))))
  const heard = inTime(message, 20)
  other.write('free')
  Bun.sleepSync(100)
  expect(await heard).toBe('free')
  client.destroy()
  server.close()
})

test('a process that was kept from running for longer than it waits goes on waiting', async () => {
  const heard = Promise.withResolvers<string>()
  const waiting = inTime(heard.promise, 1000)
  Bun.sleepSync(1200)
  setTimeout(() => heard.resolve('free'), 50)
  expect(await waiting).toBe('free')
})

test('what never comes is late', async () => {
  expect(await inTime(new Promise(() => {}), 1)).toBe('late')
})
