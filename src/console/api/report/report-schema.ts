import { Type } from '@sinclair/typebox'
import { count, orNull, text, textOrNull } from '../../../lib/schema.ts'
import type { ReportJson } from '../../../operations/report/report-json.ts'
import { noticesMember } from '../answer-notices.ts'

const clicks = { human: count, suspected: count, machine: count }
const aim = {
  form: Type.Optional(text),
  event: Type.Optional(text),
  page: Type.Optional(text),
}
const figures = {
  visits: count,
  views: count,
  viewsByBots: count,
  events: count,
  eventsByBots: count,
  leads: count,
  likelyDuplicates: count,
  clicks: Type.Object(clicks),
  refused: count,
  lostPageViews: count,
}

/** docs/reports.md, "JSON". */
export const reportSchema = Type.Unsafe<ReportJson & { notices?: string[] }>(
  Type.Object({
    account: text,
    name: text,
    timezone: text,
    from: text,
    to: text,
    totals: Type.Object({ ...figures, visitors: orNull(count) }),
    days: Type.Array(Type.Object({ date: text, ...figures, visitors: count })),
    forms: Type.Array(Type.Object({ id: text, name: textOrNull, leads: count, likelyDuplicates: count })),
    sources: Type.Array(Type.Object({ source: text, leads: count })),
    campaigns: Type.Array(Type.Object({ campaign: text, leads: count })),
    pages: Type.Array(Type.Object({ slug: text, views: count })),
    messages: Type.Array(Type.Object({ message: textOrNull, ...clicks })),
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
