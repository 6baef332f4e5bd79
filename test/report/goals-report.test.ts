import { describe, expect, test } from 'bun:test'
import { funnelKey, type GoalSettings, stepKey } from '../../src/account/goal.ts'
import type { StoredFigures } from '../../src/report/figures-reader.ts'
import { goalsReport } from '../../src/report/figures-report.ts'
import { noFigures } from '../cli/no-figures.ts'

const steps = [
  { kind: 'page', page: '/offer' },
  { kind: 'form', form: 'contact1' },
] as const
const settings: GoalSettings = {
  goals: [{ name: 'Lead', aim: { kind: 'form', form: 'contact1' } }],
  funnels: [{ name: 'Quote', steps: [...steps] }],
}
const funnel = funnelKey({ steps: [...steps] })
const days = ['2026-11-01', '2026-11-02', '2026-11-03'].map((date) => ({ ...noFigures, date, visits: 10 }))
const day = (date: string) => Date.parse(date) / 86_400_000

const report = (counted: Partial<Pick<StoredFigures, 'byName' | 'goalsSince' | 'goalsFirstDone'>>) =>
  goalsReport(
    settings,
    { byName: [], goalsSince: [], goalsFirstDone: [], ...counted },
    { from: '2026-11-01', days, timezone: 'Europe/Berlin' },
  )

describe('goals of a report', () => {
  test('have their share of all visits, and funnels of those that began', () => {
    const { goals, funnels } = report({
      byName: [
        { measure: 'goal', name: 'form:contact1', count: 4 },
        { measure: 'goal_time', name: 'form:contact1', count: 7 },
        { measure: 'funnel', name: stepKey(funnel, 1), count: 9 },
        { measure: 'funnel', name: stepKey(funnel, 2), count: 3 },
      ],
    })
    expect(goals).toEqual([
      { name: 'Lead', form: 'contact1', visits: 4, times: 7, ofVisits: 30, conversion: 13.3, since: null },
    ])
    expect(funnels).toEqual([
      {
        name: 'Quote',
        steps: [
          { page: '/offer', visits: 9 },
          { form: 'contact1', visits: 3 },
        ],
        ofVisits: 30,
        conversion: 33.3,
        since: null,
      },
    ])
  })

  test('that nobody did say so, and have no share of nothing', () => {
    const { goals, funnels } = report({})
    expect(goals[0]).toMatchObject({ visits: 0, times: 0, conversion: 0 })
    expect(funnels[0]?.conversion).toBeNull()
  })

  test('applied within the period have their share of the visits since that day, where the account is', () => {
    const goalsSince = [{ key: 'form:contact1', since: Date.parse('2026-11-01T23:30:00Z') }]
    expect(report({ goalsSince }).goals[0]).toMatchObject({ since: '2026-11-02', ofVisits: 20 })
  })

  test('of an account that began with them are counted throughout', () => {
    const { goals } = goalsReport(
      settings,
      {
        byName: [],
        goalsSince: [{ key: 'form:contact1', since: Date.parse('2026-11-01T12:00Z') }],
        goalsFirstDone: [],
      },
      { from: '2026-10-01', days, timezone: 'UTC' },
    )
    expect(goals[0]).toMatchObject({ since: null, ofVisits: 30 })
  })

  test('counted before they were applied here came with a ledger, and count from there', () => {
    const goalsSince = [{ key: 'form:contact1', since: Date.parse('2026-11-03T12:00:00Z') }]
    const goalsFirstDone = [{ name: 'form:contact1', day: day('2026-11-01') }]
    expect(report({ goalsSince, goalsFirstDone }).goals[0]).toMatchObject({ since: null, ofVisits: 30 })
  })
})
