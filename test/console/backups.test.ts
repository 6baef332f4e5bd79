import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'
import { eventually } from '../harness/eventually.ts'

const dir = mkdtempSync(join(tmpdir(), 'capture-target-'))
const [first, away] = [`file://${dir}/first`, `file://${dir}/file-in-the-way`]

let box: Box
let owner: ConsoleVisitor
beforeAll(async () => {
  await Bun.write(join(dir, 'file-in-the-way'), 'no folder')
  box = await Box.start([aSite()], {
    console: { listen: '127.0.0.1:0' },
    backup: { to: [first, away], increment_every: '0' },
  })
  owner = await ConsoleVisitor.owner(box)
  await box.run(['backup', 'now', '--to', first])
  await eventually('one target has two bases, and the other fails', async () => {
    const { items, targets } = await backups()
    return items.length >= 2 && targets[1]?.fault !== null
  })
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  rmSync(dir, { recursive: true })
})

interface Backups {
  items: { kind: string; at: string }[]
  next: string | null
  targets: { url: string; safeAt: string | null; fault: { message: string } | null }[]
  faults: string[]
}

const backups = async (query = ''): Promise<Backups> => JSON.parse((await owner.get(`/api/v1/backups${query}`)).text)

describe('a backup now', () => {
  test('by the API is there when it is answered, and names the targets that got none', async () => {
    const before = (await backups()).items.length
    const { status, text } = await owner.sendJson('POST', '/api/v1/backups', {})
    expect([status, JSON.parse(text)]).toEqual([
      200,
      { written: [expect.objectContaining({ kind: 'base', target: first })], faults: [expect.stringContaining(away)] },
    ])
    expect((await backups()).items.length).toBeGreaterThan(before)
    expect((await owner.get('/api/v1/audit?format=csv')).text).toContain('backup.make')
  })

  test('of a target that the box does not have is refused', async () => {
    const { status, text } = await owner.sendJson('POST', '/api/v1/backups', { to: 'file:///elsewhere' })
    expect([status, text]).toEqual([409, expect.stringContaining('is not in [backup] to')])
  })

  test('by the page is shown once it has ended', async () => {
    const before = (await backups()).items.length
    expect((await owner.send('POST', '/box', { act: 'backup' })).status).toBe(303)
    await eventually('the page says how it ended', async () => {
      const { text } = await owner.get('/box')
      return text.includes('<button name="act" value="backup">') && text.includes('role="alert"')
    })
    expect((await backups()).items.length).toBeGreaterThan(before)
  })
})

test('the API reads back what a target holds, and names the target that it cannot read', async () => {
  const { status, text } = await owner.sendJson('POST', '/api/v1/backups/verify', {})
  const { verified, faults } = JSON.parse(text)
  const { stdout } = await box.run(['backup', 'verify', '--to', first, '--json'])
  expect([status, verified]).toEqual([200, JSON.parse(stdout)])
  expect(verified).toMatchObject([{ target: first, restored: true, faults: [] }])
  expect(faults).toEqual([expect.stringContaining(away)])
  expect((await owner.get('/api/v1/audit?format=csv')).text).toContain('backup.verify')
})

describe('the backups of the box', () => {
  test('are those of `backup list --json`, with how old they are', async () => {
    const { items, next, targets, faults } = await backups()
    const { stdout } = await box.run(['backup', 'list', '--to', first, '--json'])
    expect(items).toEqual(JSON.parse(stdout))
    expect(next).toBeNull()
    expect(targets.map(({ url, fault }) => [url, fault === null])).toEqual([
      [first, true],
      [away, false],
    ])
    expect(faults).toEqual([expect.stringContaining(away)])
  })

  test('can be paged and searched', async () => {
    const { items } = await backups()
    const one = await backups('?limit=1')
    const rest = await backups(`?limit=1000&cursor=${one.next}`)
    expect([...one.items, ...rest.items]).toEqual(items)
    expect((await backups('?q=increment')).items).toEqual([])
    expect((await owner.get(`/api/v1/backups?cursor=${Buffer.from('x').toString('base64url')}`)).status).toBe(422)
  })

  test('are CSV where that is asked for', async () => {
    expect((await owner.get('/api/v1/backups?format=csv')).text).toStartWith('at,kind,from,to,bytes,target\r\n')
  })

  test('stand on the page of the box, and one that fails on the first page', async () => {
    const { text } = await owner.get('/box')
    expect(text).toMatch(new RegExp(`${first} <span class="mark good">backed up`))
    expect(text).toMatch(new RegExp(`${away} <span class="mark bad">failing`))
    expect((await owner.get('/')).text).toMatch(/Backups fail since.*<a href="\/box">/s)
  })
})
