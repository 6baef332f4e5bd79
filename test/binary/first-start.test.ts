import { expect, test } from 'bun:test'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json'
import { sendRequest } from '../harness/http.ts'
import { BinaryBox } from './harness/binary-box.ts'
import { RunningProgram, runProgram } from './harness/program.ts'
import { getRequest } from './harness/requests.ts'

test('on an empty folder it makes its data, for its owner alone, answers, and ends well when told to', async () => {
  await using box = await BinaryBox.make()
  await using server = await box.serve()
  const answer = await server.send(getRequest('/'))
  expect(answer.status).toBe(404)
  expect(statSync(box.dataDir).mode & 0o777).toBe(0o700)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
})

test('without a configuration it listens where its defaults say, with its data in the current folder', async () => {
  await using box = await BinaryBox.make()
  const env = { CAPTURE_SERVER_LISTEN: '127.0.0.1:0' }
  const cwd = join(box.dir, 'elsewhere')
  const made = await runProgram(['version'], { executable: box.executable, cwd: box.dir })
  expect(made.status).toBe(0)
  await Bun.write(join(cwd, 'note.txt'), '')
  await using server = new RunningProgram(['serve'], { executable: box.executable, cwd, env })
  const [, port] = await server.says('stderr', /"message":"Listening\.".*?"port":(\d+)/)
  expect((await sendRequest(Number(port), getRequest('/'))).status).toBe(404)
  expect(existsSync(join(cwd, 'data/capture.db'))).toBe(true)
  expect((await server.stop()).status).toBe(0)
})

test('a second server on the same data says who holds it, and leaves the first alone', async () => {
  await using box = await BinaryBox.make()
  await using server = await box.serve()
  const second = await box.run(['serve'])
  expect(second.status).toBe(1)
  expect(second.stderr).toContain(`in use by process ${server.pid}`)
  expect((await server.send(getRequest('/'))).status).toBe(404)
})

test('a port that is taken is said with the key to change', async () => {
  await using box = await BinaryBox.make()
  await using other = await BinaryBox.make()
  await using server = await box.serve()
  const env = { CAPTURE_SERVER_LISTEN: `127.0.0.1:${server.port}` }
  const surroundings = { executable: box.executable, cwd: other.dir, env }
  const { status, stderr } = await runProgram(['serve', '--config', other.configFile], surroundings)
  expect(status).toBe(1)
  expect(stderr).toContain(`127.0.0.1:${server.port}`)
  expect(stderr).toContain('listen')
  expect(stderr).not.toContain('internal error')
})

test('version, help and the configuration commands need no data folder and make none', async () => {
  await using box = await BinaryBox.make()
  expect(await box.done(['version'])).toContain(packageJson.version)
  expect(await box.done(['help'])).toContain('serve')
  expect(await box.done(['help', 'serve'])).toContain('--demo')
  expect(await box.done(['help', 'your-leads'])).toContain('Your leads and figures')
  expect(await box.done(['config', 'check'])).toContain(box.configFile)
  expect(readdirSync(box.dir)).toEqual(['capture.toml'])
})

test('the example configuration it prints is one that it accepts', async () => {
  await using box = await BinaryBox.make()
  await Bun.write(box.configFile, await box.done(['config', 'example']))
  expect((await box.run(['config', 'check'])).status).toBe(0)
})

test('a fault in the configuration stops the start with its line and the key that was meant', async () => {
  await using box = await BinaryBox.make()
  await Bun.write(box.configFile, '[server]\nlisen = "127.0.0.1:0"\n')
  const { status, stderr } = await box.run(['serve'])
  expect(status).toBe(1)
  expect(stderr).toContain('capture.toml:2')
  expect(stderr).toContain('"listen"')
})

test('an unknown command is wrong usage', async () => {
  await using box = await BinaryBox.make()
  expect((await box.run(['srve'])).status).toBe(2)
})
