import type { CheckOutcome, Exchange, Report } from './checks.ts'
import * as check from './checks.ts'
import type { ConnectedDomain } from './data.ts'
import { sampleEmail } from './sample-fields.ts'
import { type Configuration, configurationIn, type Website } from './website.ts'

interface DomainTrial {
  domain: ConnectedDomain
  /** An empty website, for this domain's script alone. */
  website: Website
  /** `null`: not stated. */
  trackingKey: string | null
  report: Report<typeof check.domainChecks>
}

const eventChecks: (keyof typeof check.domainChecks)[] = [
  'consent',
  'withoutConsent',
  'withConsent',
  'identify',
  'cookie',
]
/** Longer than the script waits before its first batch. */
const quietMs = 2_200
/** The script looks for consent a second after the event, and again after 2 and 4 seconds. */
const batchMsMax = 10_000

/** Tries a connected domain, from loading its script to receiving its cookie. Returns whether this page may send to it. */
export async function tryDomain(trial: DomainTrial): Promise<boolean> {
  const { domain, website, report } = trial
  const exchange = await website.ask(`${domain.origin}/_svc/rc`)
  const configuration = configurationIn(exchange)
  const skipEvents = (reason: string): false => {
    report(eventChecks, check.skipped(`Not tried, since ${reason}.`))
    return false
  }

  const script = await scriptResult(trial)
  report('script', script)
  if (script.state === 'failed') return skipEvents('the script did not load')
  report('configuration', configuration ? configured(configuration, exchange) : check.refusal(exchange))
  if (configuration === null) return skipEvents('the configuration did not arrive')
  report('origin', await originResult(trial, configuration))
  if (!configuration.originAuthorised) return skipEvents('this page may not send to the domain')
  await tryEvents(trial, configuration)
  return true
}

function configured({ tracking, consent, botCheck }: Configuration, exchange: Exchange): CheckOutcome {
  const says = [
    tracking.enabled ? 'Tracking is on' : 'Tracking is off',
    tracking.autoPageview ? 'page views are recorded automatically' : 'page views are left to the website',
    consent.blockBeforeOptIn ? 'nothing is sent before a visitor agrees' : 'visitors are not asked first',
    `forms that want a bot check use ${botCheck.provider}`,
  ]
  return check.passed(`${says.join('; ')}.`, exchange)
}

async function scriptResult({ domain, website, trackingKey }: DomainTrial): Promise<CheckOutcome> {
  const startedMs = performance.now()
  try {
    await website.embed(trackingKey)
  } catch (error) {
    return check.failed(`${(error as Error).message}.`, website.exchanges[0], { todo: check.nameAdvice })
  }
  const tookMs = Math.round(performance.now() - startedMs)
  const exchange = await website.ask(`${domain.origin}/_svc/v1.js`)
  return check.passed(`It took ${tookMs} ms, under a security policy that allows only ${domain.host}.`, exchange)
}

