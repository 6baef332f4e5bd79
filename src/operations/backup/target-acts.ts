import { Type } from '@sinclair/typebox'
import { count, flag, orNull, text } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import type { SentBases } from './back-up-now.ts'
import { chosenTargets } from './list-backups.ts'
import type { VerifiedTargets } from './restore-target.ts'

interface TargetBox extends Pick<Box, 'targets'> {
  /** Works beside the caller, one run at a time. */
  backupRun: {
    run(to: readonly string[]): Promise<SentBases>
    verify(to: readonly string[]): Promise<VerifiedTargets>
  }
}

/** A file of a backup, in every answer that lists some. */
export const backupFile = { at: text, from: count, to: count, bytes: count, target: text }

const shared = {
  of: 'box',
  scope: 'admin',
  input: Type.Object({ to: Type.Optional(Type.String({ maxLength: 2000, description: 'one of the targets' })) }),
} as const

export const makeBackups = defineAct({
  ...shared,
  name: 'backup.make',
  text: 'Make a base at each target now, or at one of them; the answer comes when it is there',
  answer: Type.Object({
    written: Type.Array(Type.Object({ kind: Type.Literal('base'), ...backupFile, missingAssets: count })),
    faults: Type.Array(Type.String({ description: 'why a target got nothing' })),
  }),
  async run({ targets, backupRun }: TargetBox, { to: named }) {
    const to = urlsOf(await targets(), named)
    const { written, faults } = await backupRun.run(to)
    const answer = { written: written.map((base) => ({ ...base, kind: 'base' as const })), faults }
    return { answer, subject: to.join(' ') }
  },
})

export const verifyBackups = defineAct({
  ...shared,
  name: 'backup.verify',
  text: 'Read back what each target holds, or one of them, and say what is missing or damaged; what is not encrypted is restored as well',
  answer: Type.Object({
    verified: Type.Array(
      Type.Object({
        target: text,
        at: text,
        bases: count,
        increments: count,
        contents: count,
        isSealed: flag,
        restored: flag,
        records: orNull(
          Type.Object({ submissions: count, events: count, pageViews: count, clicks: count, others: count }),
        ),
        faults: Type.Array(Type.Object({ object: text, message: text })),
      }),
    ),
    faults: Type.Array(Type.String({ description: 'why a target could not be read' })),
  }),
  async run({ targets, backupRun }: TargetBox, { to: named }) {
    const to = urlsOf(await targets(), named)
    return { answer: await backupRun.verify(to), subject: to.join(' ') }
  },
})

const urlsOf = (targets: Awaited<ReturnType<Box['targets']>>, named: string | undefined): string[] =>
  chosenTargets(targets, named).map(({ target }) => target.url)
