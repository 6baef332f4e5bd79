import { otherBoxAdvice, otherBoxFound } from '../data-folder/other-box.ts'
import { type CheckResult, warning } from './check-result.ts'
import type { Inspection } from './inspection.ts'

/** Warns about an empty box whose configuration was used with another one: `data_dir` is probably misspelt. */
export function examineElsewhere(inspection: Inspection): CheckResult[] {
  const { config, configFile, folder } = inspection
  const [other] = holdsAccounts(inspection) ? [] : folder.otherBoxes()
  if (other === undefined) return []
  const found = `The box in ${config.dataDir} holds no account. ${otherBoxFound(other, { configFile })}`
  return [warning('data folder', found, otherBoxAdvice(other))]
}

/** An unreadable database counts as having accounts: another check reports it. */
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
