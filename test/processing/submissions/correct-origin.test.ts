import { expect, test } from 'bun:test'
import type { Touch } from '../../../src/processing/attribution/touch.ts'
import { Figures } from '../../../src/processing/figures/figures.ts'
import type { EntryKey } from '../../../src/processing/ledger-item.ts'
import { correctOrigin } from '../../../src/processing/submissions/origin.ts'
import { type SubmissionOrigin, Submissions } from '../../../src/processing/submissions/submissions.ts'
import { touch } from '../../report/sample-entries.ts'

const told = touch()
const key = 1 as EntryKey

/** The submissions that are written once what was told at that time is gone of one. */
function amendedWithout(at: Touch['at']): EntryKey[] {
  const submissions = new Submissions(
    {
      alike: () => null,
      keptSubmission: () => null,
      countingSubmission: () => ({ goals: null, submission: null }),
      laterSubmissions: () => [],
    },
    { key },
  )
  const figures = new Figures({
    figureNames: () => [],
    daysAround: () => ({ isNoted: false, before: null, after: null }),
  })
  const stored = {
    key,
    receipt: { at: Date.parse(told.at) + 1, id: 'submission-1' },
    fact: { first: told, last: told, page: null, versions: [], counted: null },
  }
  const left = (touch: Touch | null) => (touch?.at === at ? null : touch)
  const changed = ({ first, last, ...origin }: SubmissionOrigin) => ({
    first: left(first),
    last: left(last),
    ...origin,
  })
  correctOrigin('account-a', stored, { changed, state: { submissions, figures } })
  return [...submissions.later.amended.keys()]
}

test('a submission is written again if what it was told by is forgotten', () => {
  expect(amendedWithout(told.at)).toEqual([key])
})

test('of the thousands that may follow an erased record, those it told nothing of are not written again', () => {
  expect(amendedWithout('2026-11-19T08:00:01.000Z')).toEqual([])
})
