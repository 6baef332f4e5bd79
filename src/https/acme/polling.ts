import type { AcmeConnection } from './acme-connection.ts'
import { type Members, membersOf, textIn } from './answers.ts'
import type { Signer } from './jws.ts'
import { AcmeProblem } from './problem.ts'
import { retryAfterMs } from './retry-after.ts'
import { cleanedText } from './untrusted-text.ts'

interface Polled {
  url: string
  /** What is waited for, at the start of a sentence. */
  what: string
  signer: Signer
  /** Statuses (RFC 8555 section 7.1.6) in which there is more to wait for. */
  whileStatus: readonly string[]
}

/**
 * Looks at an order or authorization, as often as the authority wants it (`Retry-After`), until its status is another.
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
