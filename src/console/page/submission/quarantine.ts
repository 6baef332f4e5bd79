import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import type { SubmissionRecord } from '../../../report/record.ts'
import { emptyState } from '../../look/notice.ts'
import type { AccountPageCall } from '../page.ts'

type RefusedFor = NonNullable<SubmissionRecord['refusedFor']>

/** Why a submission is in quarantine: in the list, and on its own page. */
export const refusalReasons: Readonly<Record<RefusedFor, { short: string; sentence: string }>> = {
  honeypot: { short: 'filled a hidden field', sentence: 'A hidden field was filled in, as robots do.' },
  bot_check: { short: 'bot check', sentence: 'The sender did not pass the bot check.' },
  operator: { short: 'refused by hand', sentence: 'One of you refused it.' },
}

/** Above what is in quarantine: what it is, and what to do. */
export const quarantineHint = html`<p class="hint">These look like bots, or one of you refused them. Choose what is genuine and release it: it becomes a lead.</p>`

export function emptyQuarantine({ account }: AccountPageCall): Markup {
  const { refusedDays } = account.settings.retention
  const until =
    refusedDays === null ? 'until you release it' : `for ${plural(refusedDays, 'day')}, unless you release it`
  return emptyState(
    'Nothing is in quarantine',
    `What a robot seems to have sent, and what you refuse, waits here ${until}. It is neither counted nor delivered. Each row says why it is here.`,
  )
}
