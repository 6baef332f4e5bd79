import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { VerifiedTarget } from '../../operations/backup/verify-target.ts'
import { defineCommand } from '../command.ts'
import { startProgress } from '../output/progress.ts'
import { identitiesIn } from './identities.ts'
import { recordsText } from './restored-text.ts'

export const backupVerify = defineCommand({
  name: 'backup verify',
  summary: 'Reads back what the backup targets hold, and says what is missing or damaged',
  details: `Every base, increment and published content is compared with its checksum, which needs no identity. Where nothing is encrypted,
or with --identity, the latest moment is also restored into a temporary place and checked. It needs no box. A running server
checks what the latest moment needs once a week.
A missing or damaged object is named, and the exit status is 1.
--json prints [{ "target", "at", "bases", "increments", "contents", "isSealed", "restored",
"records": { "submissions", "events", "pageViews", "clicks", "others" }|null, "faults": [{ "object", "message" }] }].
  capture backup verify --identity capture-backup-key.txt`,
  options: {
    to: { value: 'TARGET', summary: 'only this target' },
    identity: { value: 'FILE', summary: 'the file with the age identity that opens them' },
  },
  async run({ options: { to, identity } }, { clock, err, cwd, loadConfig }) {
    const { chosenTargets } = await import('../../operations/backup/chosen-targets.ts')
    const { verifyTarget } = await import('../../operations/backup/verify-target.ts')
    const { makeScratchFolder } = await import('../../storage/filesystem/scratch-folder.ts')
    const { restorePorts } = await import('../open.ts')
    const { openTargets } = await import('./targets/open-target.ts')
    const { config } = await loadConfig()
    const opened = openTargets(config.backup)
    const identities = identity === undefined ? [] : await identitiesIn(resolve(cwd, identity))
    const ports = await restorePorts(clock)
    const verified: VerifiedTarget[] = []
    const faults: string[] = []
    // A target that cannot be read does not hide the others.
    for (const { target } of chosenTargets(opened, to)) {
      const scratch = makeScratchFolder(placeBeside(config.dataDir), config.dataDir)
      const progress = startProgress({ stream: err, clock, label: 'Checking', unit: 'objects', total: null })
      try {
        const wanted = { target, identities, folder: scratch.dir, now: clock.now() }
        verified.push(await verifyTarget(ports, wanted, () => progress.advance(1)))
      } catch (error) {
        if (!(error instanceof OperatorError)) throw error
        faults.push(error.message)
      } finally {
        progress.end()
        scratch.remove()
      }
    }
    faults.push(...verified.flatMap(faultLines))
    const exitStatus = faults.length === 0 ? 0 : 1
    return { json: verified, text: verified.flatMap(sentences), notes: faults, exitStatus }
  },
})

/** In the data folder, whose volume has room for its database, or where that would be. */
const placeBeside = (dataDir: string): string => (existsSync(dataDir) ? join(dataDir, 'capture.db') : dataDir)

const faultLines = ({ target, faults }: VerifiedTarget): string[] =>
  faults.map(({ object, message }) => `${target}: the object ${object} ${message}.`)

function sentences({ target, at, bases, increments, contents, records, faults }: VerifiedTarget): string[] {
  if (faults.length > 0) return []
  const parts = `${plural(bases, 'base')}, ${plural(increments, 'increment')} and ${plural(contents, 'content')}`
  const proof =
    records !== null
      ? `The latest moment was restored and checked: ${recordsText(records)}.`
      : 'They are encrypted, so nothing was restored: --identity FILE does that too.'
  return [`${target} is sound up to ${timestamp(Date.parse(at))}: ${parts}. ${proof}`]
}
