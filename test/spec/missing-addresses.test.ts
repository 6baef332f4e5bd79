// docs/redirects.md, "Missing addresses".
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { missingPathsPerDayMax } from '../../src/capture/missing-log.ts'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

let box: Box

beforeAll(async () => {
  const acme = aSite({
    files: { 'pages/launch.html': '<title>Launch</title>', 'pages/404.html': '<title>Lost</title>' },
    redirects: [{ from: '/spring', to: '/launch' }],
  })
  box = await Box.start([acme, aSite({ account: 'bold' })])
}, boxStartMsMax)

afterAll(() => box.stop())

interface Missing {
  path: string
  count: number
}

async function missing(account = 'acme'): Promise<Missing[]> {
  const { stdout } = await box.run(['report', account, '--json'])
  return (JSON.parse(stdout) as { missing: Missing[] }).missing
}

test('requests for what is not there are counted by path, most first, and nothing else is', async () => {
  const notCounted = [
    visit('/launch'),
    visit('/spring'),
    visit('/launch/'),
    visit('/_svc/nothing'),
    visit('/_svc/img/none.png'),
    visit('/old', { method: 'HEAD' }),
    visit('/old', { method: 'POST' }),
    visit('/old', { headers: { 'user-agent': 'Googlebot/2.1' } }),
    visit('/old', { headers: { 'user-agent': null } }),
  ]
  const counted = ['/old?a=1', '/old/', '/old', '/a/b', '/mail/jane@example.com', '/a/b'].map((path) => visit(path))
  for (const request of [...notCounted, ...counted]) await box.send(request)
  await box.send(visit('/bold-old', { account: 'bold' }))
  await eventually('the counts are written', async () => (await missing('bold')).length > 0)
  expect(await missing()).toEqual([
    { path: '/old', count: 3 },
    { path: '/a/b', count: 2 },
    { path: '/mail/-', count: 1 },
  ])
  expect(await missing('bold')).toEqual([{ path: '/bold-old', count: 1 }])
})

test('a report names all that are counted in a day', async () => {
  for (let i = 0; i < missingPathsPerDayMax; i++) await box.send(visit(`/bold-${i}`, { account: 'bold' }))
  await eventually('the counts are written', async () => (await missing('bold')).length === missingPathsPerDayMax)
})

test('they explain why nothing arrives', async () => {
  await eventually('the counts are written', async () => (await missing()).length > 0)
  const { stdout } = await box.run(['refusals', 'acme', '--json'])
  expect(JSON.parse(stdout).missing[0]).toEqual({ path: '/old', count: 3 })
  expect((await box.run(['refusals', 'acme'])).stdout).toMatch(/Asked for where nothing is .*\n\/old +3/)
})

test('a report says so in words', async () => {
  await eventually('the counts are written', async () => (await missing()).length > 0)
  expect((await box.run(['report', 'acme'])).stdout).toMatch(/Asked for where nothing is\n.*\n +3 +\/old/)
})
