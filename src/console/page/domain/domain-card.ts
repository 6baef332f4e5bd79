import { html, type Markup } from '../../../lib/html.ts'
import type { DnsRecords } from '../../../operations/domain/dns-records.ts'
import { type DomainJson, triedAgain, whyGivenUp } from '../../../operations/domain/domain-statuses.ts'
import { copyField } from '../../look/copy.ts'
import { type MarkTone, mark } from '../../look/notice.ts'
import { inWords } from '../../look/operator-message.ts'
import { localTime } from '../local-time.ts'

interface Shown {
  /** `null`: the name is never looked up in DNS. */
  records: DnsRecords | null
  timezone: string
  isActed: boolean
}

const states: Record<DomainJson['state'], readonly [word: string, tone: MarkTone]> = {
  active: ['certificate is valid', 'good'],
  waiting: ['waiting for its certificate', 'doubtful'],
  failing: ['cannot get a certificate', 'bad'],
  off: ['no certificate ordered', 'plain'],
}

/** A domain: its state, what the box saw of it, and the records to set. */
export function domainCard(domain: DomainJson, { records, timezone, isActed }: Shown): Markup {
  const { host, state, reason, nextTryAt } = domain
  const [word, tone] = states[state]
  const next = nextTryAt === null ? null : html`<p class="hint">Next try ${localTime(nextTryAt, timezone)}.</p>`
  const check = html`<form method="post" class="acts"><input type="hidden" name="act" value="check"><button class="quiet" name="host" value="${host}">Check now<span class="unseen">: ${host}</span></button></form>`
  return html`<li class="place ${tone}"><h2>${host} ${mark(word, tone)}</h2>${reason === '' ? null : html`<p>${reasonWords(domain)}</p>`}
${certificate(domain, timezone)}${seen(domain)}${next}${isActed && state !== 'off' ? check : null}${recordFields(domain, records)}</li>`
}

/** Why the name has no certificate, with the button on its card for the command in the advice. */
export function reasonWords(domain: Pick<DomainJson, 'host' | 'reason'>): Markup {
  const why = whyGivenUp(domain)
  return why === null ? inWords(domain.reason) : html`${why} ${triedAgain}.`
}

function certificate({ certificate }: DomainJson, timezone: string): Markup | null {
  if (certificate === null) return null
  const { issuer, notAfter, renewAt } = certificate
  const renewal = renewAt === null ? null : html`, to be renewed from ${localTime(renewAt, timezone)}`
  return html`<p class="hint">${issuer}, valid until ${localTime(notAfter, timezone)}${renewal}.</p>`
}

const answers: Record<DomainJson['observed']['http'], string | null> = {
  ours: 'this box answers on port 80',
  other: 'another server answers on port 80',
  none: 'nobody answers on port 80',
  unknown: null,
}

function seen({ observed: { a, aaaa, cname, caa, http } }: DomainJson): Markup | null {
  const parts = [
    ...a.map((address) => `A ${address}`),
    ...aaaa.map((address) => `AAAA ${address}`),
    cname === null ? null : `CNAME ${cname}`,
    ...caa.map((record) => `CAA ${record}`),
    answers[http],
  ].filter((part) => part !== null)
  return parts.length === 0 ? null : html`<p class="hint">Seen: ${parts.join(' · ')}.</p>`
}

/** The DNS records, unfolded while they are needed. */
function recordFields({ host, state, persistRecord }: DomainJson, records: DnsRecords | null): Markup | null {
  if (records === null) return null
  const fields = records.records.map(({ type, value }) =>
    value === null
      ? html`<p>${type} record of ${host}: the public ${type === 'A' ? 'IPv4' : 'IPv6'} address of this box. The box itself does not know it.</p>`
      : copyField({ id: `${type}-${host}`, label: `${type} record of ${host}`, text: value }),
  )
  const alias =
    records.cname === null
      ? null
      : copyField({ id: `cname-${host}`, label: `Or, instead, the CNAME record of ${host}`, text: records.cname })
  const persist =
    persistRecord === undefined
      ? null
      : copyField({
          id: `txt-${host}`,
          label: `Without port 80: TXT record of ${persistRecord.name}`,
          text: persistRecord.value,
        })
  const isOpen = state === 'waiting' || state === 'failing'
  return html`<details${isOpen ? html` open` : null}><summary>DNS records to set<span class="unseen"> for ${host}</span></summary><div class="records">${fields}${alias}${persist}</div></details>`
}
