import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import { dnsText } from './dns-text.ts'
import { leftText } from './notes.ts'
import { appliedText } from './result-text.ts'
import { shorterTermsText } from './shorter-terms-text.ts'

/** The result in words, and what stands beside it. */
export function presentText(
  applied: AppliedFolder,
  request: { dir: string; dryRun: boolean },
): { out: string; err: string } {
  const { shorterTerms, dns, left } = applied
  const announced = shorterTerms === null ? '' : shorterTermsText(shorterTerms, request.dryRun)
  return {
    out: appliedText(applied, request.dryRun) + dnsText(dns) + announced,
    err: left.length > 0 ? leftText(left, request) : '',
  }
}
