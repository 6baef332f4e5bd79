import { Type } from '@sinclair/typebox'
import { chosenTargets } from '../../../operations/backup/chosen-targets.ts'
import { boxEndpoint } from '../endpoint.ts'
import { closed, count } from '../schema.ts'
import { file } from './list-backups.ts'

export const makeBackupsEndpoint = boxEndpoint({
  method: 'POST',
  path: '/backups',
  summary: 'Make a base at each target now, or at one of them; the answer comes when it is there',
  scope: 'admin',
  audited: 'backup.make',
  body: closed({ to: Type.Optional(Type.String({ maxLength: 2000, description: 'one of the targets' })) }),
  answer: Type.Object({
    written: Type.Array(Type.Object({ kind: Type.Literal('base'), ...file, missingAssets: count })),
    faults: Type.Array(Type.String({ description: 'why a target got nothing' })),
  }),
  async run({ body }, { targets, backupRun }) {
    const to = chosenTargets(await targets(), body.to).map(({ target }) => target.url)
    const { written, faults } = await backupRun.run(to)
    const value = { written: written.map((base) => ({ ...base, kind: 'base' as const })), faults }
    return { value, subject: to.join(' ') }
  },
})
