import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize, plural } from '../../lib/quantities.ts'
import { backUp } from '../../operations/backup/back-up.ts'
import type { CommandResult, CommandSession } from '../command.ts'
import { noticeOtherBox } from '../data-folder/prepare.ts'
import { startProgress } from '../output/streams.ts'
import { printable } from '../output/text.ts'
import type { Session } from '../session.ts'
import { programVersion } from '../version.ts'

interface BackupRequest {
  file: string
  skipDamaged: boolean
  quiet: boolean
}

export async function runBackup(
  { file: typed, skipDamaged, quiet }: BackupRequest,
  session: CommandSession,
): Promise<CommandResult> {
  const { clock, err } = session
  const file = resolve(session.cwd, typed)
  await refuseSpecialFile(file)
  const result = await session.withBox(
    async (box) => {
      await noticeOtherBox(box.accounts, await whereabouts(session), warn(err))
      const progress = startProgress({ stream: err, clock, label: 'Writing', unit: 'bytes', total: null })
      const watch = {
        onBytes: progress.advance,
        onDamaged: ({ found, advice }: { found: string; advice: string }) =>
          warn(err)(`${found} Left out of the backup. ${advice}`),
      }
      const { recipients } = box.config.backup
      return backUp(box, { file, skipDamaged, recipients, program: programVersion }, watch).finally(progress.end)
    },
    { action: 'backup.make', subject: file },
  )
  const damaged = result.damagedAssets.length
  const all = damaged === 0 ? 'Everything' : `Everything but ${plural(damaged, 'damaged content')}`
  const sealed = result.isSealed ? ', encrypted for the recipients in [backup]' : ''
  const text = `${all} is in ${file}: ${byteSize(result.bytes)}${sealed}, read back and verified.`
  const missing = `${plural(result.missingAssets, 'published content')} missing on this box could not be copied`
  return {
    ...(quiet ? { text: [] } : { json: result, text }),
    notes: [
      ...(result.isSealed || quiet ? [] : [inTheClear]),
      ...(result.missingAssets === 0 ? [] : [`Warning: ${missing}; \`capture doctor\` says which.`]),
    ],
    exitStatus: damaged === 0 ? 0 : 1,
  }
}

const inTheClear =
  'The file holds keys and personal data in the clear: keep it where nobody else reads it, or name [backup] recipients in capture.toml, and it is encrypted (`capture backup key` makes a key).'

const warn = (err: Session['err']) => (message: string) => err.write(`Warning: ${printable(message)}\n`)

/** Refuses an empty box, which a misspelt data_dir may have created: its backup would overwrite a good one every night. */
async function whereabouts({ loadConfig, cwd }: Session) {
  const { config, file } = await loadConfig()
  return { dataDir: config.dataDir, configFile: file, cwd }
}

/** The target must be a regular file, because the backup is read back. */
async function refuseSpecialFile(file: string): Promise<void> {
  const found = await stat(file).catch(() => null)
  if (found === null || found.isFile()) return
  throw new OperatorError(
    `${file} is ${found.isDirectory() ? 'a folder' : 'not a regular file'}. Name a file to write.`,
  )
}
