import { Type } from '@sinclair/typebox'
import { knownTargets } from '../../../operations/backup/known-targets.ts'
import { pageOfBackups } from '../../../operations/backup/page-of-backups.ts'
import { cursorOf, placeIn } from '../cursor.ts'
import { boxList } from '../list.ts'
import { count, oneOf, orNull, text, textOrNull } from '../schema.ts'

/** A file of a backup, in every answer that lists some. */
export const file = { at: text, from: count, to: count, bytes: count, target: text }

export const listBackupsEndpoint = boxList({
  path: '/backups',
  summary: 'List the backups at each target with their age',
  scope: 'read',
  item: Type.Object({ kind: oneOf(['base', 'increment']), ...file }),
  beside: Type.Object({
    targets: Type.Array(
      Type.Object({
        url: text,
        safeAt: textOrNull,
        baseAt: textOrNull,
        fault: orNull(Type.Object({ message: text, since: text })),
      }),
    ),
    faults: Type.Array(Type.String({ description: 'why a target could not be read for this answer' })),
    snapshots: Type.Array(Type.String({ description: 'a copy of the database that an upgrade left on this machine' })),
  }),
  columns: ['at', 'kind', 'from', 'to', 'bytes', 'target'],
  async read({ query: { limit, q = null, cursor } }, box) {
    const [at, target = ''] = placeIn(cursor, /^(\d{1,15}) (.+)$/) ?? []
    const behind = at === undefined ? null : { at: Number(at), target }
    const { backups, next, faults } = await pageOfBackups(box, { limit, q, behind })
    return {
      items: backups,
      next: cursorOf(next && `${next.at} ${next.target}`),
      targets: knownTargets(box),
      faults,
      snapshots: box.earlierDatabases().snapshots,
    }
  },
})
