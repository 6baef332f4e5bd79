/**
 * What is counted of a day (docs/reports.md). In brackets what a measure is split by.
 *
 * `page` [slug]: views of a landing page, of which `view` counts all.
 * `…_bot`: by a program that says so; kept apart, never added. `visit`: begun on that day. `visitor`: a device that
 * viewed something. `visitor_last`: a device whose latest view was on that day, so that the sum from a day on is the
 * visitors since then, each counted once; it moves with the device, and goes when its row does. `lead` [form] and `lead_source` [source]: accepted or released submissions, likely duplicates left
 * out, which `duplicate` [form] counts; sources as figure-name.ts bounds them. `click_…` [message]: by today's verdict.
 */
const measures = [
  'view',
  'view_bot',
  'page',
  'visit',
  'visitor',
  'visitor_last',
  'event',
  'event_bot',
  'lead',
  'lead_source',
  'duplicate',
  'goal',
  'goal_time',
  'funnel',
  'click_human',
  'click_suspected',
  'click_machine',
] as const

export type Measure = (typeof measures)[number]
