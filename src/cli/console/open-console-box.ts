import type { LoadedConfig } from '../../config/load.ts'
import { type RefusalKind, RefusedTries } from '../../console/audit/refused-tries.ts'
import type { ConsoleBox } from '../../console/console-box.ts'
import { LiveStreams } from '../../console/live/event-stream.ts'
import { NextPages } from '../../console/session/next-page.ts'
import { cookieMarkOf } from '../../console/session/session-cookie.ts'
import { Passkeys } from '../../console/sign-in/passkeys.ts'
import { Passwords } from '../../console/sign-in/password.ts'
import { WaitingUploads } from '../../console/upload/waiting-uploads.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { leavingRoom } from '../../storage/filesystem/free-space.ts'
import { TokenBuckets } from '../../storage/memory/token-buckets.ts'
import { type CommandBox, openBox } from '../open.ts'
import { BackupRunThread } from '../threads/backup-run-thread.ts'
import { ExaminationThread } from '../threads/examination-thread.ts'
import { consoleBase } from './console-base.ts'
import { quietSession } from './quiet-session.ts'

interface ConsoleBoxParts {
  clock: Clock
  log: Log
  onWork: (isAtWork: boolean) => void
  onRefusal: (kind: RefusalKind) => void
}

/** Opens the box with everything that the console works with. */
export async function openConsoleBox(
  loaded: LoadedConfig,
  { clock, log, onWork, onRefusal }: ConsoleBoxParts,
): Promise<{ box: CommandBox; consoleBox: ConsoleBox }> {
  const box = await openBox(loaded.config, quietSession(loaded, clock), { mustExist: true })
  const stores = await box.consoleStores()
  const budgets = new TokenBuckets(clock)
  const consoleBox = {
    ...box,
    ...stores,
    cookieMark: cookieMarkOf(box.boxId()),
    assets: leavingRoom(box.assets, loaded.config.dataDir),
    budgets,
    refused: new RefusedTries({ audit: stores.audit, budgets, clock, onRefusal }),
    waitingUploads: new WaitingUploads(),
    passwords: new Passwords(),
    passkeys: new Passkeys(stores.users, clock),
    live: new LiveStreams(),
    nextPages: new NextPages(),
    address: () => consoleBase(loaded.config),
    examination: new ExaminationThread(loaded, clock),
    backupRun: new BackupRunThread({ loaded, clock, onWork }),
    log,
  }
  return { box, consoleBox }
}
