import type { MailConfig } from '../../config/config.ts'
import { mailServerOf } from '../delivery/mail-server-of.ts'
import { type CheckResult, ok, warning } from './check-result.ts'
import type { DatabaseInspector } from './inspection.ts'

const check = 'mail'
/** For each look at the world (docs/running.md). */
const limits = { connectMs: 2000, silenceMs: 2000, totalMs: 2000 }

/** Whether the box can send the mail that its accounts want: it logs in at the mail server and sends nothing. */
export async function examineMail(
  config: MailConfig,
  database: Pick<DatabaseInspector, 'mailingAccounts'>,
): Promise<CheckResult[]> {
  const server = mailServerOf(config)
  if (server === null) {
    const handles = database.mailingAccounts()
    if (handles.length === 0) return []
    return [
      warning(check, `This box sends no mail, which ${listed(handles)} should get.`, 'Set [mail] in capture.toml.'),
    ]
  }
  // Loaded here: few boxes that are examined have a mail server, and it brings sockets along.
  const { checkMailServer } = await import('../../delivery/mail/transport.ts')
  const refusal = await checkMailServer(server, limits)
  const at = `${server.host}:${server.port}`
  if (refusal === null)
    return [ok(check, `${at} takes mail of this box${server.login === null ? '' : ` as ${server.login.user}`}.`)]
  const advice = 'docs/mail.md explains refusals; `capture delivery test` shows the whole dialogue.'
  const [account] = database.mailingAccounts()
  return [warning(check, refusal, advice, account === undefined ? undefined : { act: 'test_mail', account })]
}

const handlesShown = 5

function listed(handles: readonly string[]): string {
  const shown = handles.slice(0, handlesShown).join(', ')
  return handles.length > handlesShown ? `${shown} and ${handles.length - handlesShown} more accounts` : shown
}
