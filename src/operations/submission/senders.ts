import { whoSent } from '../../report/sender-name.ts'
import type { Box } from '../box.ts'

/** Who sent the submissions, as far as they say: a name or an address, by the submission's id. */
export async function sendersOf(
  { submissions }: Pick<Box, 'submissions'>,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const found = await submissions.byIds(accountId, ids)
  const named = found.map(({ id, fields, email }) => [id, whoSent(fields, email)] as const)
  return new Map(named.flatMap(([id, who]) => (who === null ? [] : [[id, who]])))
}
