import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize, plural } from '../../lib/quantities.ts'
import { backUpNow, type SentBase } from '../../operations/backup/back-up-now.ts'
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

/** One target that fails does not keep the others from getting theirs. */
export async function runBackupNow(
  { to, quiet, json, takeOver: takesOver }: BackupNowRequest,
  session: Session,
): Promise<ExitStatus> {
  const { config } = await session.loadConfig()
  const { recipients } = config.backup
  const opened = config.backup.to.map((url) => openTarget(url, config.backup))
  const chosen = chosenTargets(opened, to)
  const written: SentBase[] = []
  const faults: string[] = []
  const subject = chosen.map(({ target }) => target.url).join(' ')
  const warn = (message: string) => session.err.write(`Warning: ${printable(message)}\n`)
  await withBox(
    session,
    async (box) => {
      const ports = await targetPorts(config)
      try {
        for (const target of chosen) {
          try {
            const base = await backUpNow(box, ports, { ...target, recipients, takesOver, program: programVersion })
            written.push(base)
            if (base.missingAssets > 0) warn(`${base.target}: ${missingWords(base.missingAssets)}`)
          } catch (error) {
            if (!(error instanceof OperatorError)) throw error
            faults.push(error.message)
          }
        }
      } finally {
        ports.close()
      }
      if (written.length === 0) throw new OperatorError(faults.join('\n'))
    },
    { action: 'backup.make', subject },
  )
  if (json) await session.out.write(toJson(written))
  else if (!quiet) for (const base of written) await session.out.write(`${printable(textOf(base))}\n`)
  for (const message of faults) session.err.write(`${printable(message)}\n`)
  return faults.length === 0 ? 0 : 1
}

const textOf = ({ bytes, target }: SentBase): string => `Everything is at ${target}: ${byteSize(bytes)}.`

const missingWords = (count: number): string =>
  `${plural(count, 'published content')} missing on this box could not be sent; \`capture doctor\` says which.`
