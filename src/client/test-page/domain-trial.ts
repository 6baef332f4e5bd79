import { refusal } from './advice.ts'
import { type CheckOutcome, type DomainCheck, type Report, skipped } from './check.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import type { ConnectedDomain } from './data.ts'
import { tryEvents } from './event-trial.ts'
import type { DomainTrial } from './trial.ts'
import type { Website } from './website.ts'

/** Tries a connected domain, from the loading of its script to the return of its cookie. Answers whether this page may send to it. */
export async function tryDomain(trial: DomainTrial): Promise<boolean> {
  const { domain, website, report } = trial
  const [configuration, arrival] = await configurationOf(domain, website)

  const script = await scriptOf(trial)
  report('script', script)
  if (script.state === 'failed') {
    skipRest(report, 'Not tried, since the script did not load.')
    return false
  }
  report('configuration', arrival)
  if (configuration === null) {
    skipRest(report, 'Not tried, since the configuration did not arrive.')
    return false
  }
  const origin = await originOf(domain, website, configuration)
  report('origin', origin)
  if (!configuration.originAuthorised) skipRest(report, 'Not tried, since this page may not send to the domain.')
  else await tryEvents(trial, configuration)
  return configuration.originAuthorised
}

async function configurationOf(
  { origin }: ConnectedDomain,
  website: Website,
): Promise<[Configuration | null, CheckOutcome]> {
  const exchange = await website.ask(`${origin}/_svc/rc`)
  const configuration = readConfiguration(exchange.answer?.body ?? '')
  if (configuration === null) return [null, refusal(exchange)]
  const { tracking, consent, botCheck } = configuration
  const says = [
    tracking.enabled ? 'Tracking is on' : 'Tracking is off',
    tracking.autoPageview ? 'page views are recorded unasked' : 'page views are left to the website',
    consent.blockBeforeOptIn ? 'nothing is sent before a visitor agrees' : 'visitors are not asked first',
    `forms that want a bot check use ${botCheck.provider}`,
  ]
  return [configuration, { state: 'passed', says: `${says.join('; ')}.`, exchanges: [exchange] }]
}

async function scriptOf({ domain, website, trackingKey }: DomainTrial): Promise<CheckOutcome> {
  const startedMs = performance.now()
  try {
    await website.embed(trackingKey)
  } catch (error) {
    const todo =
      'Check that the domain’s name leads to this box and that its certificate is valid: capture doctor says.'
    return { state: 'failed', says: `${(error as Error).message}.`, todo, exchanges: website.exchanges.slice(0, 1) }
  }
  const tookMs = Math.round(performance.now() - startedMs)
  const exchange = await website.ask(`${domain.origin}/_svc/v1.js`)
  return {
    state: 'passed',
    says: `It took ${tookMs} ms, on a page whose security policy allows nothing but ${domain.host}.`,
    exchanges: [exchange],
  }
}

async function originOf(
  { host, origin }: ConnectedDomain,
  website: Website,
  { originAuthorised }: Configuration,
): Promise<CheckOutcome> {
  const own = location.origin
  if (originAuthorised) {
    const says =
      own === origin ? 'This page stands on the domain itself.' : `${own} is on the account’s list of origins.`
    return { state: 'passed', says }
  }
  const exchange = await website.ask(`${origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"events":[{"event":"test_page_refused"}]}',
  })
  return {
    state: 'note',
    says: `${host} refuses what this page sends, as it refuses every website that it does not know. A browser hides the refusal from the page: no status, no reason, only “${exchange.error}”. The configuration is how one finds out: originAuthorised is false.`,
    todo: 'Your own website is not affected. To try everything from here, add this page’s origin to those in site.toml (keep the ones that are there), run capture apply, and try again:',
    line: `origins = ["${own}"]`,
    exchanges: [exchange],
  }
}

const eventChecks = ['consent', 'withoutConsent', 'withConsent', 'identify', 'cookie'] as const

/** Reports everything that has not been tried yet. */
function skipRest(report: Report<DomainCheck>, says: string): void {
  for (const id of eventChecks) report(id, skipped(says))
}
