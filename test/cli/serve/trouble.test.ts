import { expect, test } from 'bun:test'
import { Trouble } from '../../../src/cli/serve/storing-notices.ts'
import type { LogFields } from '../../../src/lib/log.ts'

function aTrouble() {
  const said: unknown[] = []
  const clock = { nowMs: 0, now: () => 0, monotonicMs: () => clock.nowMs }
  const log = {
    error: (_: string, fields?: LogFields) => said.push(fields?.reason),
    info: (_: string, fields?: LogFields) => said.push(fields),
  }
  const trouble = new Trouble({ begins: 'It fails.', ends: 'It works.', log, clock })
  return {
    said,
    trouble,
    /** Lets seconds pass, each with a look. */
    pass(seconds: number, each = () => {}) {
      for (let second = 0; second < seconds; second++) {
        clock.nowMs += 1000
        each()
        trouble.look()
      }
    },
  }
}

test('a failure is said at once, and not again while it lasts', () => {
  const { said, trouble, pass } = aTrouble()
  trouble.failed('the disk is full')
  pass(600, () => trouble.failed('the disk is full'))
  expect(said).toEqual(['the disk is full'])
})

test('a failure that lasts is said again after an hour', () => {
  const { said, trouble, pass } = aTrouble()
  trouble.failed('the disk is full')
  pass(3600, () => trouble.failed('the disk is full'))
  expect(said).toEqual(['the disk is full', 'the disk is full'])
})

test('another reason is said at once', () => {
  const { said, trouble } = aTrouble()
  for (const reason of ['the disk is full', 'disk I/O error', 'the disk is full']) trouble.failed(reason)
  expect(said).toEqual(['the disk is full', 'disk I/O error'])
})

test('its end is said once, after ten seconds without another failure', () => {
  const { said, trouble, pass } = aTrouble()
  trouble.failed('the disk is full')
  pass(5, () => trouble.failed('the disk is full'))
  trouble.worked()
  pass(9)
  expect(said).toHaveLength(1)
  pass(60)
  expect(said).toEqual(['the disk is full', { lastedSeconds: 5 }])
})

test('a single failure has lasted until it worked', () => {
  const { said, trouble, pass } = aTrouble()
  trouble.failed('it does not answer')
  pass(20)
  trouble.worked()
  pass(20, () => trouble.worked())
  expect(said).toEqual(['it does not answer', { lastedSeconds: 20 }])
})

test('what fails and works in turn is not over', () => {
  const { said, trouble, pass } = aTrouble()
  pass(600, () => {
    trouble.failed('the disk is full')
    trouble.worked()
  })
  expect(said).toEqual(['the disk is full'])
})

test('silence is no end: it has to work', () => {
  const { said, trouble, pass } = aTrouble()
  trouble.failed('the disk is full')
  pass(600)
  expect(said).toEqual(['the disk is full'])
})

test('after its end a failure is said anew', () => {
  const { said, trouble, pass } = aTrouble()
  for (let time = 0; time < 2; time++) {
    trouble.failed('the disk is full')
    trouble.worked()
    pass(11)
  }
  expect(said.filter((entry) => entry === 'the disk is full')).toHaveLength(2)
})
