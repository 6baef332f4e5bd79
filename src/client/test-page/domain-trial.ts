import { nameAdvice, refusal } from './advice.ts'
import { type CheckOutcome, failed, note, passed, skipped } from './check.ts'
import { type Configuration, readConfiguration } from './configuration.ts'
import { eventChecks, tryEvents } from './event-trial.ts'
import type { DomainTrial } from './trial.ts'

/**
 * Tries a connected domain, from loading its script to receiving its cookie. Returns whether this page may send to it.
 */
export async function tryDomain(trial: DomainTrial): Promise<boolean> {
  const { domain, website, report } = trial
  const exchange = await website.ask(`${domain.origin}/_svc/rc`)
  const configuration = readConfiguration(exchange.answer?.body ?? '')
  const skipEvents = (reason: string): false => {
    for (const id of eventChecks) report(id, skipped(`Not tried, since ${reason}.`))
    return false
  }

  const script = await scriptResult(trial)
  report('script', script)
  if (script.state === 'failed') return skipEvents('the script did not load')
  report('configuration', configuration ? configured(configuration, { exchanges: [exchange] }) : refusal(exchange))
  if (configuration === null) return skipEvents('the configuration did not arrive')
  report('origin', await originResult(trial, configuration))
  if (!configuration.originAuthorised) return skipEvents('this page may not send to the domain')
  await tryEvents(trial, configuration)
  return true
}

function configured({ tracking, consent, botCheck }: Configuration, details: Pick<CheckOutcome, 'exchanges'>) {
  const says = [
    tracking.enabled ? 'Tracking is on' : 'Tracking is off',
    tracking.autoPageview ? 'page views are recorded automatically' : 'page views are left to the website',
    consent.blockBeforeOptIn ? 'nothing is sent before a visitor agrees' : 'visitors are not asked first',
    `forms that want a bot check use ${botCheck.provider}`,
  ]
  return passed(`${says.join('; ')}.`, details)
}

async function scriptResult({ domain, website, trackingKey }: DomainTrial): Promise<CheckOutcome> {
  const startedMs = performance.now()
  try {
    await website.embed(trackingKey)
  } catch (error) {
    return failed(`${(error as Error).message}.`, { todo: nameAdvice, exchanges: website.exchanges.slice(0, 1) })
  }
  const tookMs = Math.round(performance.now() - startedMs)
  return passed(`It took ${tookMs} ms, under a security policy that allows only ${domain.host}.`, {
    exchanges: [await website.ask(`${domain.origin}/_svc/v1.js`)],
  })
}

async function originResult(
  { domain: { host, origin }, website }: DomainTrial,
  { originAuthorised }: Configuration,
): Promise<CheckOutcome> {
  const own = location.origin
  if (originAuthorised)
    return passed(
      own === origin ? 'This page stands on the domain itself.' : `${own} is on the account’s list of origins.`,
    )
  const exchange = await website.ask(`${origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"events":[{"event":"test_page_refused"}]}',
  })
  return note(
    `${host} refuses what this page sends, as it refuses every unknown website. The browser hides the refusal and shows only “${exchange.error}”; the configuration’s originAuthorised: false gives the reason.`,
    {
      todo: 'Your own website is not affected. To try everything here, add this page’s origin to those in site.toml, run capture apply, and try again:',
      line: `origins = ["${own}"]`,
      exchanges: [exchange],
    },
  )
}
