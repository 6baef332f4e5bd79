import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import type { CheckResult } from '../../../operations/doctor/check-result.ts'
import type { Examined } from '../../examination.ts'
import { type MarkTone, mark } from '../../look/mark.ts'
import { inWords } from '../../look/operator-message.ts'
import { agoTime } from '../ago-time.ts'
import { factsTable } from '../facts-table.ts'
import { remedyWords } from './remedy-words.ts'

const shownMax = 60

interface Circumstances {
  isUnderWay: boolean
  /** Epoch milliseconds. */
  now: number
}

/** What `capture doctor` found: problems first, the rest folded away. */
export function checksPart(examined: Examined | null, { isUnderWay, now }: Circumstances): Markup {
  const again = isUnderWay
    ? html`<p role="status">The box is being examined. For a large box this takes minutes; this page then shows the result by itself.</p>`
    : html`<form method="post" class="acts"><button name="act" value="examine">Examine again</button></form>`
  if (examined === null)
    return isUnderWay ? again : html`<p>The box could not be examined. The log says why.</p>${again}`
  const unwell = examined.checks.filter(({ status }) => status !== 'ok').sort(byWeight)
  const well = examined.checks.filter(({ status }) => status === 'ok')
  const verdict = unwell.length === 0 ? 'No problems found.' : `${plural(unwell.length, 'problem')} to look at.`
  return html`<p>${verdict} <span class="hint">Examined ${agoTime(examined.at, now)}.</span></p>
${unwell.length === 0 ? null : html`<ul class="places" aria-label="Problems">${unwell.slice(0, shownMax).map(resultItem)}</ul>`}
<details><summary>${plural(well.length, 'check')} passed</summary>${wellTable(well.slice(0, shownMax))}</details>${again}`
}

const byWeight = (one: CheckResult, other: CheckResult): number =>
  Number(other.status === 'fault') - Number(one.status === 'fault')

const tones: Record<CheckResult['status'], MarkTone> = { ok: 'good', warning: 'doubtful', fault: 'bad' }

const resultItem = (result: CheckResult): Markup => {
  const { check, status, found } = result
  return html`<li class="place ${tones[status]}"><p>${mark(`${status}: ${check}`, tones[status])} ${inWords(found)}</p>${adviceOf(result)}</li>`
}

/** A page wherever there is one: an owner may never have seen a command. */
function adviceOf({ advice, remedy }: CheckResult): Markup | null {
  if (remedy !== undefined) return html`<p>${remedyWords(remedy)}</p>`
  return advice === null ? null : html`<p>${inWords(advice)}</p>`
}

const wellTable = (checks: readonly CheckResult[]): Markup =>
  factsTable(checks.map(({ check, found }) => [check, inWords(found)]))
