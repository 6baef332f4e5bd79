import { resolve } from 'node:path'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { VerifiedTarget } from '../../operations/backup/restore-target.ts'
import { defineCommand } from '../command.ts'
import { startProgress } from '../output/streams.ts'
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
    const { chosenTargets } = await import('../../operations/backup/list-backups.ts')
    const { openTargets } = await import('../data-folder/open-target.ts')
    const { identitiesIn, verifyTargets } = await import('./targets.ts')
    const { config } = await loadConfig()
    const chosen = chosenTargets(openTargets(config.backup), to).map(({ target }) => target)
    const identities = identity === undefined ? [] : await identitiesIn(resolve(cwd, identity))
    const onTarget = () => {
      const progress = startProgress({ stream: err, clock, label: 'Checking', unit: 'objects', total: null })
      return { onObject: () => progress.advance(1), onEnd: () => progress.end() }
    }
    const { verified, faults } = await verifyTargets(config, { chosen, identities, clock, onTarget })
    faults.push(...verified.flatMap(faultLines))
    const exitStatus = faults.length === 0 ? 0 : 1
    return { json: verified, text: verified.flatMap(sentences), notes: faults, exitStatus }
  },
})

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
