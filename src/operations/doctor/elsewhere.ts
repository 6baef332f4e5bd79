import { otherBoxAdvice, otherBoxFound } from '../data-folder/other-box.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { Inspection } from './inspection.ts'

/** A box without an account, made where the configuration was used for another one: most likely a misspelling made it. */
export function examineElsewhere(inspection: Inspection): CheckResult[] {
  const { config, configFile, folder } = inspection
  const [other] = holdsAccounts(inspection) ? [] : folder.otherBoxes()
  if (other === undefined) return []
  const found = `The box in ${config.dataDir} holds no account. ${otherBoxFound(other, { configFile })}`
  return [warning('data folder', found, otherBoxAdvice(other))]
}

/** What cannot be read is said of the database. */
function holdsAccounts({ openDatabase }: Inspection): boolean {
  try {
    const database = openDatabase()
    try {
      return database?.holdsAccounts() ?? false
    } finally {
      database?.close()
    }
  } catch (error) {
    return (error as { code?: string }).code !== 'SQLITE_CANTOPEN'
  }
}
