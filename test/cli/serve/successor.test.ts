import { expect, test } from 'bun:test'
import type { Socket } from 'bun'
import { ControlConnection, type Message } from '../../../src/cli/serve/control-socket.ts'
import { ServiceManager } from '../../../src/cli/serve/service-manager.ts'
import { Successor } from '../../../src/cli/serve/successor.ts'

/** What a new process is given to become ready. */
const readyMs = 60_000
/** Between two signs of life; after more than six without one it counts as hanging. */
const beatMs = 20

/** A process that takes over and says what it is told to. Its time began so long ago. */
function takingOver(beganMsAgo: number, said: Message[], watchMs = 0, monotonicMs = () => performance.now()) {
  const told: string[] = []
  const socket = {
    write: (bytes: Uint8Array) => {
      told.push(Buffer.from(bytes).toString())
      return bytes.length
    },
    end: () => {},
  }
  const connection = new ControlConnection(socket as unknown as Socket<ControlConnection>)
  for (const message of said) connection.take(Buffer.from(`${JSON.stringify(message)}\n`))
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
  const parts = { beatMs, connection, pid: 4711, child: null, asker: null, watchMs, monotonicMs, log }
  return { connection, told, successor: new Successor({ ...parts, startedAtMs: monotonicMs() - beganMsAgo }) }
}

const manager = new ServiceManager(null, null)

test('one that is not ready within 60 s is none', async () => {
  const { successor } = takingOver(readyMs, [])
  expect(await successor.succeeds(manager)).toEqual({
    isService: false,
    why: 'it was not ready within 60 s',
    snapshot: null,
  })
})

test('one that changes the database is given more time', async () => {
  const { successor, told } = takingOver(readyMs, [{ say: 'migrating', megabytes: 1 }, { say: 'ready' }])
  expect(await successor.succeeds(manager)).toEqual({ isService: true })
  expect(told.join('')).toContain('"yours"')
})

test('one that has changed the database and is ready is the service for good, without a watch', async () => {
  const { successor } = takingOver(0, [{ say: 'migrated', snapshot: 'a.db' }, { say: 'ready' }], readyMs)
  expect(await successor.succeeds(manager)).toEqual({ isService: true })
})

test('one that says why it cannot is believed, with the snapshot to put back', async () => {
  const said: Message[] = [
    { say: 'migrated', snapshot: 'a.db' },
    { say: 'failed', why: 'a reason' },
  ]
  const { successor } = takingOver(0, said)
  expect(await successor.succeeds(manager)).toEqual({ isService: false, why: 'a reason', snapshot: 'a.db' })
})

test('one that goes away while it is watched is none', async () => {
  const { successor, connection } = takingOver(0, [{ say: 'ready' }], readyMs)
  const outcome = successor.succeeds(manager)
  connection.over()
  expect(await outcome).toEqual({ isService: false, why: 'it ended', snapshot: null })
})

test('one that says that it fails while it is watched is none at once', async () => {
  const { successor } = takingOver(0, [{ say: 'ready' }, { say: 'failed', why: 'a reason' }], readyMs)
  expect(await successor.succeeds(manager)).toEqual({ isService: false, why: 'a reason', snapshot: null })
})

test('one that is told to stop while it is watched stays the service', async () => {
  const { successor } = takingOver(0, [{ say: 'ready' }, { say: 'stopping' }], readyMs)
  expect(await successor.succeeds(manager)).toEqual({ isService: true })
})

test('one that is silent for too many beats while it is watched is none', async () => {
  const { successor } = takingOver(0, [{ say: 'ready' }], readyMs)
  expect(await successor.succeeds(manager)).toMatchObject({ isService: false, why: 'it could not store for 30 s' })
})

test('one that is silent while the machine stands still stays the service', async () => {
  let nowMs = 0
  const standingStill = () => (nowMs += readyMs)
  const { successor, connection } = takingOver(0, [{ say: 'ready' }], 100 * readyMs, standingStill)
  const outcome = successor.succeeds(manager)
  // Due before the seventh beat can be, however late both are.
  setTimeout(() => connection.take(Buffer.from('{"say":"stopping"}\n')), 3 * beatMs)
  expect(await outcome).toEqual({ isService: true })
  expect(nowMs).toBeLessThan(100 * readyMs)
})

test('what is no message of ours is passed over', async () => {
  const { successor, connection } = takingOver(0, [])
  connection.take(Buffer.from('no JSON\n[1]\nnull\n{"other":1}\n{"say":"rea'))
  connection.take(Buffer.from('dy"}\n'))
  expect(await successor.succeeds(manager)).toEqual({ isService: true })
})
