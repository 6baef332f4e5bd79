import { systemClock } from '../../lib/clock.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { backUpChosen } from '../../operations/backup/back-up-chosen.ts'
import { openTarget } from '../backup/targets/open-target.ts'
import { targetPorts } from '../backup/targets/target-ports.ts'
import { takeModestPriority } from '../backup/targets/thread-priority.ts'
import { openBox } from '../open.ts'
import { programVersion } from '../version.ts'
import type { FromBackupRun, ToBackupRun } from './backup-run-thread.ts'
import { quietSession } from './quiet-session.ts'

// The entry point of a thread that backs up once.
declare const self: Worker

self.onmessage = async ({ data }: MessageEvent<ToBackupRun>) => self.postMessage(await outcome(data))

async function outcome(asked: ToBackupRun): Promise<FromBackupRun> {
  try {
    takeModestPriority()
    return { sent: await sent(asked) }
  } catch (error) {
    if (error instanceof OperatorError) return { refused: error.message }
    return { failed: error instanceof Error ? error.message : 'unknown' }
  }
}

async function sent({ loaded, to }: ToBackupRun) {
  const { config } = loaded
  const box = await openBox(config, quietSession(loaded, systemClock), { mustExist: true })
  const ports = await targetPorts(config)
  try {
    const chosen = to.map((url) => openTarget(url, config.backup))
    const { recipients } = config.backup
    return await backUpChosen(box, ports, { chosen, recipients, takesOver: false, program: programVersion })
  } finally {
    ports.close()
    await box.close()
  }
}
