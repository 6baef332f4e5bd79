import { Type } from '@sinclair/typebox'
import { chosenTargets } from '../../../operations/backup/chosen-targets.ts'
import { boxEndpoint } from '../endpoint.ts'

export const makeBackupsEndpoint = boxEndpoint({
  method: 'POST',
  path: '/backups',
  summary: 'Make a base at each target now, or at one of them; the answer comes when it is there',
  scope: 'admin',
  audited: 'backup.make',
  body: Type.Object(
    { to: Type.Optional(Type.String({ maxLength: 2000, description: 'one of the targets' })) },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    written: Type.Array(
      Type.Object({
        kind: Type.Literal('base'),
        at: Type.String(),
        from: Type.Integer(),
        to: Type.Integer(),
        bytes: Type.Integer(),
        target: Type.String(),
        missingAssets: Type.Integer(),
      }),
    ),
    faults: Type.Array(Type.String({ description: 'why a target got nothing' })),
  }),
  async run({ body }, { targets, backupRun }) {
    const to = chosenTargets(await targets(), body.to).map(({ target }) => target.url)
    const { written, faults } = await backupRun.run(to)
    const value = { written: written.map((base) => ({ ...base, kind: 'base' as const })), faults }
    return { value, subject: to.join(' ') }
  },
})
