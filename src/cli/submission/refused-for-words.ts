import type { Submission } from '../../ledger/entry.ts'

/** Why a submission was refused, in words. */
export const refusedForWords = (refusedFor: Submission['refusedFor']): string =>
  refusedFor === null ? 'refused' : reasons[refusedFor]

const reasons: Record<NonNullable<Submission['refusedFor']>, string> = {
  honeypot: 'the hidden field was filled',
  bot_check: 'the bot check was missing or did not verify',
}
