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
 * The certificate thread, as seen from the serving thread. Answers must never wait for X.509, DNS or the database's write lock.
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

  /** Starts no further orders and aborts those in progress. */
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
