import { describe, expect, test } from 'bun:test'
import type { CheckState } from '../../../src/client/test-page/checks.ts'
import { summary } from '../../../src/client/test-page/checks.ts'

const of = (...states: CheckState[]) => summary(states, 'Acme')

describe('what the checks come to', () => {
  test.each<[states: CheckState[], title: string, tone: CheckState]>([
    [['passed', 'waiting', 'failed'], 'Trying everything…', 'running'],
    [['passed', 'running'], 'Trying everything…', 'running'],
    [['passed', 'failed', 'asks'], 'One thing does not work', 'failed'],
    [['failed', 'failed'], '2 things do not work', 'failed'],
    [['passed', 'asks', 'skipped'], 'Your turn', 'asks'],
    [['passed', 'note', 'skipped'], 'Not everything could be tried', 'note'],
    [['passed', 'note'], 'Everything works', 'passed'],
  ])('%p', (states, title, tone) => {
    expect(of(...states)).toMatchObject({ title, tone })
  })

  test.each<[states: CheckState[], says: string]>([
    [['passed', 'waiting', 'waiting'], '1 of 3 done.'],
    [['passed', 'passed', 'failed', 'skipped'], '2 of 3 checks are as they should be.'],
    [['passed', 'note'], '2 checks of Acme are as they should be. One has a note.'],
    [['note', 'note', 'skipped'], '2 checks of Acme are as they should be. 2 have a note. 1 could not be tried.'],
  ])('counts: %p', (states, says) => {
    expect(of(...states).says).toStartWith(says)
  })
})
