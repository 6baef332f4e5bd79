// docs/publishing.md: an apply that returns is live.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { unlessAdopted } from '../../src/operations/apply/apply-folder.ts'
import { aSite } from '../harness/a-site.ts'
import { ApiClient } from '../harness/api-client.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { visit } from '../harness/visits.ts'
import { zipOf } from '../harness/zips.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

const rounds = [1, 2, 3, 4, 5]
const page = (round: number) => `<h1>Round ${round}</h1>`

test('the first visitor after an apply sees what it published', async () => {
  for (const round of rounds) {
    await box.apply(aSite({ files: { 'pages/launch.html': page(round) } }))
    expect((await box.send(visit('/launch'))).text).toBe(page(round))
  }
})

test('so does the first one after an apply by the API', async () => {
  const publisher = await ApiClient.withToken(box, '--box', '--scope', 'publish')
  for (const round of rounds) {
    const toml = 'account = "zipped"\nname = "Zipped"\ndomains = ["go.zipped.test"]\n'
    const zip = zipOf({ 'site.toml': toml, 'pages/launch.html': page(round) })
    const path = round === 1 ? '/accounts/apply' : '/accounts/zipped/apply'
    await publisher.call('POST', path, zip, { 'content-type': 'application/zip' })
    expect((await box.send(visit('/launch', { account: 'zipped' }))).text).toBe(page(round))
  }
})

test('an apply says so when the running service does not take it over', async () => {
  let seconds = 0
  const clock = { now: () => 0, monotonicMs: () => 1000 * seconds++ }
  const accounts = { revision: async () => '8' }
  const seeing = (revision: string | null) =>
    unlessAdopted({ accounts: accounts as never, clock, adoptedRevision: () => revision })
  expect(await seeing('7')).toContain('has not taken over what was published after 5 s')
  expect([await seeing('8'), await seeing(null)]).toEqual([null, null])
})
