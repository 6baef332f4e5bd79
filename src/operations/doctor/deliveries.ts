import { isReachedByMail } from '../../account/destination.ts'
import type { MailConfig } from '../../config/delivery.ts'
import { mailSetup } from '../../delivery/mail/mail-server.ts'
import { plural, timestamp } from '../../lib/quantities.ts'
import type { NameOf } from '../account/account-names.ts'
import { type CheckResult, firstResults, ok, warning } from '../check-result.ts'
import { pauseWords } from '../delivery/destinations.ts'
import { mailServerOf } from '../delivery/mail-server-of.ts'
import type { AilingDestination, DatabaseInspector } from './inspection.ts'

const destinationsShown = 20

/** Names destinations to which nothing, or not everything, is sent (docs/deliveries.md). */
export const examineDeliveries = (
  ailing: readonly AilingDestination[],
  config: MailConfig,
  nameOf: NameOf,
): CheckResult[] => {
  const results = ailing
    .map((destination) => (waitsForMail(destination, config) ? { ...destination, failingSince: null } : destination))
    .filter(({ pause, failingSince, failed }) => pause !== null || failingSince !== null || failed > 0)
    .map((destination) => destinationResult(destination, nameOf(destination.handle)))
  return firstResults(results, destinationsShown, (more) =>
    warning(
      'deliveries',
      `${plural(more, 'more destination')} ${more === 1 ? 'needs' : 'need'} attention.`,
      'capture delivery list ACCOUNT',
      { page: { name: 'overview', todo: 'Those that fail or are paused are named in {page}.' } },
    ),
  )
}

export function destinationResult(destination: Omit<AilingDestination, 'kind'>, account: string): CheckResult {
  const { handle, name, pause, failingSince, waiting, failed } = destination
  const named = `The destination "${name}" of ${account}`
  const waits = waiting === 0 ? '' : ` ${plural(waiting, 'delivery waits', 'deliveries wait')}.`
  const page = (todo: string) => ({ name: 'deliveries', account: handle, todo }) as const
  if (pause !== null)
    return warning(
      'deliveries',
      `${named} has been paused since ${timestamp(pause.at)}: ${pauseWords[pause.reason]}.${waits}`,
      `Repair the receiver, then run \`capture delivery resume ${handle} ${name}\`.`,
      { about: name, page: page(`Repair the receiver, then resume “${name}” under {page}.`) },
    )
  // Its card has the button for a test or another try only while the box can send anything there.
  const whyThere = `{page} shows why, and what to do at “${name}”.`
  const look = `\`capture delivery list ${handle}\` shows why`
  if (failingSince !== null)
    return warning(
      'deliveries',
      `${named} has failed since ${timestamp(failingSince)}.${waits}`,
      `${look}; \`capture delivery test ${handle} ${name}\` tries it.`,
      { about: name, failingSince, page: page(whyThere) },
    )
  return warning(
    'deliveries',
    `${plural(failed, 'delivery', 'deliveries')} to the destination "${name}" of ${account} could not be made.`,
    `${look}; \`capture delivery retry ${handle} --destination ${name}\` tries again.`,
    { about: name, page: page(whyThere) },
  )
}

/** Whether nothing fails there but that the box sends no mail, of which `mailMissing` tells. */
export const waitsForMail = (destination: Pick<AilingDestination, 'kind' | 'pause'>, config: MailConfig): boolean =>
  destination.pause === null && isReachedByMail(destination) && mailServerOf(config) === null

const mailCheck = 'mail'
/** For each look at the world (docs/running.md). */
const mailLimits = { connectMs: 2000, silenceMs: 2000, totalMs: 2000 }

/** Whether the box can send the mail that its accounts want: it logs in at the mail server and sends nothing. */
export async function examineMail(
  config: MailConfig,
  database: Pick<DatabaseInspector, 'mailingAccounts'>,
  nameOf: NameOf,
): Promise<CheckResult[]> {
  const server = mailServerOf(config)
  if (server === null) {
    const handles = database.mailingAccounts()
    return handles.length === 0 ? [] : [mailMissing(handles, nameOf)]
  }
  // Loaded here: few boxes that are examined have a mail server, and it brings sockets along.
  const { checkMailServer } = await import('../../delivery/mail/transport.ts')
  const refusal = await checkMailServer(server, mailLimits)
  const at = `${server.host}:${server.port}`
  if (refusal === null)
    return [ok(mailCheck, `${at} takes mail of this box${server.login === null ? '' : ` as ${server.login.user}`}.`)]
  const [account] = database.mailingAccounts()
  const todo = 'docs/mail.md explains refusals; “Send a test” under {page} shows the whole dialogue.'
  return [
    warning(
      mailCheck,
      refusal,
      'docs/mail.md explains refusals; `capture delivery test` shows the whole dialogue.',
      account === undefined ? {} : { page: { name: 'deliveries', account, todo } },
    ),
  ]
}

/** Of a box without a mail server. @param handles of accounts that have mail to send */
export const mailMissing = (handles: readonly string[], nameOf: NameOf): CheckResult =>
  warning(mailCheck, `${listed(handles.map(nameOf))} should get mail, but this box sends none.`, mailSetup, {
    accounts: handles,
    settings: { table: 'mail', lines: 'host = "smtp.agency.example"\nfrom = "Agency <leads@agency.example>"' },
  })

const accountsShown = 5

function listed(accounts: readonly string[]): string {
  const shown = accounts.slice(0, accountsShown).join(', ')
  return accounts.length > accountsShown ? `${shown} and ${accounts.length - accountsShown} more accounts` : shown
}
