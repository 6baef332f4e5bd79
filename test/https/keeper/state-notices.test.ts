import { expect, test } from 'bun:test'
import type { KeptName } from '../../../src/https/certificate-store.ts'
import { StateNotices } from '../../../src/https/keeper/kept-names.ts'
import { newName } from '../../../src/https/keeper/name-steps.ts'

const minuteMs = 60_000

/** Notices whose lines and time a test holds. */
function notices() {
  const lines: string[] = []
  let nowMs = 0
  const write = (line: string) => void lines.push(line)
  const told = new StateNotices({ log: { info: write, warn: write }, clock: { monotonicMs: () => nowMs } })
  const say = (name: KeptName, atMs: number) => {
    nowMs = atMs
    told.note(name)
    told.flush()
  }
  return { lines, say }
}

const waiting = (reason: string): KeptName => ({ ...newName('go.acme.dev', null, 0), reason })

test('a name whose reason changes with each look is told of once in ten minutes, with the latest reason', () => {
  const { lines, say } = notices()
  for (let minute = 0; minute < 25; minute++) say(waiting(`It leads to 198.51.100.${minute}.`), minute * minuteMs)
  expect(lines.map((line) => /100\.(\d+)/.exec(line)?.[1])).toEqual(['0', '10', '20'])
})

test('another state is told of at once', () => {
  const { lines, say } = notices()
  say(waiting('It leads elsewhere.'), 0)
  say({ ...waiting('The authority refuses it.'), state: 'failing' }, minuteMs)
  expect(lines).toHaveLength(2)
})
