import { consoleScript } from '../../client/console/embedded.ts'
import { startConsoleServer } from '../../console/console-server.ts'
import { eraseOutdated } from '../../console/housekeeping.ts'
import { systemClock } from '../../lib/clock.ts'
import { everyInterval } from '../../lib/interval.ts'
import { openConsoleBox } from '../console/open-console-box.ts'
import type { ConsoleBeginning, ConsoleNotice } from '../threads/console-thread.ts'
import { workInThread } from '../threads/service-thread.ts'
import { programVersion } from '../version.ts'

const housekeepingMs = 3_600_000
const refusalsLookMs = 60_000

// The console's thread: it opens the box as a command does, and answers until it is told to close.
workInThread<ConsoleBeginning, ConsoleNotice>(async ({ config: loaded, proxySocket }, { post, log }) => {
  const { box, consoleBox } = await openConsoleBox(loaded, {
    clock: systemClock,
    log,
    onWork: (atWork) => post({ atWork }),
    onRefusal: (refused) => post({ refused }),
  })
  const parts = {
    box: consoleBox,
    version: programVersion,
    script: consoleScript,
    origins: loaded.config.console.origins,
  }
  const server = startConsoleServer(parts, proxySocket)
  post({ listening: true })
  await eraseOutdated(consoleBox)
  const housekeeping = everyInterval(housekeepingMs, () => eraseOutdated(consoleBox), log)
  const summingUp = everyInterval(refusalsLookMs, () => consoleBox.refused.sumUp(), log)
  return {
    async close() {
      await server.stop()
      await summingUp.stop()
      await consoleBox.refused.sumUp({ isLast: true })
      consoleBox.waitingUploads.clear()
      await housekeeping.stop()
      await box.close()
    },
  }
})
