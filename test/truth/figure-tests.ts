import { expect, test } from 'bun:test'
import type { FiguresReport } from '../../src/report/figures.ts'
import type { Counted } from './count/account-truth.ts'
import { named, reported, TrueFigures } from './count/true-figures.ts'
import { trueGoals } from './count/true-goals.ts'
import { formIds } from './month/true-site.ts'
import type { TrueAccount } from './month.ts'

/** Every figure of the account's report is what was counted by those who acted. */
export function testFigures(account: () => TrueAccount): void {
  const known = (): TrueAccount & { figures: TrueFigures } => {
    const { truth, report, ...others } = account()
    return { ...others, truth, report, figures: new TrueFigures(truth, report) }
  }

  /** The figure of every day and in total is what was counted by whoever did it, and not nothing. */
  const expectDaily = (figure: (figures: FiguresReport['totals']) => number, items: Counted[]): void => {
    const { report, figures } = known()
    const truth = figures.daily(items)
    expect(truth.total).toBeGreaterThan(0)
    expect(reported(report, figure)).toEqual(truth)
  }

  test('the report begins on the day that was asked for, and ends today', () => {
    const { report, from, truth, asked } = known()
    expect(report.from).toBe(from)
    expect(asked.map((at) => truth.date(at))).toContain(report.to)
    expect(report.days.map(({ date }) => date)).toEqual(Object.keys(known().figures.daily([]).days))
  })

  test('nothing waits to be counted, and it is known when counting began', () => {
    const { report, truth } = known()
    const counted = [truth.views(true), truth.views(false), truth.clicks(), truth.submissions()].flat()
    const dates = counted.map(({ date }) => date).sort()
    expect(report).toMatchObject({ waiting: 0, known: { first: dates[0], last: dates.at(-1) } })
  })

  test('views are those by people, on every day and in total', () => {
    expectDaily(({ views }) => views, known().truth.views(false))
  })

  test('views of each landing page, but for those that a script tells of', () => {
    const { report, truth, figures } = known()
    const served = truth.views(false).filter(({ slug }) => slug !== null)
    expect(named(report.pages.map(({ slug, views }) => [slug, views]))).toEqual(
      figures.byName(served, ({ slug }) => slug ?? ''),
    )
  })

  test('views by bots are counted apart', () => {
    expectDaily(({ viewsByBots }) => viewsByBots, known().truth.views(true))
  })

  test('a visit counts on the day it begins, and goes on until its device is silent for half an hour', () => {
    expectDaily(({ visits }) => visits, known().truth.visits())
  })

  test('a visitor counts once a day, and once in total', () => {
    const { report, truth, figures } = known()
    const visitors = truth.visitorsOfDays()
    const devices = new Set(figures.within(visitors).map(({ device }) => device))
    expect(devices.size).toBeLessThan(figures.within(visitors).length)
    expect(reported(report, (day) => day.visitors)).toEqual({ ...figures.daily(visitors), total: devices.size })
  })

  test('events are those of people and servers', () => {
    expectDaily(({ events }) => events, known().truth.events(false))
  })

  test('events by bots are counted apart', () => {
    expectDaily(({ eventsByBots }) => eventsByBots, known().truth.events(true))
  })

  test('leads are accepted submissions that repeat no other, and those that were released, on that day', () => {
    const leads = known()
      .truth.submissions()
      .filter(({ isLead }) => isLead)
    expect(leads.some(({ submission }) => submission.releasedAt !== null)).toBe(true)
    expectDaily(({ leads }) => leads, leads)
  })

  test('likely duplicates are submissions that say the same within ten minutes', () => {
    const duplicates = known()
      .truth.submissions()
      .filter(({ isLead }) => !isLead)
    expectDaily(({ likelyDuplicates }) => likelyDuplicates, duplicates)
  })

  test('leads and likely duplicates by form', () => {
    const { report, truth, figures } = known()
    const [leads, duplicates] = [true, false].map((isLead) =>
      figures.byName(
        truth.submissions().filter((submission) => submission.isLead === isLead),
        ({ submission }) => submission.form,
      ),
    )
    expect(Object.keys(leads ?? {}).sort()).toEqual(Object.values(formIds).sort())
    expect(named(report.forms.map((form) => [form.id, form.leads]))).toEqual(leads ?? {})
    expect(named(report.forms.map((form) => [form.id, form.likelyDuplicates]))).toEqual(duplicates ?? {})
  })

  test('leads by the source that brought them', () => {
    const { report, truth, figures } = known()
    const leads = truth.submissions().filter(({ isLead }) => isLead)
    expect(named(report.sources.map(({ source, leads }) => [source, leads]))).toEqual(
      figures.byName(leads, ({ source }) => source),
    )
  })

  test('leads by the campaign that brought them', () => {
    const { report, truth, figures } = known()
    const leads = truth.submissions().filter(({ isLead }) => isLead)
    const ofCampaigns = leads.filter(({ campaign }) => campaign !== null)
    expect(ofCampaigns.length).toBeGreaterThan(0)
    expect(named(report.campaigns.map(({ campaign, leads }) => [campaign, leads]))).toEqual(
      figures.byName(ofCampaigns, ({ campaign }) => campaign ?? ''),
    )
  })

  for (const verdict of ['human', 'suspected', 'machine'] as const) {
    test(`${verdict} clicks on every day, in total and by message`, () => {
      const { report, truth, figures } = known()
      const clicks = truth.clicks().filter((click) => click.verdict === verdict)
      expectDaily((day) => day.clicks[verdict], clicks)
      expect(named(report.messages.map((message) => [String(message.message), message[verdict]]))).toEqual(
        figures.byName(clicks, ({ message }) => String(message)),
      )
    })
  }

  test('goals and the steps of a funnel are done by as many visits', () => {
    const { report, truth, figures } = known()
    const done = trueGoals(truth.happenings, (at) => truth.date(at))
    const [page, form] = report.goals
    const [funnel] = report.funnels
    const shown: [string, number][] = [
      ['page', page?.visits ?? 0],
      ['page times', page?.times ?? 0],
      ['form', form?.visits ?? 0],
      ['form times', form?.times ?? 0],
      ['step 1', funnel?.steps[0]?.visits ?? 0],
      ['step 2', funnel?.steps[1]?.visits ?? 0],
    ]
    expect(done.length).toBeGreaterThan(0)
    expect(named(shown)).toEqual(figures.byName(done, ({ what }) => what))
  })

  test('refused requests on every day, and why', () => {
    const { report, truth, figures } = known()
    expectDaily(({ refused }) => refused, truth.refusals())
    expect(named(report.refusals.map(({ endpoint, check, count }) => [`${endpoint} ${check}`, count]))).toEqual(
      figures.byName(truth.refusals(), ({ endpoint, check }) => `${endpoint} ${check}`),
    )
  })

  test('quarantined are those refused as a bot that nobody has released', () => {
    const { report, truth, figures } = known()
    const kept = truth.of('submission').filter(({ isRefused, releasedAt }) => isRefused && releasedAt === null)
    expect(report.quarantined).toBe(figures.within(kept.map(({ at }) => ({ date: truth.date(at) }))).length)
  })
}
