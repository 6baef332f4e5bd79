import { Type } from '@sinclair/typebox'
import type { ReportJson } from '../../../operations/report/report-json.ts'

const count = Type.Integer()
const nullable = <T extends ReturnType<typeof Type.String>>(schema: T) => Type.Union([schema, Type.Null()])
const clicks = { human: count, suspected: count, machine: count }
const aim = {
  form: Type.Optional(Type.String()),
  event: Type.Optional(Type.String()),
  page: Type.Optional(Type.String()),
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
export const reportSchema = Type.Unsafe<ReportJson>(
  Type.Object({
    account: Type.String(),
    name: Type.String(),
    timezone: Type.String(),
    from: Type.String(),
    to: Type.String(),
    totals: Type.Object({ ...figures, visitors: Type.Union([count, Type.Null()]) }),
    days: Type.Array(Type.Object({ date: Type.String(), ...figures, visitors: count })),
    forms: Type.Array(
      Type.Object({ id: Type.String(), name: nullable(Type.String()), leads: count, likelyDuplicates: count }),
    ),
    sources: Type.Array(Type.Object({ source: Type.String(), leads: count })),
    campaigns: Type.Array(Type.Object({ campaign: Type.String(), leads: count })),
    pages: Type.Array(Type.Object({ slug: Type.String(), views: count })),
    messages: Type.Array(Type.Object({ message: nullable(Type.String()), ...clicks })),
    goals: Type.Array(
      Type.Object({
        name: Type.String(),
        ...aim,
        visits: count,
        times: count,
        ofVisits: count,
        conversion: Type.Union([Type.Number(), Type.Null()]),
        since: nullable(Type.String()),
      }),
    ),
    funnels: Type.Array(
      Type.Object({
        name: Type.String(),
        steps: Type.Array(Type.Object({ ...aim, visits: count })),
        ofVisits: count,
        conversion: Type.Union([Type.Number(), Type.Null()]),
        since: nullable(Type.String()),
      }),
    ),
    refusals: Type.Array(Type.Object({ endpoint: Type.String(), check: Type.String(), count })),
    quarantined: count,
    known: Type.Union([Type.Object({ first: Type.String(), last: Type.String() }), Type.Null()]),
    waiting: count,
  }),
)
