import { describe, expect, test } from 'bun:test'
import { refusalNotes } from '../../../src/operations/report/report-document.ts'

const refused = (check: string, count: number, endpoint = 'form') => ({ endpoint, check, count })

describe('what the owner of a website hears of refusals', () => {
  test('is what somebody can mend, most first, with checks of one cause in one note', () => {
    const notes = refusalNotes([refused('origin', 7), refused('body', 20), refused('content_type', 5)])
    expect(notes).toEqual([
      { reason: 'unreadable', count: 25 },
      { reason: 'origin', count: 7 },
    ])
  })

  test('leaves out a mishap, bots, and what was only not recorded', () => {
    const harmless = [
      refused('origin', 4),
      refused('honeypot', 900),
      refused('budget', 900, 'page'),
      refused('from_tomorrow', 50),
    ]
    expect(refusalNotes(harmless)).toEqual([])
  })

  test('names a single record that was lost, and five kinds at most', () => {
    expect(refusalNotes([refused('storage', 1)])).toHaveLength(1)
    const checks = ['origin', 'tracking_key', 'form', 'size', 'body', 'no_script', 'budget']
    expect(refusalNotes(checks.map((check) => refused(check, 10)))).toHaveLength(5)
  })
})
