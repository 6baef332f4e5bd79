// A publish is visible all at once or not at all, and drops no request of a running server.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { eventually } from '../harness/eventually.ts'
import { visit } from '../harness/visits.ts'

const pagesPublished = 300
const publishes = 4

let box: Box

const siteOf = (version: number) =>
  aSite({
    files: Object.fromEntries(
      Array.from({ length: pagesPublished }, (_, i) => [`pages/p${i}.html`, `version ${version}`] as const),
    ),
  })

beforeAll(async () => {
  box = await Box.start([siteOf(0), aSite({ account: 'bold', files: { 'pages/open.html': 'bold' } })])
}, boxStartMsMax)

afterAll(() => box.stop())

/** The version that a page shows. @throws for any answer but a page */
async function versionOf(index: number): Promise<number> {
  const { status, text } = await box.send(visit(`/p${index}`))
  const version = /^version (\d+)$/.exec(text)?.[1]
  if (status === 200 && version !== undefined) return Number(version)
  throw new Error(`/p${index} was answered ${status}: ${text.slice(0, 100)}`)
}

test('requests that run while a site of 300 pages is published again and again see every page, and never an older one after a newer', async () => {
  const state: Load = { running: true, seen: new Set() }
  const readers = Array.from({ length: 4 }, (_, reader) => readPages(state, reader))
  const others = [visitBold(state), submitForms(state)]
  await eventually('the first version is seen', async () => state.seen.has(0))
  for (let version = 1; version <= publishes; version++) {
    await box.apply(siteOf(version))
    await eventually(`version ${version} is seen`, async () => state.seen.has(version))
  }
  state.running = false
  await Promise.all([...readers, ...others])
  expect(state.seen).toEqual(new Set(Array.from({ length: publishes + 1 }, (_, version) => version)))
})

interface Load {
  running: boolean
  /** Versions that readers have seen. */
  seen: Set<number>
}

/** Goes through the pages, first to last and last to first: a newer one must not be followed by an older. */
async function readPages(state: Load, reader: number): Promise<void> {
  let latest = 0
  for (let step = 0; state.running; step++) {
    const index = reader % 2 === 0 ? step % pagesPublished : pagesPublished - 1 - (step % pagesPublished)
    const version = await versionOf(index)
    if (version < latest) throw new Error(`/p${index} showed version ${version} after another page showed ${latest}`)
    latest = version
    state.seen.add(version)
  }
}

async function visitBold(state: Load): Promise<void> {
  while (state.running) expect((await box.send(visit('/open', { account: 'bold' }))).text).toBe('bold')
}

async function submitForms(state: Load): Promise<void> {
  while (state.running) expect((await box.send(formRequest())).status).toBe(200)
}
