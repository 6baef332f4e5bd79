// `capture audit`: what the log says, a copy of it, and whether anybody has changed it.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { ConsoleVisitor } from '../harness/console-visitor.ts'

let box: Box
beforeAll(async () => {
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
}, boxStartMsMax)
afterAll(() => box.stop())

interface Line {
  seq: number
  hash: string
  previous: string
  action: string
  subject: string
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

async function exported(...options: string[]): Promise<string> {
  const { status, stdout, stderr } = await box.run(['audit', 'export', ...options])
  if (status !== 0) throw new Error(stderr)
  return stdout
}

async function verified(...options: string[]) {
  const { status, stdout } = await box.run(['audit', 'verify', ...options, '--json'])
  return { status, ...(JSON.parse(stdout) as { lines: number; head: string; fault: object | null; found: string }) }
}

function fileOf(name: string, text: string): string {
  const file = join(box.dir, name)
  writeFileSync(file, text)
  return file
}

const edited = (text: string, edit: (lines: Line[]) => unknown[]): string =>
  edit(linesOf(text))
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')

test('commands and the console that write at once write one chain', async () => {
  const owner = await ConsoleVisitor.owner(box)
  await Promise.all([
    ...Array.from({ length: 4 }, () => box.run(['key', 'rotate', 'acme'])),
    ...Array.from({ length: 20 }, () => owner.send('POST', '/prove', { password: 'not it', code: '000000' })),
  ])
  const { status, fault, lines } = await verified()
  expect({ status, fault }).toEqual({ status: 0, fault: null })
  expect(lines).toBeGreaterThan(10)
})

describe('a copy', () => {
  test('has every line with its number, oldest first, and is sound', async () => {
    const text = await exported()
    const seqs = linesOf(text).map(({ seq }) => seq)
    expect(seqs).toEqual(seqs.map((_, index) => index + 1))
    const { status, head } = await verified('--file', fileOf('copy.jsonl', text))
    expect({ status, head }).toEqual({ status: 0, head: (await verified()).head })
  })

  test('goes on behind a line that an earlier one ended with', async () => {
    const text = await exported()
    const rest = await exported('--after', '2')
    expect(linesOf(rest)).toEqual(linesOf(text).slice(2))
    expect((await verified('--file', fileOf('rest.jsonl', rest))).status).toBe(0)
  })

  test.each<[string, (lines: Line[]) => unknown[], object]>([
    ['changed', (lines) => lines.map((line) => (line.seq === 1 ? { ...line, subject: 'x' } : line)), { seq: 1 }],
    ['missing', (lines) => lines.filter(({ seq }) => seq !== 3), { from: 3, to: 3 }],
    ['inserted', (lines) => [...lines.slice(0, 2), ...lines.slice(1)], { seq: 2 }],
  ])('with a line that is %s says which', async (fault, edit, named) => {
    const file = fileOf(`${fault}.jsonl`, edited(await exported(), edit))
    expect(await verified('--file', file)).toMatchObject({ status: 1, fault: { fault, ...named } })
    const head = `9999:${'0'.repeat(64)}`
    expect(await verified('--file', file, '--head', head)).toMatchObject({ status: 1, fault: { fault, ...named } })
  })

  test('that is something else is refused', async () => {
    const { status, stderr } = await box.run(['audit', 'verify', '--file', fileOf('other.jsonl', '{"a":1}\n')])
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining('audit export') })
  })
})

describe('a head that was noted', () => {
  test('is found in the log as it grows, and in a copy', async () => {
    const { head } = await verified()
    await box.run(['key', 'rotate', 'acme'])
    expect(await verified('--head', head)).toMatchObject({ status: 0 })
    const copy = fileOf('later.jsonl', await exported())
    expect(await verified('--file', copy, '--head', head)).toMatchObject({ status: 0 })
  })

  test.each([
    ['a log that was written anew', `1:${'0'.repeat(64)}`],
    ['a log whose end was cut off', `999999:${'0'.repeat(64)}`],
  ])('shows %s', async (_, head) => {
    expect(await verified('--head', head)).toMatchObject({ status: 1, fault: { fault: 'other_head' } })
  })
})

test('the list names who did what, and takes a search', async () => {
  await box.run(['key', 'rotate', 'acme'])
  const { stdout } = await box.run(['audit', 'list', '--search', 'key.rotate', '--limit', '1'])
  expect(stdout).toMatch(/key\.rotate\s+acme/)
})

test('a line that was changed in the database is found by verify and by doctor', async () => {
  const database = new Database(join(box.dir, 'data', 'capture.db'))
  database.run(`UPDATE audit_entry SET actor_label = 'somebody else' WHERE seq = 2`)
  database.close()
  expect(await verified()).toMatchObject({ status: 1, fault: { fault: 'changed', seq: 2 } })
  const { checks } = JSON.parse((await box.run(['doctor', '--json'])).stdout)
  expect(checks).toContainEqual(expect.objectContaining({ check: 'audit', status: 'fault' }))
})
