import { givenUpAdvice } from '../../https/keeper/name-steps.ts'

/** Why the last order for a name failed, without the advice that follows once the box stops trying; `null`: it tries. */
export function whyGivenUp({ host, reason }: { host: string; reason: string }): string | null {
  const advice = ` ${givenUpAdvice(host)}`
  return reason.endsWith(advice) ? reason.slice(0, -advice.length) : null
}

/** Follows the reason in the console; the sentence goes on with where the button is. */
export const triedAgain =
  'After 30 days the box stops trying until the DNS of the name changes or you choose “Check now”'
