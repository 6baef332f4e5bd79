import { OperatorError } from '../../lib/operator-error.ts'
import { NotPublished } from '../../operations/apply/apply-folder.ts'
import { type Consent, seenHarm, unaccepted } from '../../site/harm.ts'
import { askedLine, canAsk } from '../input/asked-line.ts'
import { styleFor } from '../output/style.ts'
import type { Session } from '../session.ts'
import type { AskedApply } from './harm-text.ts'
import { askedText } from './present.ts'

interface Consenting extends AskedApply {
  accept: Consent
  json: boolean
}

interface Consented<T> {
  done: T
  /** Whether the plan was shown, with the question. */
  isShown: boolean
}

/**
 * Publishes with the consent of the command line. On a terminal, whoever types sees the plan and is asked about further harm, and
 * consents to what they saw: harm that came meanwhile is asked about again.
 *
 * @throws NotPublished where nobody can be asked; OperatorError when they refuse
 */
export async function withConsent<T>(
  publish: (accept: Consent) => Promise<T>,
  asked: Consenting,
  session: Pick<Session, 'err' | 'out' | 'env'>,
): Promise<Consented<T>> {
  const { accept, json } = asked
  for (let given = accept; ; ) {
    try {
      return { done: await publish(given), isShown: given !== accept }
    } catch (error) {
      if (!(error instanceof NotPublished) || error.why !== 'harm' || json || !canAsk(session)) throw error
      const harm = unaccepted(error.planned.harm, given)
      const layout = { style: styleFor(session.err, session.env), columns: session.out.columns }
      session.err.write(askedText({ ...error.planned, harm }, asked, layout))
      const answer = await askedLine('Publish all the same? Type yes: ', session)
      if (answer !== 'yes') throw new OperatorError('Nothing was changed.', 3)
      given = new Set([...given, ...harm.map(({ kind }) => seenHarm(kind, harm))])
    }
  }
}
