import type { Http01Answers } from '../../https/http-01-answers.ts'
import type { FromKeeper, KeeperSettings, ToKeeper } from '../../https/keeper/thread-messages.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { ServiceThread, type ThreadClosed } from '../serve/service-thread.ts'

interface KeeperThreadParts {
  /** The thread's entry point. */
  workerFile: string | URL
  settings: KeeperSettings
  answers: Http01Answers
  onIssued: (issued: { host: string; isRenewal: boolean }) => void
  clock: Pick<Clock, 'monotonicMs'>
  log: Log
}

/**
 * The thread that keeps certificates, seen from the serving one: X.509, DNS and the database's write lock must never
 * keep an answer waiting.
 */
export class KeeperThread {
  private readonly thread: ServiceThread<ToKeeper, FromKeeper>

  constructor(private readonly parts: KeeperThreadParts) {
    const { answers, clock, log, settings, workerFile } = parts
    this.thread = new ServiceThread<ToKeeper, FromKeeper>({
      workerFile,
      purpose: 'keeps certificates',
      begin: { begin: settings },
      onMessage: (message) => this.receive(message),
      onDeath: () => answers.clear(),
      clock,
      log,
    })
  }

  /** No order begins any more; what is under way is cut. */
  stop(): Promise<void> {
    return this.thread.stop()
  }

  private receive(message: Exclude<FromKeeper, ThreadClosed>): void {
    const { answers, log, onIssued } = this.parts
    if ('show' in message) {
      answers.show(message.show.token, message.show.keyAuthorization)
      this.thread.send({ shown: message.show.id })
    } else if ('hide' in message) answers.hide(message.hide)
    else if ('issued' in message) onIssued(message.issued)
    else log[message.log.level](message.log.message, message.log.fields)
  }
}
