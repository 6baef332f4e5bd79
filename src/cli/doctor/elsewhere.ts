import { join } from 'node:path'
import { openReader } from '../../storage/sqlite/connection.ts'
import { otherBoxAdvice, otherBoxes, otherBoxFound, type Whereabouts } from '../other-boxes.ts'
import { type Finding, warning } from './finding.ts'

/** A box without an account, made where the configuration was used for another one: most likely a misspelling made it. */
export function examineElsewhere(where: Whereabouts): Finding[] {
  const [other] = holdsAccounts(where.dataDir) ? [] : otherBoxes(where)
  if (other === undefined) return []
  const found = `The box in ${where.dataDir} holds no account. ${otherBoxFound(other, where)}`
  return [warning('data folder', found, otherBoxAdvice(other))]
}

/** What cannot be read is said of the database. */
function holdsAccounts(dataDir: string): boolean {
  try {
    const { raw } = openReader(join(dataDir, 'capture.db'))
    try {
      return raw.query('SELECT 1 FROM account WHERE removed_at IS NULL LIMIT 1').get() !== null
    } finally {
      raw.close()
    }
  } catch (error) {
    return (error as { code?: string }).code !== 'SQLITE_CANTOPEN'
  }
}
