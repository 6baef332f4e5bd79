import { systemClock } from '../../lib/clock.ts'
import { backUpChosen, type SentBases } from '../../operations/backup/back-up-now.ts'
import type { VerifiedTargets } from '../../operations/backup/restore-target.ts'
import { targetPorts, verifyTargets } from '../backup/targets.ts'
import { openTarget } from '../data-folder/open-target.ts'
import { openBox } from '../open.ts'
import { quietSession } from '../session.ts'
import type { ToBackupRun } from '../threads/console-work.ts'
import { answerInThread } from '../threads/one-answer.ts'
import { programVersion } from '../version.ts'
import { takeModestPriority } from './thread-priority.ts'

answerInThread<ToBackupRun, SentBases | VerifiedTargets>((asked) => {
  takeModestPriority()
  return asked.work === 'make' ? made(asked) : verified(asked)
})

async function made({ loaded, to }: ToBackupRun): Promise<SentBases> {
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

/** Without an identity: it is to be nowhere near the box. */
const verified = ({ loaded: { config }, to }: ToBackupRun): Promise<VerifiedTargets> =>
  verifyTargets(config, {
    chosen: to.map((url) => openTarget(url, config.backup).target),
    identities: [],
    clock: systemClock,
    onTarget: () => ({ onObject: () => {}, onEnd: () => {} }),
  })
