import { Type } from '@sinclair/typebox'
import { knownTargets } from '../../../operations/backup/known-targets.ts'
import { type BackupPlace, pageOfBackups } from '../../../operations/backup/page-of-backups.ts'
import { ApiError } from '../api-error.ts'
import { boxEndpoint } from '../endpoint.ts'
import { decoded, encoded, listAnswer, listOf, listQuery } from '../list.ts'
import { orNull } from '../or-null.ts'

const instant = orNull(Type.String())

export const listBackupsEndpoint = boxEndpoint({
  method: 'GET',
  path: '/backups',
  summary: 'List the backups at each target with their age',
  scope: 'read',
  query: listQuery,
  answer: Type.Composite([
    listOf(
      Type.Object({
        kind: Type.Union([Type.Literal('base'), Type.Literal('increment')]),
        at: Type.String(),
        from: Type.Integer(),
        to: Type.Integer(),
        bytes: Type.Integer(),
        target: Type.String(),
      }),
    ),
    Type.Object({
      targets: Type.Array(
        Type.Object({
          url: Type.String(),
          safeAt: instant,
          baseAt: instant,
          fault: orNull(Type.Object({ message: Type.String(), since: Type.String() })),
        }),
      ),
      faults: Type.Array(Type.String({ description: 'why a target could not be read for this answer' })),
      snapshots: Type.Array(
        Type.String({ description: 'a copy of the database that an upgrade left on this machine' }),
      ),
    }),
  ]),
  async run({ query, request }, box) {
    const { limit, q = null, cursor } = query
    const wanted = { limit, q, behind: cursor === undefined ? null : placeIn(cursor) }
    const { backups, next, faults } = await pageOfBackups(box, wanted)
    const page = { items: backups, next: next && encoded(`${next.at} ${next.target}`) }
    const answer = listAnswer(page, { query, url: request.url }, [
      { header: 'at', cell: ({ at }) => at },
      { header: 'kind', cell: ({ kind }) => kind },
      { header: 'from', cell: ({ from }) => String(from) },
      { header: 'to', cell: ({ to }) => String(to) },
      { header: 'bytes', cell: ({ bytes }) => String(bytes) },
      { header: 'target', cell: ({ target }) => target },
    ])
    if (answer instanceof Response) return answer
    return {
      value: { ...answer.value, targets: knownTargets(box), faults, snapshots: box.earlierDatabases().snapshots },
    }
  },
})

/** @throws ApiError `invalid` for a cursor that this list did not return */
function placeIn(cursor: string): BackupPlace {
  const [, at, target] = /^(\d{1,16}) (.+)$/.exec(decoded(cursor)) ?? []
  if (at === undefined || target === undefined)
    throw new ApiError('invalid', 'This list did not return this cursor. Start without a cursor.')
  return { at: Number(at), target }
}
