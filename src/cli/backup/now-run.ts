import { byteSize, plural } from '../../lib/quantities.ts'
import { backUpChosen } from '../../operations/backup/back-up-chosen.ts'
import type { SentBase } from '../../operations/backup/back-up-now.ts'
import { chosenTargets } from '../../operations/backup/chosen-targets.ts'
import type { ExitStatus } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'
import { withBox } from '../with-box.ts'
import { openTarget } from './targets/open-target.ts'
import { targetPorts } from './targets/target-ports.ts'

interface BackupNowRequest {
  to: string | undefined
  takeOver: boolean
  quiet: boolean
  json: boolean
}

export async function runBackupNow(
  { to, quiet, json, takeOver: takesOver }: BackupNowRequest,
  session: Session,
): Promise<ExitStatus> {
  const { config } = await session.loadConfig()
  const { recipients } = config.backup
  const opened = config.backup.to.map((url) => openTarget(url, config.backup))
  const chosen = chosenTargets(opened, to)
  const subject = chosen.map(({ target }) => target.url).join(' ')
  const { written, faults } = await withBox(
    session,
    async (box) => {
      const ports = await targetPorts(config)
      try {
        return await backUpChosen(box, ports, { chosen, recipients, takesOver, program: programVersion })
      } finally {
        ports.close()
      }
    },
    { action: 'backup.make', subject },
  )
  for (const { target, missingAssets } of written)
    if (missingAssets > 0) session.err.write(`Warning: ${printable(`${target}: ${missingWords(missingAssets)}`)}\n`)
  if (json) await session.out.write(toJson(written))
  else if (!quiet) for (const base of written) await session.out.write(`${printable(textOf(base))}\n`)
  for (const message of faults) session.err.write(`${printable(message)}\n`)
  return faults.length === 0 ? 0 : 1
}

const textOf = ({ bytes, target }: SentBase): string => `Everything is at ${target}: ${byteSize(bytes)}.`

const missingWords = (count: number): string =>
  `${plural(count, 'published content')} missing on this box could not be sent; \`capture doctor\` says which.`
