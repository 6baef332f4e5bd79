import { count, plural, timestamp } from '../../lib/quantities.ts'
import type { RetentionClass, RetentionCounts, RetentionWait } from '../../processing/retention.ts'
import type { Diagnosis } from '../check-result.ts'

export const classWords: Record<RetentionClass, string> = {
  submissions: 'submissions',
  events: 'events, page views and clicks',
  refused: 'refused submissions',
}

export const trustClockCall = 'capture retention trust-clock'
const allowCall = (account: string): string => `capture retention allow ${account}`

/** `12,345 submissions of acme`: the class that made retention wait. */
const waitingCounts = (account: string, { class: name, due }: RetentionWait): string =>
  `${count(due)} ${classWords[name]} of ${account}`

/** `, and with them 12 events`: the other classes to delete; empty if there are none. */
function alsoText({ also }: RetentionWait): string {
  const counts = countsText(also)
  return counts === null ? '' : `, and with them ${counts}`
}

/** The notice about a pass that would delete most of an account. @param name what its reader calls the account */
export const waitText = (handle: string, name: string, wait: RetentionWait): Diagnosis => ({
  found: `Retention waits: it would delete ${waitingCounts(name, wait)} at once and keep ${wait.kept === 0 ? 'none' : count(wait.kept)}${alsoText(wait)}.`,
  advice: `If that is right: \`${allowCall(handle)}\`. If not, apply a longer \`[retention]\` to the account, or correct the clock.`,
})

/** The notice about a permitted pass. */
export const allowedText = (account: string, wait: RetentionWait): string =>
  `Allowed: \`serve\` deletes ${waitingCounts(account, wait)}${alsoText(wait)}. It keeps the rest.`

interface Doubt {
  now: number
  expectedAt: number
  isExact: boolean
}

/** The notice about an implausible clock. */
export function clockDoubt({ now, expectedAt, isExact }: Doubt): Diagnosis {
  const clock = `The clock says ${timestamp(now)}`
  const right = `If the clock is right: \`${trustClockCall}\`.`
  if (now < expectedAt) {
    return {
      found: `${clock}, but this box has already seen ${timestamp(expectedAt)}: retention waits.`,
      advice: `If the clock is wrong, set it soon: retention then continues by itself. Records received meanwhile have too early a time and will be deleted too early. ${right}`,
    }
  }
  const known = isExact
    ? `by this machine's uptime it should say ${timestamp(expectedAt)}`
    : `this box saw it last at ${timestamp(expectedAt)}, more than a week before`
  return {
    found: `${clock}, and ${known}: retention waits, so that no record is deleted by a wrong clock.`,
    advice: `If the clock is wrong, set it: retention then continues by itself. ${right}`,
  }
}

/** `12 submissions and 3 refused submissions`; `null`: nothing. */
export function countsText({ submissions, events, refused }: RetentionCounts): string | null {
  const parts = [
    submissions === 0 ? '' : plural(submissions, 'submission'),
    events === 0 ? '' : plural(events, 'event, page view or click', 'events, page views and clicks'),
    refused === 0 ? '' : plural(refused, 'refused submission'),
  ].filter((part) => part !== '')
  return parts.length === 0 ? null : parts.join(', ').replace(/, (?=\d[\d,]* \w+(?: \w+)*$)/, ' and ')
}
