import { byteSize, plural } from '../../lib/quantities.ts'
import type { SentBase } from '../../operations/backup/back-up-now.ts'
import { defineCommand } from '../command.ts'
import { programVersion } from '../version.ts'

export const backupNow = defineCommand({
  name: 'backup now',
  summary: 'Sends the whole box to its backup targets now',
  details: `Sends to every target in [backup] to of capture.toml, or to the one that --to names. A running service goes on
serving and sending its own backups.
A target that another box writes to is refused, and the exit status is 1. So is one that another copy of this box
writes to, unless --take-over says that the copy is gone for good.
--json prints [{ "kind": "base", "at", "from", "to", "bytes", "target", "missingAssets" }], one for each target that got it.
  capture backup now --to s3://bucket/prefix`,
  options: {
    to: { value: 'TARGET', summary: 'only this target' },
    takeOver: { summary: 'take the target from another copy of this box, which then may no longer write there' },
    quiet: { summary: 'print nothing on success, as for cron' },
  },
  async run({ options: { to, quiet, takeOver: takesOver } }, session) {
    const { backUpChosen } = await import('../../operations/backup/back-up-now.ts')
    const { makeBackups } = await import('../../operations/backup/target-acts.ts')
    const { chosenTargets } = await import('../../operations/backup/list-backups.ts')
    const { openTargets } = await import('../data-folder/open-target.ts')
    const { targetPorts } = await import('./targets.ts')
    const { config } = await session.loadConfig()
    const { recipients } = config.backup
    const chosen = chosenTargets(openTargets(config.backup), to)
    const { written, faults } = await session.withBox(
      async (box) => {
        const ports = await targetPorts(config)
        try {
          return await backUpChosen(box, ports, { chosen, recipients, takesOver, program: programVersion })
        } finally {
          ports.close()
        }
      },
      { action: makeBackups.name, subject: chosen.map(({ target }) => target.url).join(' ') },
    )
    return {
      json: written,
      text: quiet ? [] : written.map(({ bytes, target }) => `Everything is at ${target}: ${byteSize(bytes)}.`),
      notes: [...(quiet ? [] : inTheClear(recipients, written)), ...written.flatMap(missingWords), ...faults],
      exitStatus: faults.length === 0 ? 0 : 1,
    }
  },
})

const inTheClear = (recipients: readonly string[], written: readonly SentBase[]): string[] =>
  recipients.length > 0
    ? []
    : written.map(
        ({ target }) =>
          `${target} holds keys and personal data in the clear: name [backup] recipients in capture.toml to have it encrypted (\`capture backup key\` makes a key).`,
      )

const missingWords = ({ target, missingAssets }: SentBase): string[] =>
  missingAssets === 0
    ? []
    : [
        `Warning: ${target}: ${plural(missingAssets, 'published content')} missing on this box could not be sent; \`capture doctor\` says which.`,
      ]
