import type { Http01Answers } from '../../https/http-01-answers.ts'
import type { ChallengeShown, KeeperNotice, KeeperSettings } from '../../https/keeper/targets.ts'
import { ServiceThread, type ThreadSurroundings } from './service-thread.ts'

interface KeeperThreadParts extends ThreadSurroundings {
  workerFile: string | URL
  settings: KeeperSettings
  answers: Http01Answers
  onIssued: (issued: { host: string; isRenewal: boolean }) => void
}

/**
 * The certificate thread, as seen from the serving thread. Answers must never wait for X.509, DNS or the database's write lock.
 */
export class KeeperThread {
  private readonly thread: ServiceThread<KeeperSettings, KeeperNotice, ChallengeShown>

  constructor(private readonly parts: KeeperThreadParts) {
    const { answers, settings, ...surroundings } = parts
    this.thread = new ServiceThread<KeeperSettings, KeeperNotice, ChallengeShown>({
      ...surroundings,
      purpose: 'keeps certificates',
      settings: () => settings,
      onMessage: (message) => this.receive(message),
      onDeath: () => answers.clear(),
    })
  }

  /** Starts no further orders and aborts those in progress. */
  stop(): Promise<void> {
    return this.thread.stop()
  }

  private receive(message: KeeperNotice): void {
    const { answers, onIssued } = this.parts
    if ('show' in message) {
      answers.show(message.show.token, message.show.keyAuthorization)
      this.thread.send({ shown: message.show.id })
    } else if ('hide' in message) answers.hide(message.hide)
    else onIssued(message.issued)
  }
}
