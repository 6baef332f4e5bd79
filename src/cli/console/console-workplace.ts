import { consoleScript } from '../../client/console/embedded.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { type ConsoleServer, startConsoleServer } from '../../console/console-server.ts'
import { eraseOutdated } from '../../console/housekeeping.ts'
import type { Passage } from '../../console/passage.ts'
import type { FromConsole, ToConsole } from '../../console/thread-messages.ts'
import type { WaitingUploads } from '../../console/upload/waiting-uploads.ts'
import { systemClock } from '../../lib/clock.ts'
import { everyInterval, type PeriodicWork } from '../../lib/interval.ts'
import { handedOnLog } from '../../lib/log.ts'
import type { CommandBox } from '../open.ts'
import { programVersion } from '../version.ts'
import { openConsoleBox } from './open-console-box.ts'

interface Beginning {
  config: LoadedConfig
  passage: Passage
}

interface Work {
  box: CommandBox
  server: ConsoleServer
  housekeeping: PeriodicWork
  waitingUploads: WaitingUploads
}

const housekeepingMs = 3_600_000

/** What the console's thread does: it opens the box as a command does, and answers until it is told to close. */
export class ConsoleWorkplace {
  private work: Promise<Work> | null = null

  constructor(private readonly post: (message: FromConsole) => void) {}

  receive(message: ToConsole<LoadedConfig>): void {
    if ('begin' in message) this.work = this.begin(message.begin)
    else void this.close()
  }

  private async begin({ config: loaded, passage }: Beginning): Promise<Work> {
    const log = handedOnLog((line) => this.post({ log: line }))
    const { box, consoleBox } = await openConsoleBox(loaded, {
      clock: systemClock,
      log,
      onWork: (atWork) => this.post({ atWork }),
    })
    const parts = {
      box: consoleBox,
      version: programVersion,
      script: consoleScript,
      origins: loaded.config.console.origins,
    }
    const server = startConsoleServer(parts, passage)
    this.post({ listening: true })
    await eraseOutdated(consoleBox)
    const housekeeping = everyInterval(housekeepingMs, () => eraseOutdated(consoleBox), log)
    return { box, server, housekeeping, waitingUploads: consoleBox.waitingUploads }
  }

  private async close(): Promise<void> {
    try {
      const work = await this.work
      await work?.server.stop()
      work?.waitingUploads.clear()
      await work?.housekeeping.stop()
      await work?.box.close()
    } finally {
      this.post({ closed: true })
    }
  }
}
