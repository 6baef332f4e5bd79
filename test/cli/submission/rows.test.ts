import { describe, expect, test } from 'bun:test'
import { plain } from '../../../src/cli/output/style.ts'
import { widthOf } from '../../../src/cli/output/table.ts'
import { submissionRows } from '../../../src/cli/submission/submission-commands.ts'
import { noFacts } from '../../../src/report/entry-facts.ts'
import { submissionRecord } from '../../../src/report/record.ts'
import { submission } from '../../report/sample-entries.ts'

const id = '01a1fb9b-63c5-76c7-8301-36bd5b40ceed'
const accepted = submissionRecord(
  submission({ id, email: 'ada@example.test', receivedAt: Date.UTC(2026, 10, 20, 14, 3, 22) }),
  noFacts,
)
const refused = submissionRecord(
  submission({ id, email: `${'a'.repeat(60)}@example.test`, status: 'refused', refusedFor: 'bot_check' }),
  noFacts,
)
const shown = (records: (typeof accepted)[], columns?: number): string =>
  submissionRows(records, { style: plain, columns, empty: 'None.' })

describe('the rows of submissions', () => {
  test('have a line each where there is room, and where it is no terminal', () => {
    expect(shown([accepted])).toMatch(
      /^Received +Id .*\n2026-11-20 14:03:22 UTC {2}01a1fb9b-[-0-9a-f]+ {2}contact1 {2}ada@example\.test {2}accepted\n$/,
    )
    expect(shown([accepted, refused], 300)).toBe(shown([accepted, refused]))
    expect(shown([], 60)).toBe('None.\n')
  })

  test('have their longest texts below each other where that is enough, and never cut', () => {
    const text = shown([accepted, refused], 185)
    expect(widthOf(text)).toBeLessThanOrEqual(185)
    expect(text).toMatch(
      /01a1fb9b-63c5-76c7-8301-36bd5b40ceed {2}contact1 {2}a{60}@example\.test {2}refused +the bot check was/,
    )
    expect(text).toMatch(/\n {100,}[a-z ]*did not verify\n$/)
  })

  test('take several lines each on a terminal of 60 columns', () => {
    const text = shown([accepted, refused], 60)
    expect(text).toStartWith(`2026-11-20 14:03:22 UTC  accepted  contact1\n  ${id}\n  ada@example.test\n`)
    expect(text).toEndWith(`  ${'a'.repeat(60)}@example.test\n  the bot check was missing or did not verify\n`)
  })
})
