import { Type } from '@sinclair/typebox'
import { count, orNull, text, textOrNull } from '../../../lib/schema.ts'
import type { ReportJson } from '../../../operations/report/read-report.ts'
import { clickCounts, dayFigures, type ListName, listNames, lists } from '../../../report/figures.ts'
import { noticesMember } from '../answer-notices.ts'

const aim = {
  form: Type.Optional(text),
  event: Type.Optional(text),
  page: Type.Optional(text),
}
const counts = (fields: object) => Object.fromEntries(Object.keys(fields).map((field) => [field, count]))
const figures = {
  ...counts(dayFigures),
  clicks: Type.Object(counts(clickCounts)),
  refused: count,
  lostPageViews: count,
}
const rows = (name: ListName) =>
  Type.Array(
    Type.Object({
      [lists[name].key]: name === 'messages' ? textOrNull : text,
      ...(name === 'forms' ? { name: textOrNull } : {}),
      ...counts(lists[name].counts),
    }),
  )

/** docs/reports.md, "JSON". */
export const reportSchema = Type.Unsafe<ReportJson & { notices?: string[] }>(
  Type.Object({
    account: text,
    name: text,
    timezone: text,
    from: text,
    to: text,
    totals: Type.Object({ ...figures, visitors: orNull(count) }),
    days: Type.Array(Type.Object({ date: text, ...figures })),
    ...Object.fromEntries(listNames.map((name) => [name, rows(name)])),
    goals: Type.Array(
      Type.Object({
        name: text,
        ...aim,
        visits: count,
        times: count,
        ofVisits: count,
        conversion: orNull(Type.Number()),
        since: textOrNull,
      }),
    ),
    funnels: Type.Array(
      Type.Object({
        name: text,
        steps: Type.Array(Type.Object({ ...aim, visits: count })),
        ofVisits: count,
        conversion: orNull(Type.Number()),
        since: textOrNull,
      }),
    ),
    refusals: Type.Array(Type.Object({ endpoint: text, check: text, count })),
    quarantined: count,
    known: orNull(Type.Object({ first: text, last: text })),
    waiting: count,
    ...noticesMember,
  }),
)
