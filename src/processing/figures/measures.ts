/**
 * The measures of a day (docs/reports.md), with what they are split by in brackets:
 * - `page` [slug]: views of a landing page; `view` counts all views.
 * - `…_bot`: hits of declared programs, kept apart and never added.
 * - `visit`: visits that began on that day.
 * - `visitor`: devices that viewed something.
 * - `visitor_last`: devices whose latest view was on that day. Summed from a day on, it gives the visitors since then,
 *   each counted once. It moves with the device and goes with its row.
 * - `visitor_return` [days]: devices that viewed something, and before that so many days earlier. The visitors of a
 *   period are its `visitor` less those who return within it.
 * - `lead` [form], `lead_source` [source] and `lead_campaign` [campaign]: accepted or released submissions without likely duplicates; figure-name.ts
 *   bounds sources.
 * - `duplicate` [form]: likely duplicates.
 * - `goal` and `goal_time` [goal]: visits in which a goal was done, and how often it was. `funnel` [step]: visits that did
 *   a step (account/goal.ts has the names).
 * - `click_…` [message]: clicks by present verdict.
 */
const measures = [
  'view',
  'view_bot',
  'page',
  'visit',
  'visitor',
  'visitor_last',
  'visitor_return',
  'event',
  'event_bot',
  'lead',
  'lead_source',
  'lead_campaign',
  'duplicate',
  'goal',
  'goal_time',
  'funnel',
  'click_human',
  'click_suspected',
  'click_machine',
] as const

export type Measure = (typeof measures)[number]
