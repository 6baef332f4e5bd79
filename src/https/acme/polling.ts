import { retryAfterMs } from '../../lib/retry-after.ts'
import type { AcmeConnection } from './acme-connection.ts'
import { type Members, membersOf, textIn } from './answers.ts'
import type { Signer } from './jws.ts'
import { AcmeProblem } from './problem.ts'
import { cleanedText } from './untrusted-text.ts'

interface Polled {
  url: string
  /** The subject for an error message, at the start of a sentence. */
  what: string
  signer: Signer
  /** Unfinished statuses (RFC 8555 section 7.1.6). */
  whileStatus: readonly string[]
}

/**
 * Polls an order or authorization at the authority's interval (`Retry-After`) until it is finished.
 *
 * @throws AcmeProblem `stuck` when that takes too long
 */
export async function pollUntilDone(
  connection: AcmeConnection,
  { url, what, signer, whileStatus }: Polled,
  signal: AbortSignal,
): Promise<Members> {
  const { clock, limits, pause } = connection.parts
  const deadline = clock.monotonicMs() + limits.orderMsMax
  let answer = await connection.read(url, signer, signal)
  for (;;) {
    const members = membersOf(answer)
    const status = textIn(members, 'status')
    if (!whileStatus.includes(status)) return members
    const asked = retryAfterMs(answer.headers.get('retry-after'), clock.now()) ?? limits.pollMsMin
    const wait = Math.min(Math.max(asked, limits.pollMsMin), limits.pollMsMax)
    if (clock.monotonicMs() + wait > deadline) {
      const detail = `${what} is still "${cleanedText(status)}" after ${limits.orderMsMax / 1000} s`
      throw new AcmeProblem({ kind: 'stuck', detail })
    }
    await pause(wait, signal)
    answer = await connection.read(url, signer, signal)
  }
}
