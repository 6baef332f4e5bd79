// What an apply says of changes that were made on the box since the last one.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { applyAnew } from '../harness/publishing.ts'

const slug = 'launch'
const site = aSite({ files: { 'pages/launch.html': '<p>Launch</p>' } })

interface Result {
  changes: { name: string }[]
  changedHere?: { what: string; at: string; by: string; via: string }[]
}

describe('a page unpublished by hand', () => {
  let box: Box
  beforeAll(async () => {
    box = await Box.start([site])
    expect((await box.run(['page', 'unpublish', 'acme', slug])).status).toBe(0)
  }, boxStartMsMax)
  afterAll(() => box.stop())

  test('is named by a dry run, with who did it and when', async () => {
    const { stdout } = await applyAnew(box, site, '--dry-run', '--json')
    const { changedHere }: Result = JSON.parse(stdout)
    expect(changedHere).toEqual([
      { what: `page ${slug}`, at: expect.stringMatching(/^20\d\d-/), by: expect.stringMatching(/./), via: 'command' },
    ])
  })

  test('is named by the apply that replaces it, and never again', async () => {
    const first = await applyAnew(box, site)
    expect(first.stderr).toContain('Changed on the box since the last apply, and is replaced by the folder')
    expect(first.stderr).toContain(`page ${slug}, on 20`)
    const second = await applyAnew(box, site, '--json')
    const result: Result = JSON.parse(second.stdout)
    expect([result.changes, result.changedHere, second.stderr]).toEqual([[], undefined, ''])
  })

  test('is not named once a folder from elsewhere has agreed with it', async () => {
    expect((await box.run(['page', 'unpublish', 'acme', slug])).status).toBe(0)
    const agreeing = { ...site, previews: ['pages/launch.html'] }
    await applyAnew(box, agreeing)
    const { stdout } = await applyAnew(box, site, '--json')
    const { changes, changedHere }: Result = JSON.parse(stdout)
    expect([changes.map(({ name }) => name), changedHere]).toEqual([[slug], undefined])
  })
})

describe('a key and a secret that were replaced on the box', () => {
  const crm = { name: 'crm', kind: 'webhook', url: 'https://crm.example.com/hook' }
  const before = aSite({ deliveries: [{ ...crm, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }] })
  let box: Box
  beforeAll(async () => {
    box = await Box.start([before])
  }, boxStartMsMax)
  afterAll(() => box.stop())

  const namedBy = async (argv: string[], site: typeof before): Promise<string[]> => {
    expect((await box.run(argv)).status).toBe(0)
    const { changedHere = [] }: Result = JSON.parse((await applyAnew(box, site, '--json')).stdout)
    return changedHere.map(({ what }) => what)
  }

  test('are named by the apply that puts those of the folder back in force', async () => {
    expect(await namedBy(['key', 'rotate', 'acme'], before)).toEqual(['key tracking key'])
    expect(await namedBy(['key', 'revoke', 'acme'], before)).toEqual(['key tracking key'])
    const moved = {
      ...before,
      deliveries: [{ ...crm, url: 'https://crm.example.com/new', secret: 'whsec_bmV3LXNlY3JldC1vZi10aGUtZm9sZGVy' }],
    }
    expect(await namedBy(['delivery', 'secret', 'rotate', 'acme', 'crm'], moved)).toEqual(['delivery crm'])
  })
})
