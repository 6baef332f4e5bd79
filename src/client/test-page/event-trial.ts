import { refusal } from './advice.ts'
import { type CheckOutcome, skipped } from './check.ts'
import type { Configuration } from './configuration.ts'
import { bodyOf, type Exchange, errorCodeOf } from './exchange.ts'
import { sampleEmail } from './sample-fields.ts'
import type { DomainTrial } from './trial.ts'

declare global {
  interface Navigator {
    globalPrivacyControl?: boolean
  }
}

/** Longer than the script waits before its first batch. */
const quietMs = 2_200
/** The script looks for consent a second after the event, and again after 2 and 4 seconds. */
const batchMsMax = 10_000
const pollMs = 50

/** Tries events with the real script, which is embedded in the trial's website: before consent, and after a yes. */
export async function tryEvents(trial: DomainTrial, configuration: Configuration): Promise<void> {
  const { website, trackingKey, report } = trial
  const reason = unusable(trackingKey, configuration)
  if (reason !== null || trackingKey === null) return reportAll(trial, reason ?? skipped(''))

  for (const id of ['consent', 'withoutConsent', 'withConsent', 'identify', 'cookie'] as const) {
    report(id, { state: 'running', says: 'Trying…' })
  }
  const { signalSource, blockBeforeOptIn } = configuration.consent
  website.window.svc?.('track', 'test_page_event', { page: 'test' })
  website.window.svc?.('identify', { email: sampleEmail })
  const early = blockBeforeOptIn ? await batchWithin(trial, quietMs) : null
  report(
    'withoutConsent',
    withoutConsent(await postEvent(trial, trackingKey, 'test_page_without_consent'), configuration),
  )

  website.window[signalSource] = true
  const batch = early ?? (await batchWithin(trial, batchMsMax))
  report('consent', consent(early, batch, configuration))
  report('withConsent', withConsent(batch))
  report('identify', identify(batch))
  if (batch?.answer?.status !== 202) return report('cookie', skipped('Not tried, since no event was accepted.'))
  report('cookie', cookie(await postEvent(trial, trackingKey, 'test_page_known_again'), trial, configuration))
}

function unusable(trackingKey: string | null, { tracking }: Configuration): CheckOutcome | null {
  if (!tracking.enabled) {
    return {
      state: 'skipped',
      says: 'Tracking is switched off for the account, so that events are refused.',
      todo: 'To switch it on, set this under [tracking] in site.toml and run capture apply:',
      line: 'enabled = true',
    }
  }
  if (trackingKey !== null) return null
  return { state: 'asks', says: 'Events need the account’s tracking key. Paste it at the top of the page.' }
}

function reportAll({ report }: DomainTrial, outcome: CheckOutcome): void {
  report('consent', outcome)
  for (const id of ['withoutConsent', 'withConsent', 'identify', 'cookie'] as const) report(id, skipped(outcome.says))
}

/** Sends one event past the script: with the browser's cookies, and without a word about consent. */
const postEvent = ({ website, domain }: DomainTrial, trackingKey: string, event: string): Promise<Exchange> =>
  website.ask(`${domain.origin}/_svc/e`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-SVC-Site-Key': trackingKey },
    body: JSON.stringify({ events: [{ event, properties: { url: location.origin } }] }),
    credentials: 'include',
  })

/** The script's first batch, with its answer; `null` when none has left within the time. */
async function batchWithin({ website, domain }: DomainTrial, ms: number): Promise<Exchange | null> {
  const endMs = performance.now() + ms
  for (;;) {
    const batch = website.exchanges.find(
      ({ url, body }) => url === `${domain.origin}/_svc/e` && body?.includes('test_page_event'),
    )
    if (batch && (batch.answer || batch.error)) return batch
    if (performance.now() > endMs) return null
    await new Promise((resolve) => setTimeout(resolve, pollMs))
  }
}

function consent(early: Exchange | null, batch: Exchange | null, { consent }: Configuration): CheckOutcome {
  const signal = `window.${consent.signalSource}`
  if (!consent.blockBeforeOptIn) {
    const says = 'The account does not wait for consent: the script sends at once, and the signal is only passed on.'
    return {
      state: 'note',
      says,
      todo: `To hold events back until a visitor agrees, set this under [tracking] in site.toml:`,
      line: 'require_opt_in = true',
    }
  }
  if (early) return { state: 'failed', says: 'The script sent events before there was consent.', exchanges: [early] }
  if (!batch) return { state: 'failed', says: `The script sent nothing, even after ${signal} said yes.` }
  const privacy = navigator.globalPrivacyControl
    ? ' Your browser asks not to be tracked (Global Privacy Control); an explicit yes stands above that.'
    : ''
  return {
    state: 'passed',
    says: `While ${signal} was silent the script kept its events to itself. When it said yes, they were sent.${privacy}`,
  }
}

function withoutConsent(exchange: Exchange, { consent }: Configuration): CheckOutcome {
  const exchanges = [exchange]
  if (errorCodeOf(exchange) === 'consent_missing') {
    return {
      state: 'passed',
      says: 'Refused, as it should be: nothing is stored of a visitor who was not asked.',
      exchanges,
    }
  }
  if (exchange.answer?.status !== 202) return refusal(exchange)
  const says = consent.blockBeforeOptIn
    ? 'Accepted, since this browser has been here before: it brought its identity cookie, which is evidence of consent.'
    : 'Accepted: this account does not ask for consent.'
  return { state: 'passed', says, exchanges }
}

function withConsent(batch: Exchange | null): CheckOutcome {
  if (batch === null)
    return {
      state: 'failed',
      says: 'The script sent no event.',
      todo: 'Look at the browser’s console for what it says.',
    }
  if (batch.answer?.status !== 202) return refusal(batch)
  const accepted = Number(bodyOf(batch.answer).accepted)
  const says = `The script’s own batch was accepted, with ${accepted} ${accepted === 1 ? 'event' : 'events'}. They are on disk.`
  return { state: 'passed', says, exchanges: [batch] }
}

function identify(batch: Exchange | null): CheckOutcome {
  if (batch?.answer?.status !== 202) return skipped('Not tried, since no event was accepted.')
  if (!batch.body?.includes('$identify'))
    return { state: 'failed', says: 'The batch held no $identify.', exchanges: [batch] }
  const says = `$identify with ${sampleEmail} was accepted in the same batch: it is what ties a device to a person.`
  return { state: 'passed', says, exchanges: [batch] }
}

function cookie(exchange: Exchange, { domain }: DomainTrial, { consent }: Configuration): CheckOutcome {
  const exchanges = [exchange]
  if (errorCodeOf(exchange) === 'consent_missing') {
    return {
      state: 'note',
      says: `The identity cookie of ${domain.host} did not come back: ${location.hostname} is another site, and browsers keep cookies apart. What that costs: every batch looks like a new device, and only $identify with an email ties a visitor’s events together.`,
      todo: `On your own website it comes back where both share a registrable domain, as www.acme.example and go.acme.example do.`,
      exchanges,
    }
  }
  if (exchange.answer?.status !== 202) return refusal(exchange)
  if (!consent.blockBeforeOptIn) {
    return {
      state: 'note',
      says: 'Cannot be seen from here: a page cannot read the cookie, and this account accepts events without it.',
      todo: 'The records tell: the same deviceId in two batches means that it came back.',
      exchanges,
    }
  }
  const says =
    'The identity cookie came back: without a word about consent the event was accepted, for the same device.'
  return { state: 'passed', says, exchanges }
}
