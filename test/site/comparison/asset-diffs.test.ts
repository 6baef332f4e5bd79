import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Asset } from '../../../src/asset/asset.ts'
import type { AssetKind } from '../../../src/asset/asset-kind.ts'
import type { Change } from '../../../src/site/change.ts'
import { withTextDiffs } from '../../../src/site/comparison/asset-diffs.ts'
import type { HashedAsset } from '../../../src/site/plan-assets.ts'

let dir: string
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-diffs-'))
  writeFileSync(join(dir, 'after'), 'one\nchanged\n')
})
afterAll(() => rmSync(dir, { recursive: true }))

interface Changed {
  kind: AssetKind
  name: string
  before: string
  byteCount?: number
}

/** The diffs of these assets, each of which is now "one, changed"; and how many old contents were read for them. */
async function diffsOf(changed: Changed[], declared?: ReadonlyMap<string, string>) {
  let opened = 0
  const contents = new Map(changed.map(({ name, before }) => [`before ${name}`, before]))
  const open = async ({ sha256 }: { sha256: string }) => {
    opened++
    return new Blob([contents.get(sha256) ?? ''])
  }
  const staged = changed.map(({ kind, name, byteCount = 12 }) => {
    const file = join(dir, 'after')
    return { kind, name, byteCount, file, sha256: 'after' } as HashedAsset
  })
  const published = changed.map(
    ({ kind, name }) => ({ kind, name, current: { sha256: `before ${name}`, byteCount: 8 } }) as Asset,
  )
  const changes = changed.map(({ kind, name }): Change => {
    const fields = [{ field: 'content', before: '8 bytes', after: '12 bytes' }]
    return { action: 'update', kind, name, note: null, fields }
  })
  const store = { open } as unknown as Parameters<typeof withTextDiffs>[1]['store']
  const found = await withTextDiffs(changes, { staged, published, store, declared })
  return { opened, diffs: found.flatMap(({ fields }) => fields.map(({ diff }) => diff ?? null)) }
}

const page = (name: string): Changed => ({ kind: 'page', name, before: 'one\ntwo\n' })
const shown = '@@ -1,2 +1,2 @@\n one\n-two\n+changed'

describe('diffs of assets', () => {
  test('are made of pages, stylesheets, scripts and drawings', async () => {
    const before = 'one\ntwo\n'
    const { diffs } = await diffsOf([
      page('launch'),
      { kind: 'error_page', name: '404', before },
      { kind: 'asset', name: 'site.css', before },
      { kind: 'asset', name: 'site.js', before },
      { kind: 'image', name: 'a.svg', before },
    ])
    expect(diffs).toEqual(Array(5).fill(shown))
  })

  test('are not made of other contents, nor of large ones, and those are not read', async () => {
    const { diffs, opened } = await diffsOf([
      { kind: 'image', name: 'a.png', before: 'x' },
      { kind: 'asset', name: 'a.woff2', before: 'x' },
      { ...page('large'), byteCount: 70_000 },
    ])
    expect([diffs, opened]).toEqual([[null, null, null], 0])
  })

  test('of 5,000 pages are those of the first 20, and no other is read', async () => {
    const { diffs, opened } = await diffsOf(Array.from({ length: 5000 }, (_, index) => page(`p${index}`)))
    expect([diffs.filter((diff) => diff !== null).length, opened]).toEqual([20, 20])
  })

  test('have some 20,000 characters in all, so that an answer with them can be repeated', async () => {
    const before = Array.from({ length: 60 }, (_, index) => `${index} ${'x'.repeat(300)}\n`).join('')
    const { diffs } = await diffsOf(Array.from({ length: 20 }, (_, index) => ({ ...page(`p${index}`), before })))
    expect(diffs.join('').length).toBeLessThan(30_000)
  })

  test('are not made where the bytes are on another machine', async () => {
    expect((await diffsOf([page('launch')], new Map([[join(dir, 'after'), 'after']]))).diffs).toEqual([null])
  })
})
