import { errorJson, json, unavailableAnswer } from './answer/answers.ts'
import { backInAMoment } from './answer/small-page.ts'
import type { ListenerParts } from './listener-parts.ts'

/** Logged at most once in this time, however many requests fail. */
const descriptorNoticeMs = 60_000

/** Answers a request whose handler threw, without details of the error. */
export function failedRequest({ clock, log }: Pick<ListenerParts, 'clock' | 'log'>) {
  let noticedAtMs = Number.NEGATIVE_INFINITY
  const outOfDescriptors = (request?: Request): Response => {
    if (clock.monotonicMs() - noticedAtMs >= descriptorNoticeMs) {
      noticedAtMs = clock.monotonicMs()
      log.error('The process has no file descriptor left: raise its limit (LimitNOFILE of the service, or ulimit -n).')
    }
    return request?.method === 'POST' ? unavailableAnswer() : backInAMoment({ request })
  }
  /** `request`: unknown if sending the answer failed. */
  return (error: unknown, request?: Request): Response => {
    if (isOutOfDescriptors(error)) return outOfDescriptors(request)
    log.error('A request failed for an internal reason. Please report it with this line.', {
      method: request?.method ?? 'unknown',
      error: error instanceof Error ? error.name : 'unknown',
      at: error instanceof Error ? (error.stack?.split('\n')[1]?.trim() ?? '') : '',
    })
    return json(errorJson('internal', 'The service failed to answer this request. Try again later.'), 500)
  }
}

/** The limit of the process (EMFILE) or the system (ENFILE), which frees up when connections end. */
const isOutOfDescriptors = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE')
