import type { Http01Answers } from '../../https/http-01-answers.ts'
import { bare } from '../answers.ts'

const headers = {
  'content-type': 'application/octet-stream',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

/**
 * `GET /.well-known/acme-challenge/TOKEN` (RFC 8555 section 8.3) for any host: tokens cannot be guessed, and a proxy may have
 * changed the host.
 */
export const acmeChallengeRoute =
  (challenges: Pick<Http01Answers, 'answerTo'>) =>
  ({ token = '' }: Record<string, string>): Response => {
    const answer = challenges.answerTo(token)
    return answer === null ? bare(404) : new Response(answer, { headers })
  }
