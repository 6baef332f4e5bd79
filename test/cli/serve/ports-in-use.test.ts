import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../../harness/a-site.ts'
import { Box, boxStartMsMax } from '../../harness/box.ts'

// `listen` on port 0 leaves the port to the service; what commands print must lead there.

let box: Box

beforeAll(async () => {
  box = await Box.start([aSite({ files: { 'pages/launch.html': 'Launch' } })], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
})

test('an invitation leads to the console that runs', async () => {
  const { stdout } = await box.run(['user', 'invite', 'owner@agency.example', '--owner', '--json'])
  expect(new URL(JSON.parse(stdout).link).port).toBe(`${box.consolePort}`)
})

test('the address of a page leads to the service that runs', async () => {
  const { stdout } = await box.run(['page', 'list', 'acme', '--json'])
  expect(stdout).toContain(`:${box.port}/`)
})
