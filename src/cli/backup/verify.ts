import { defineCommand } from '../command.ts'

export const backupVerify = defineCommand({
  name: 'backup verify',
  summary: 'Reads back what the backup targets hold, and says what is missing or damaged',
  details: `Every base, increment and published content is compared with its checksum, which needs no identity. Where nothing is encrypted,
or with --identity, the latest moment is also restored into a temporary place and checked. It needs no box. A running server
checks what the latest moment needs once a week.
A missing or damaged object is named, and the exit status is 1.
--json prints [{ "target", "at", "bases", "increments", "contents", "isSealed", "restored", "faults": [{ "object", "message" }] }].
  capture backup verify --identity capture-backup-key.txt`,
  args: {},
  options: {
    to: { value: 'TARGET', summary: 'only this target' },
    identity: { value: 'FILE', summary: 'the file with the age identity that opens them' },
  },
  printsResult: true,
  async run({ options, json }, session) {
    const { runBackupVerify } = await import('./verify-run.ts')
    return runBackupVerify({ ...options, json }, session)
  },
})
