import { afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type KeptResults, openResults } from '../../bench/kept-results.ts'
import { readOptions } from '../../bench/options.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-bench-'))
  writeFileSync(join(folder, 'capture'), 'a program')
})
afterEach(() => rmSync(folder, { recursive: true }))

function open(...argv: string[]): Promise<KeptResults> {
  const options = readOptions([...argv, '--data', folder, '--binary', join(folder, 'capture')])
  if (!options) throw new Error('no options')
  return openResults({ options, progress: () => {} })
}

const start = { emptyMs: 70, filledMs: 600, accounts: 1000, pages: 10_000, idleMegabytes: 69 }

async function keepStart(...argv: string[]): Promise<void> {
  const { results, keep } = await open(...argv)
  results.figures.start = start
  await keep()
}

test('a run that writes the page goes on where one of the same program was stopped, whatever sections it asks for', async () => {
  await keepStart('--write')
  expect((await open('--write', '--only', 'memory')).results.figures).toEqual({ start })
})

test('another program is measured from the beginning', async () => {
  await keepStart('--write')
  writeFileSync(join(folder, 'capture'), 'another program')
  expect((await open('--write')).results.figures).toEqual({})
})

test('another scale is measured from the beginning', async () => {
  await keepStart('--write', '--rounds', '2')
  expect((await open('--write', '--rounds', '3')).results.figures).toEqual({})
})

test('a run that writes no page keeps nothing and finds nothing', async () => {
  await keepStart('--write')
  await keepStart('--rounds', '1')
  expect((await open()).results.figures).toEqual({})
  expect((await open('--write', '--rounds', '1')).results.figures).toEqual({})
})
