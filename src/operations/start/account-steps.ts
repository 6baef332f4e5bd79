import type { StoredAccount } from '../../account/account.ts'
import type { DomainStatus } from '../../https/domain-status.ts'
import { localDay, startOfDay } from '../../lib/local-day.ts'
import type { Box } from '../box.ts'
import { domainStatuses, type StatusSources } from '../domain/domain-statuses.ts'
import { domainsOfAccount } from '../domain/list-domains.ts'
import { accountCaughtUp } from '../record/catch-up.ts'

/** What an account still needs before its first lead. Each step is judged by what the box has seen, never by a tick. */
export interface AccountSteps {
  account: string
  /** Done without any where the website is elsewhere, and something came from it. */
  pages: { isDone: boolean; live: number; preview: number }
  /** `views`: of its landing pages, on whichever domain, robots included. */
  domains: { isDone: boolean; hosts: StartingDomain[]; views: number }
  forms: { isDone: boolean; names: string[] }
  /** Events that the script has sent; forms that came by it count as well. */
  script: { isDone: boolean; events: number }
  lead: { isDone: boolean }
}

export interface StartingDomain {
  host: string
  /** `certified`: it leads here, with a certificate. `visited`: something came in; a proxy has the certificate. */
  state: 'certified' | 'visited' | 'open'
  /** What keeps it from its certificate, and what to do; `''`: nothing does. */
  reason: string
}

type StartingBox = StatusSources & Pick<Box, 'accounts' | 'catalogue' | 'figures' | 'submissions' | 'processing'>

/** Figures of earlier days say nothing of a start. */
const daysLookedAt = 90

/** @throws NotThere when there is no account of that handle */
export async function accountSteps(box: StartingBox, handle: string): Promise<AccountSteps> {
  const account = await accountCaughtUp(box, handle, () => {})
  const { views, events } = await seen(account, box)
  const connected = (await domainsOfAccount(box, handle)).filter(({ use }) => use === 'site')
  const statuses = await domainStatuses(connected, box)
  const states = (await box.catalogue.assets(account.id)).flatMap(({ kind, current }) =>
    kind === 'page' ? [current.state] : [],
  )
  const live = states.filter((state) => state === 'live').length
  const names = account.forms.filter(({ registered }) => registered).map(({ name }) => name)
  const hasLead = await isLeadThere(account, box)
  const isScriptThere = events > 0 || hasLead
  const hosts = statuses.map((status) => startingDomain(status, views > 0 || isScriptThere))
  return {
    account: account.handle,
    pages: { isDone: live > 0 || isScriptThere, live, preview: states.length - live },
    domains: { isDone: hosts.length > 0 && hosts.every(({ state }) => state !== 'open'), hosts, views },
    forms: { isDone: names.length > 0, names },
    script: { isDone: isScriptThere, events },
    lead: { isDone: hasLead },
  }
}

const startingDomain = ({ host, state, reason }: DomainStatus, isReached: boolean): StartingDomain => ({
  host,
  state: state === 'active' ? 'certified' : state === 'off' && isReached ? 'visited' : 'open',
  // Why the box orders no certificate is nothing to be mended.
  reason: state === 'off' ? '' : reason,
})

async function seen(
  { id, settings: { timezone } }: StoredAccount,
  { figures, clock }: Pick<Box, 'figures' | 'clock'>,
): Promise<{ views: number; events: number }> {
  const fromDay = localDay(clock.now(), timezone) - daysLookedAt
  const { byDay } = await figures.read(id, { fromDay, fromAt: startOfDay(fromDay, timezone), until: null })
  const sum = (...wanted: string[]) =>
    byDay.reduce((total, { measure, count }) => (wanted.includes(measure) ? total + count : total), 0)
  return { views: sum('view', 'view_bot'), events: sum('event', 'event_bot') }
}

/** Whether a submission that counts has come: one look, where the steps are many. */
export async function isLeadThere({ id }: StoredAccount, { submissions }: Pick<Box, 'submissions'>): Promise<boolean> {
  const { looked } = await submissions.search({ accountId: id, which: 'accepted', since: null, limit: 1, behind: null })
  return looked > 0
}
