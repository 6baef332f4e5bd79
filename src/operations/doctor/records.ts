import type { LeftOut } from '../../ledger/ledger.ts'
import { count, plural } from '../../lib/quantities.ts'
import { missingWords } from '../record/missing-words.ts'
import { type CheckResult, fault, ok } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

/** Whether each record can be read and is as it was captured: what an export would leave out. */
export async function examineRecords(database: Pick<DatabaseInspector, 'checkRecords'>): Promise<CheckResult> {
  const { sound, unchecked, leftOut, described } = await database.checkRecords()
  const without = unchecked === 0 ? '' : `; ${count(unchecked)} of them are from before records had a checksum`
  const read = `${plural(sound, 'record')} can be read and ${sound === 1 ? 'is' : 'are'} as captured${without}.`
  if (leftOut === 0) return ok('records', read)
  const named = described.map(({ handle, leftOut }) => `of ${handle} ${leftOutWords(leftOut)}`).join('; ')
  const more = described.length < leftOut ? '; …' : ''
  return fault(
    'records',
    `${plural(leftOut, 'record')} cannot be read, or not as captured: ${named}${more}. ${read}`,
    'An export leaves them out and names each. A backup from before the damage has them: restore it into another data folder (`capture restore FILE --config OTHER.toml`) and export them there. See to the disk first.',
  )
}

function leftOutWords(leftOut: LeftOut): string {
  if (leftOut.fault === 'missing') return missingWords(leftOut)
  return `${leftOut.id} (${leftOut.fault === 'changed' ? 'does not match its checksum' : 'is no record any more'})`
}
