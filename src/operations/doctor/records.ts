import type { LeftOut } from '../../ledger/ledger.ts'
import { plural } from '../../lib/quantities.ts'
import { missingWords } from '../record/missing-words.ts'
import { type CheckResult, fault, ok } from './check-result.ts'
import type { DatabaseInspector, RowCheck } from './inspection.ts'

/** Whether everything in the ledger can be read and is as it was stored. */
export async function examineRecords(database: Pick<DatabaseInspector, 'checkLedger'>): Promise<CheckResult[]> {
  const { records, decisions } = await database.checkLedger()
  return [examineCaptured(records), ...examineDecisions(decisions)]
}

/** What an export would leave out. */
function examineCaptured({ sound, leftOut, described }: RowCheck): CheckResult {
  const read = `${plural(sound, 'record')} can be read and ${sound === 1 ? 'is' : 'are'} as captured.`
  if (leftOut === 0) return ok('records', read)
  return fault(
    'records',
    `${plural(leftOut, 'record')} cannot be read, or not as captured: ${named({ leftOut, described })}. ${read}`,
    'An export leaves them out and names each. A backup from before the damage has them: restore it into another data folder (`capture restore FILE --config OTHER.toml`) and export them there. Check the disk first.',
  )
}

function examineDecisions({ leftOut, described }: RowCheck): CheckResult[] {
  if (leftOut === 0) return []
  return [
    fault(
      'decisions',
      `${plural(leftOut, 'entry', 'entries')} about a release or an erasure cannot be read, or not as stored: ${named({ leftOut, described })}.`,
      'Nothing comes back by that, and what counts by now still does. Release again what was released and does not count: `capture submission release` takes the place of a damaged release. A restore of an older backup no longer names all that was erased since. See to the disk first.',
      { act: 'release_again' },
    ),
  ]
}

function named({ leftOut, described }: Pick<RowCheck, 'leftOut' | 'described'>): string {
  const words = described.map(({ handle, leftOut }) => `of ${handle} ${leftOutWords(leftOut)}`)
  return words.join('; ') + (described.length < leftOut ? '; …' : '')
}

function leftOutWords(leftOut: LeftOut): string {
  if (leftOut.fault === 'missing') return missingWords(leftOut)
  return `${leftOut.id} (${leftOut.fault === 'changed' ? 'does not match its checksum' : 'is not a record any more'})`
}