async function originResult(
  { domain: { host, origin }, website }: DomainTrial,
  { originAuthorised }: Configuration,
): Promise<CheckOutcome> {
  const own = location.origin
  if (own === origin) return check.passed('This page stands on the domain itself.')
  if (originAuthorised) return check.passed(`${own} is on the account’s list of origins.`)
  const exchange = await website.ask(`${origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '{"events":[{"event":"test_page_refused"}]}',
  })
  return check.note(
    `${host} refuses what this page sends, as it refuses every unknown website. The browser hides the refusal and shows only “${exchange.error}”; the configuration’s originAuthorised: false gives the reason.`,
    exchange,
    {
      todo: 'Your own website is not affected. To try everything here, add this page’s origin to those in site.toml, run capture apply, and try again:',
      line: `origins = ["${own}"]`,
    },
  )
}

/** Tries events with the script embedded in the trial's website: before consent, and after a yes. */
async function tryEvents(trial: DomainTrial, { tracking, consent }: Configuration): Promise<void> {
  const { website, trackingKey, report } = trial
  if (!tracking.enabled || trackingKey === null) {
    const outcome = tracking.enabled ? keyMissing : trackingOff
    report(eventChecks, check.skipped(outcome.says))
    return report('consent', outcome)
  }
  report(eventChecks, check.trying)
  const isAsked = consent.blockBeforeOptIn
  website.window.svc?.('track', 'test_page_event', { page: 'test' })
  website.window.svc?.('identify', { email: sampleEmail })
  const early = isAsked ? await batchWithin(trial, quietMs) : null
  report('withoutConsent', unasked(await postEvent(trial, trackingKey, 'test_page_without_consent'), isAsked))

  website.window[consent.signalSource] = true
  const batch = early ?? (await batchWithin(trial, batchMsMax))
  report('consent', asked(early, batch, consent))
  report('withConsent', agreed(batch))
  if (batch?.answer?.status !== 202)
    return report(['identify', 'cookie'], check.skipped('Not tried, since no event was accepted.'))
  const isIdentified = batch.body?.includes('$identify')
  const identified = `The same batch carried $identify with ${sampleEmail}, which ties a device to a person.`
  report(
    'identify',
    isIdentified ? check.passed(identified, batch) : check.failed('The batch held no $identify.', batch),
  )
  report('cookie', known(await postEvent(trial, trackingKey, 'test_page_known_again'), trial, isAsked))
}

const trackingOff = check.skipped('Tracking is switched off for the account, so events are refused.', null, {
  todo: 'To switch it on, set this under [tracking] in site.toml and run capture apply:',
  line: 'enabled = true',
})
const keyMissing = check.asks('Events need the account’s tracking key. Paste it at the top of the page.')

/** Sends one event without the script: with the browser's cookies, and with no consent signal. */
const postEvent = ({ website, domain }: DomainTrial, trackingKey: string, event: string): Promise<Exchange> =>
  website.ask(`${domain.origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SVC-Site-Key': trackingKey },
    body: JSON.stringify({ events: [{ event, properties: { url: location.origin } }] }),
    credentials: 'include',
  })

/** The script's first batch, with its answer. */
const batchWithin = ({ website, domain }: DomainTrial, ms: number): Promise<Exchange | null> =>
  check.eventually(ms, () =>
    website.exchanges.find(
      ({ url, body, answer, error }) =>
        url === `${domain.origin}/_svc/e` && body?.includes('test_page_event') && (answer ?? error) !== null,
    ),
  )

function asked(early: Exchange | null, batch: Exchange | null, consent: Configuration['consent']): CheckOutcome {
  const signal = `window.${consent.signalSource}`
  if (!consent.blockBeforeOptIn)
    return check.note(
      'The account does not wait for consent: the script sends at once and only passes the signal on.',
      null,
      {
        todo: 'To hold events back until a visitor agrees, set this under [tracking] in site.toml:',
        line: 'require_opt_in = true',
      },
    )
  if (early) return check.failed('The script sent events before there was consent.', early)
  if (!batch) return check.failed(`The script sent nothing, even after ${signal} said yes.`)
  return check.passed(`The script held its events back until ${signal} said yes.`)
}

function unasked(exchange: Exchange, isAsked: boolean): CheckOutcome {
  if (check.refusalIn(exchange).code === 'consent_missing')
    return check.passed('Refused, as it should be: nothing is stored about a visitor who was not asked.', exchange)
  if (exchange.answer?.status !== 202) return check.refusal(exchange)
  const says = isAsked
    ? 'Accepted: this browser has been here before, and its identity cookie is evidence of consent.'
    : 'Accepted: this account does not ask for consent.'
  return check.passed(says, exchange)
}

function agreed(batch: Exchange | null): CheckOutcome {
  if (batch === null) return check.failed('The script sent no event.', null, { todo: 'Look at the browser’s console.' })
  if (batch.answer?.status !== 202) return check.refusal(batch)
  return check.passed(
    `The box accepted and stored the script’s batch. Events: ${check.answerIn(batch).accepted}.`,
    batch,
  )
}

function known(exchange: Exchange, { domain }: DomainTrial, isAsked: boolean): CheckOutcome {
  if (check.refusalIn(exchange).code === 'consent_missing')
    return check.note(
      `The identity cookie of ${domain.host} did not come back: ${location.hostname} is another site, and browsers keep cookies apart. Without it every batch looks like a new device, and only $identify with an email ties a visitor’s events together.`,
      exchange,
      {
        todo: 'It comes back where your website and the domain share a registrable domain, as www.acme.example and go.acme.example do.',
      },
    )
  if (exchange.answer?.status !== 202) return check.refusal(exchange)
  if (isAsked)
    return check.passed(
      'The identity cookie came back: the event was accepted for the same device, without a signal.',
      exchange,
    )
  return check.note(
    'This page cannot tell: it cannot read the cookie, and this account accepts events without one.',
    exchange,
    {
      todo: 'Compare the records: if two batches have the same deviceId, the cookie came back.',
    },
  )
}
