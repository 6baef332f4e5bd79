import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { LaterVersion } from '../harness/later-version.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { NotifySocket } from './harness/notify-socket.ts'
import { RunningProgram } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'

// What the executable tells the service manager that started it, over a real socket (sd_notify(3)).

/** Longer than the writing thread is waited for, so that a beat that is late is late because of it. */
const watchdogMs = 3000

const told = (manager: NotifySocket) => ({
  NOTIFY_SOCKET: manager.name,
  WATCHDOG_USEC: String(watchdogMs * 1000),
})

for (const kind of ['path', 'abstract'] as const) {
  test(`it says over a socket (${kind}) when it is ready, what it serves, and when it stops`, async () => {
    await using box = await BinaryBox.make()
    await box.apply(aSite())
    await using manager = new NotifySocket(kind)
    await using server = await box.serve({ NOTIFY_SOCKET: manager.name })
    const ready = await manager.hears(/^READY=1\nSTATUS=Serving 1 account on 1 domain, \d+\.\d+\.\d+$/)
    expect(ready).toBe(0)
    expect((await server.send(formRequest())).status).toBe(200)
    await server.stop()
    await manager.hears(/^STOPPING=1$/)
    expect(manager.messages.filter((message) => message.includes('WATCHDOG'))).toEqual([])
  })
}

test('its status follows what is published', async () => {
  await using box = await BinaryBox.make()
  await using manager = new NotifySocket()
  await using _server = await box.serve({ NOTIFY_SOCKET: manager.name })
  await manager.hears(/STATUS=Serving 0 accounts on 0 domains/)
  await box.apply(aSite({ domains: ['go.acme.test', 'www.go.acme.test'] }))
  await manager.hears(/^STATUS=Serving 1 account on 2 domains/)
})

test('it gives signs of life, none while another process keeps it from committing, and more once it can', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using manager = new NotifySocket()
  await using server = await box.serve(told(manager))
  await manager.hears(/^WATCHDOG=1$/)
  using other = new Database(box.databaseFile, { readwrite: true, strict: true })
  other.run('PRAGMA busy_timeout = 60000')
  other.run('BEGIN IMMEDIATE')
  await server.says('stderr', /The writing thread failed/)
  const beats = () => manager.messages.filter((message) => message === 'WATCHDOG=1').length
  const before = beats()
  const page = await server.send(getRequest('/nowhere'))
  expect(page.status).toBe(404)
  expect(beats()).toBe(before)
  const silentFrom = manager.messages.length
  other.run('ROLLBACK')
  await manager.hears(/^WATCHDOG=1$/, silentFrom)
})

test('a watchdog that is set for another process gets no signs of life', async () => {
  await using box = await BinaryBox.make()
  await using manager = new NotifySocket()
  await using server = await box.serve({ ...told(manager), WATCHDOG_USEC: '30000', WATCHDOG_PID: '1' })
  await manager.hears(/READY=1/)
  await server.stop()
  expect(manager.messages.filter((message) => message === 'WATCHDOG=1')).toEqual([])
})

test('a database that holds data and has to be migrated gets time for it, before it is ready', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  const later = LaterVersion.make(`${box.dir}/later`, ['CREATE TABLE later (a integer)'])
  const [executable = '', ...words] = later.command
  await using manager = new NotifySocket()
  const told = { executable, cwd: box.dir, env: { NOTIFY_SOCKET: manager.name } }
  await using _serving = new RunningProgram([...words, 'serve', '--config', box.configFile], told)
  await manager.hears(/^EXTEND_TIMEOUT_USEC=3\d{8}\nSTATUS=Migrating the database$/)
  expect(manager.messages[0]).toStartWith('EXTEND_TIMEOUT_USEC')
})

test('a socket that nobody listens on costs nothing but the news', async () => {
  await using box = await BinaryBox.make()
  await box.apply(aSite())
  await using server = await box.serve({ NOTIFY_SOCKET: `${box.dir}/nobody`, WATCHDOG_USEC: '300000' })
  expect((await server.send(formRequest())).status).toBe(200)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
  expect(server.stderr).not.toContain('"level":"error"')
})
