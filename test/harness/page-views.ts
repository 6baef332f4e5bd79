import type { EventRecord } from '../../src/report/record.ts'
import type { Box } from './box.ts'
import { eventually } from './eventually.ts'
import { visit } from './visits.ts'

const named = async (box: Box, name: string, account?: string): Promise<EventRecord[]> =>
  (await box.events(account)).filter(({ event }) => event === name)

/** The recorded page views whose address holds the text, once there are that many. */
export async function pageViewsOf(box: Box, text: string, count: number, account?: string): Promise<EventRecord[]> {
  let found: EventRecord[] = []
  await eventually(`${count} page views of ${text} are recorded`, async () => {
    found = (await named(box, '$pageview', account)).filter(({ properties }) => String(properties.url).includes(text))
    return found.length >= count
  })
  return found
}

/**
 * The page views recorded so far, all of them: those of earlier requests lie before one that is seen to arrive.
 *
 * `path` is a live page of the account that nothing else of the test asks for.
 */
export async function settledPageViews(box: Box, path: string, account = 'acme'): Promise<EventRecord[]> {
  const mark = `mark=${crypto.randomUUID().slice(0, 8)}`
  await box.send(visit(`${path}?${mark}`, { account }))
  await pageViewsOf(box, mark, 1, account)
  return (await named(box, '$pageview', account)).filter(({ properties }) => !String(properties.url).includes('mark='))
}

/** The recorded clicks of links signed with the message id. A click's 302 is sent after its record is on disk. */
export const clicksOf = async (box: Box, message: string, account?: string): Promise<EventRecord[]> =>
  (await named(box, '$click', account)).filter(({ properties }) => properties.message === message)
