import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { type Fact, factsTable } from '../facts-table.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'

/** `/a/ACCOUNT/account`: the settings in force, as last published. */
export const accountPage: AccountPage = {
  of: 'account',
  path: '/a/:account/account',
  link: { group: 'Setup', text: 'Account' },
  scope: 'read',
  async show(call) {
    return {
      title: 'Account',
      body: html`<p>These settings were last published. To change them, edit <code>site.toml</code> and publish it.</p>
${factsTable(facts(call))}${call.caller.isOwner ? removal(call) : null}`,
    }
  },
}

function facts({ account: { handle, id, settings } }: AccountPageCall): Fact[] {
  const { tracking, botCheck, retention } = settings
  return [
    ['Name', settings.name],
    ['Handle', html`<code>${handle}</code>`],
    ['Id', html`<code>${id}</code>`],
    ['Domains', list(settings.domains, 'none')],
    ['Origins', list(settings.origins, 'none: only its own pages may send')],
    ['First page', settings.home === null ? 'none' : `/${settings.home}`],
    ['Contact', settings.contact ?? 'none'],
    ['Time zone', settings.timezone],
    ['Tracking', tracking.enabled ? 'on' : 'off'],
    ['Opt-in', tracking.requireOptIn ? `required (${tracking.consentSignal})` : 'not required'],
    ['Bot check', `${botCheck.provider}, ${botCheck.required ? 'on' : 'off'} unless a form says otherwise`],
    ['IP addresses of visitors', storedIp[settings.storeIp]],
    ['Keep submissions', keptFor(retention.submissionsDays)],
    ['Keep events', keptFor(retention.eventsDays)],
    ['Keep quarantine', keptFor(retention.refusedDays)],
  ]
}

const storedIp = { full: 'stored in full', truncated: 'stored without their last part', none: 'not stored' }

const keptFor = (days: number | null): string => (days === null ? 'until erased' : plural(days, 'day'))

const list = (names: readonly string[], none: string): Markup | string =>
  names.length === 0 ? none : html`${names.map((name, at) => html`${at === 0 ? null : html`<br>`}${name}`)}`

const removal = ({ account }: AccountPageCall): Markup =>
  html`<p class="more"><a href="/a/${account.handle}/remove">Remove this account …</a></p>`
