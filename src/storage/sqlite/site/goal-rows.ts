import { aimKey, funnelKey, type GoalSettings } from '../../../account/goal.ts'
import type { Connection } from '../database/connection.ts'
import { goalSince } from '../schema/account-schema.ts'

/** Notes since when each goal and funnel of the account is counted: the first time that it was applied. Call in a transaction. */
export function keepGoals(
  { db }: Pick<Connection, 'db'>,
  accountRow: number,
  { goals, funnels, now: since }: GoalSettings & { now: number },
): void {
  const keys = [...goals.map(({ aim }) => aimKey(aim)), ...funnels.map(funnelKey)]
  for (const key of keys) db.insert(goalSince).values({ accountRow, key, since }).onConflictDoNothing().run()
}
