import type { Enqueue } from './queue.ts'

/** Records that something happened, and who it is that is known by it. */
export type Track = (event: string, properties?: object, traits?: object) => void

/** Every event states its page, which the service cannot infer (spec, Event batch request body). */
export const tracker =
  (enqueue: Enqueue): Track =>
  (event, properties, traits) =>
    enqueue(JSON.stringify({ event, properties: { url: location.href, ...properties }, traits }))
