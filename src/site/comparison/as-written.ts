import type { AccountSettings } from '../../account/account.ts'
import type { Destination } from '../../account/destination.ts'
import type { Form } from '../../account/form.ts'
import type { Aim } from '../../account/goal.ts'
import { snakeKeys } from '../../lib/camel-keys.ts'
import { mailboxText } from '../../lib/mail-address.ts'
import { hoursText, plural } from '../../lib/quantities.ts'

/** Settings under the keys of `site.toml`. */
export function writtenSettings({
  payloadBytesMax,
  noLeadsForHours,
  ...settings
}: AccountSettings): Record<string, unknown> {
  const { tracking, botCheck, retention, goals, funnels, mailFrom, ...own } = settings
  const { verifiesHere, verifyUrl, ...bot } = botCheck
  return {
    ...snakeKeys(own),
    mail_from: mailFrom && mailboxText(mailFrom),
    payload_limit: payloadBytesMax,
    no_leads_for: noLeadsForHours && hoursText(noLeadsForHours),
    tracking: snakeKeys(tracking),
    bot_check: {
      ...snakeKeys(bot),
      secret: bot.secret || null,
      verify_url: verifiesHere ? `${verifyUrl} (this machine)` : verifyUrl,
    },
    retention: {
      submissions: daysText(retention.submissionsDays),
      events: daysText(retention.eventsDays),
      refused: daysText(retention.refusedDays),
    },
    goals: goals.map(({ name, aim }) => ({ name, ...writtenAim(aim) })),
    funnels: funnels.map(({ name, steps }) => ({ name, steps: steps.map(writtenAim) })),
  }
}

const daysText = (days: number | null): string => (days === null ? 'for ever' : plural(days, 'day'))

const writtenAim = ({ kind: _, ...aim }: Aim) => aim

/** A form under the keys of its `[[forms]]`. */
export const writtenForm = ({ version: _, ...form }: Omit<Form, 'version'> & Partial<Form>): Record<string, unknown> =>
  snakeKeys(form)

/** A destination under the keys of its `[[deliveries]]`. */
export function writtenDestination(destination: Destination): Record<string, unknown> {
  const forms = 'forms' in destination ? (destination.forms ?? ['every form']) : null
  const secret = destination.kind === 'webhook' ? destination.givenSecret : null
  const when = 'when' in destination && destination.when !== null ? snakeKeys(destination.when) : null
  const { givenSecret: _, ...own } = { givenSecret: null, ...destination }
  return { ...own, forms, when, secret }
}
