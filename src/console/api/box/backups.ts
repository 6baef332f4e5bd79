import { Type } from '@sinclair/typebox'
import { closed, count, oneOf, orNull, text, textOrNull } from '../../../lib/schema.ts'
import { chosenTargets, knownTargets, pageOfBackups } from '../../../operations/backup/list-backups.ts'
import { cursorOf, placeIn } from '../cursor.ts'
import { boxEndpoint } from '../endpoint.ts'
import { boxList } from '../list.ts'

/** A file of a backup, in every answer that lists some. */
const file = { at: text, from: count, to: count, bytes: count, target: text }

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

const chosen = closed({ to: Type.Optional(Type.String({ maxLength: 2000, description: 'one of the targets' })) })

export const makeBackupsEndpoint = boxEndpoint({
  method: 'POST',
  path: '/backups',
  summary: 'Make a base at each target now, or at one of them; the answer comes when it is there',
  scope: 'admin',
  audited: 'backup.make',
  body: chosen,
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

export const verifyBackupsEndpoint = boxEndpoint({
  method: 'POST',
  path: '/backups/verify',
  summary:
    'Read back what each target holds, or one of them, and say what is missing or damaged; what is not encrypted is restored as well',
  scope: 'admin',
  audited: 'backup.verify',
  body: chosen,
  answer: Type.Object({
    verified: Type.Array(
      Type.Object({
        target: text,
        at: text,
        bases: count,
        increments: count,
        contents: count,
        isSealed: Type.Boolean(),
        restored: Type.Boolean(),
        records: orNull(
          Type.Object({ submissions: count, events: count, pageViews: count, clicks: count, others: count }),
        ),
        faults: Type.Array(Type.Object({ object: text, message: text })),
      }),
    ),
    faults: Type.Array(Type.String({ description: 'why a target could not be read' })),
  }),
  async run({ body }, { targets, backupRun }) {
    const to = chosenTargets(await targets(), body.to).map(({ target }) => target.url)
    return { value: await backupRun.verify(to), subject: to.join(' ') }
  },
})
