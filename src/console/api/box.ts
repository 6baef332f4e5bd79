import { Type } from '@sinclair/typebox'
import { oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import { testAlerts } from '../../operations/alert/test-alerts.ts'
import { knownTargets, pageOfBackups } from '../../operations/backup/list-backups.ts'
import { backupFile, makeBackups, verifyBackups } from '../../operations/backup/target-acts.ts'
import { checkJson, worstStatus } from '../../operations/check-result.ts'
import { actEndpoint, boxEndpoint } from './endpoint.ts'
import { boxList, cursorOf, placeIn } from './list.ts'

export const listBackupsEndpoint = boxList({
  path: '/backups',
  summary: 'List the backups at each target with their age',
  scope: 'read',
  item: Type.Object({ kind: oneOf(['base', 'increment']), ...backupFile }),
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

export const makeBackupsEndpoint = actEndpoint(makeBackups, { method: 'POST', path: '/backups', sends: 'body' })

export const verifyBackupsEndpoint = actEndpoint(verifyBackups, {
  method: 'POST',
  path: '/backups/verify',
  sends: 'body',
})

export const testAlertsEndpoint = actEndpoint(testAlerts, { method: 'POST', path: '/alerts/test' })

const status = oneOf(['ok', 'warning', 'fault'])

export const doctorEndpoint = boxEndpoint({
  method: 'GET',
  path: '/doctor',
  summary: 'Examine the box, with advice on each fault',
  scope: 'read',
  query: Type.Object({
    deep: Type.Boolean({
      default: false,
      description: 'also read and hash all published pages, images, files and assets',
    }),
  }),
  answer: Type.Object({
    status,
    checks: Type.Array(Type.Object({ check: text, status, found: text, advice: textOrNull })),
  }),
  async run({ query: { deep } }, { examination }) {
    const { checks } = await examination.run(deep)
    return { value: { status: worstStatus(checks), checks: checks.map(checkJson) } }
  },
})
