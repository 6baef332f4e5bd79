import type { Texts } from '../../../language/texts/en.ts'
import { startOfMonth, startOfMonthAfter } from '../../../lib/calendar.ts'
import { dateOfDay, localDay } from '../../../lib/local-day.ts'
import { presentDocument } from '../../../operations/report/report-document.ts'
import type { DayRange } from '../../../report/document/period.ts'
import { type ReportView, reportView } from '../../../report/document/report-view.ts'
import type { TypedPeriod } from '../../../report/report-period.ts'
import type { ConsoleBox } from '../../console-box.ts'
import type { AccountPageCall } from '../page.ts'

const dayMs = 86_400_000
/** Nothing was counted before this date, and nobody means a year of three digits. */
const firstDay = Date.UTC(2000, 0) / dayMs

export const presets = ['7d', '30d', 'month', 'last-month'] as const
type Preset = (typeof presets)[number]

const presetDays: Record<Preset, (today: number) => DayRange> = {
  '7d': (today) => ({ fromDay: today - 6, untilDay: today + 1 }),
  '30d': (today) => ({ fromDay: today - 29, untilDay: today + 1 }),
  month: (today) => ({ fromDay: startOfMonth(today), untilDay: startOfMonthAfter(today, 1) }),
  'last-month': (today) => ({ fromDay: startOfMonthAfter(today, -1), untilDay: startOfMonth(today) }),
}

export interface AskedPeriod extends DayRange {
  /** `null`: the user chose the days. */
  preset: Preset | null
  /** What is wrong with the chosen days; `null`: nothing. */
  fault: keyof Texts['console']['period'] | null
}

/** `?period=30d`, or `?from=2026-11-01&to=2026-11-15`, both included. An invalid period becomes the last 30 days, with a reason. */
function askedPeriod(search: URLSearchParams, today: number): AskedPeriod {
  const [from, to] = [search.get('from') ?? '', search.get('to') ?? '']
  const preset = presets.find((name) => name === search.get('period')) ?? '30d'
  if (from === '' && to === '') return { ...presetDays[preset](today), preset, fault: null }
  const fromDay = dayOf(from)
  const toDay = to === '' ? today : dayOf(to)
  const fault = faultOf({ fromDay, toDay, today })
  if (fault !== null || fromDay === null || toDay === null) return { ...presetDays['30d'](today), preset: '30d', fault }
  return { fromDay, untilDay: toDay + 1, preset: null, fault: null }
}

function faultOf({ fromDay, toDay, today }: { fromDay: number | null; toDay: number | null; today: number }) {
  if (fromDay === null || toDay === null) return 'noDays'
  if (toDay < fromDay) return 'reversed'
  return fromDay > today ? 'future' : null
}

function dayOf(date: string): number | null {
  const day = /^\d{4}-\d\d-\d\d$/.test(date) ? Date.parse(date) / dayMs : Number.NaN
  return Number.isNaN(day) || day < firstDay || dateOfDay(day) !== date ? null : day
}

export const periodQuery = ({ preset, ...days }: AskedPeriod): URLSearchParams =>
  preset === null ? daysQuery(days) : new URLSearchParams({ period: preset })

/** The same days, as the user would choose them. */
export const daysQuery = ({ fromDay, untilDay }: DayRange): URLSearchParams =>
  new URLSearchParams({ from: dateOfDay(fromDay), to: dateOfDay(untilDay - 1) })

/** The period as the API and the command take it. A preset of the last days moves with the date; a month does not. */
export function typedPeriodOf({ preset, fromDay, untilDay }: AskedPeriod): TypedPeriod {
  if (preset === '7d' || preset === '30d') return { since: preset }
  return { since: dateOfDay(fromDay), until: dateOfDay(untilDay) }
}

/** The same as fixed days, which do not move with the date. */
export const fixedPeriodOf = ({ fromDay, untilDay }: DayRange): { since: string; until: string } => ({
  since: dateOfDay(fromDay),
  until: dateOfDay(untilDay),
})

/** The days that the request asks for, in the account's time zone. */
export const periodOfCall = (
  { account, url }: Pick<AccountPageCall, 'account' | 'url'>,
  { clock }: Pick<ConsoleBox, 'clock'>,
): AskedPeriod => askedPeriod(url.searchParams, localDay(clock.now(), account.settings.timezone))

export async function viewOf(
  { account }: Pick<AccountPageCall, 'account'>,
  { fromDay, untilDay }: AskedPeriod,
  box: ConsoleBox,
): Promise<ReportView> {
  const period = { since: { day: fromDay, timeMs: 0 }, until: { day: untilDay, timeMs: 0 } }
  return reportView(await presentDocument(account, period, box))
}
