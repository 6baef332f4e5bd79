import { consoleScript, leadsScript } from '../../client/console/embedded.ts'
import { settingsEditorFile } from '../../client/settings-editor/embedded.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { consoleBase } from '../../config/own-hosts.ts'
import { type RefusalKind, RefusedTries } from '../../console/audit/refused-tries.ts'
import type { ConsoleBox } from '../../console/console-box.ts'
import { startConsoleServer } from '../../console/console-server.ts'
import { eraseOutdated } from '../../console/housekeeping.ts'
import { LiveStreams } from '../../console/live/event-stream.ts'
import { NextPages } from '../../console/session/next-page.ts'
import { cookieMarkOf } from '../../console/session/session.ts'
import { SharedChanges } from '../../console/shared-changes.ts'
import { Passkeys } from '../../console/sign-in/passkeys.ts'
import { Passwords } from '../../console/sign-in/password.ts'
import { WaitingUploads } from '../../console/upload/waiting-uploads.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { everyInterval } from '../../lib/interval.ts'
import type { Log } from '../../lib/log.ts'
import { AssetUse } from '../../operations/asset/asset-use.ts'
import { leavingRoom } from '../../storage/filesystem/free-space.ts'
import { TokenBuckets } from '../../storage/memory/token-buckets.ts'
import { firstSite, handleFrom } from '../first-site.ts'
import { type CommandBox, openBox } from '../open.ts'
import { restartCommand } from '../service/machine.ts'
import { quietSession } from '../session.ts'
import type { ConsoleBeginning, ConsoleLeaving, ConsoleNotice } from '../threads/console-thread.ts'
import { BackupRunThread, ExaminationThread } from '../threads/console-work.ts'
import { workInThread } from '../threads/service-thread.ts'
import { programVersion } from '../version.ts'

const housekeepingMs = 3_600_000
const refusalsLookMs = 60_000

// The console's thread: it opens the box as a command does, and answers until it is told to close.
workInThread<ConsoleBeginning, ConsoleNotice, ConsoleLeaving>(
  async ({ config: loaded, proxySocket }, { post, log }) => {
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
      leadsScript,
      settingsEditorFile,
      origins: loaded.config.console.origins,
    }
    const server = startConsoleServer(parts, proxySocket)
    post({ listening: true })
    await eraseOutdated(consoleBox)
    const housekeeping = everyInterval(housekeepingMs, () => eraseOutdated(consoleBox), log)
    const summingUp = everyInterval(refusalsLookMs, () => consoleBox.refused.sumUp(), log)
    let mayWrite = true
    return {
      receive() {
        mayWrite = false
      },
      async close() {
        await server.stop()
        await summingUp.stop()
        if (mayWrite) await consoleBox.refused.sumUp({ isLast: true })
        consoleBox.waitingUploads.clear()
        await housekeeping.stop()
        await box.close()
      },
    }
  },
)

interface ConsoleBoxParts {
  clock: Clock
  log: Log
  onWork: (isAtWork: boolean) => void
  onRefusal: (kind: RefusalKind) => void
}

/** Opens the box with everything that the console works with. */
async function openConsoleBox(
  loaded: LoadedConfig,
  { clock, log, onWork, onRefusal }: ConsoleBoxParts,
): Promise<{ box: CommandBox; consoleBox: ConsoleBox }> {
  const box = await openBox(loaded.config, quietSession(loaded, clock), { mustExist: true })
  const stores = await box.consoleStores()
  const budgets = new TokenBuckets(clock)
  const consoleBox = {
    ...box,
    ...stores,
    changes: box.changes && new SharedChanges(box.changes.share),
    cookieMark: cookieMarkOf(box.boxId()),
    assets: leavingRoom(box.assets, loaded.config.dataDir),
    budgets,
    refused: new RefusedTries({ audit: stores.audit, budgets, clock, onRefusal }),
    waitingUploads: new WaitingUploads(),
    assetUse: new AssetUse(box.assets),
    passwords: new Passwords(),
    passkeys: new Passkeys(stores.users, clock),
    live: new LiveStreams(),
    nextPages: new NextPages(),
    firstFolder: async (of: { name: string; domain: string }) =>
      (await firstSite({ account: handleFrom(of.name), ...of })).files,
    address: () => consoleBase(loaded.config),
    settingsPlace: { file: loaded.file, restart: restartCommand(loaded.file) },
    examination: new ExaminationThread(loaded, clock),
    backupRun: new BackupRunThread({ loaded, clock, onWork }),
    log,
  }
  return { box, consoleBox }
}
