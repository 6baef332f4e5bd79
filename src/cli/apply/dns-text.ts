import { plural } from '../../lib/quantities.ts'
import type { DnsRecords } from '../../operations/domain/dns-records.ts'
import { printable } from '../output/text.ts'

/** Limits the hosts shown; `--json` has all of them. */
const hostsShown = 10

/** The DNS records of new domains, one per line. */
export function dnsText(dns: DnsRecords[]): string {
  if (dns.length === 0) return ''
  const shown = dns.slice(0, hostsShown)
  const width = Math.max(...shown.map(({ host }) => host.length))
  const line = (host: string, type: string, value: string) =>
    `  ${printable(host.padEnd(width))}  ${type.padEnd(5)}  ${printable(value)}`
  const lines = shown.flatMap(({ host, records, cname }) => [
    ...records.map(({ type, value }) => line(host, type, value ?? unknown)),
    ...(cname === null ? [] : [`${line(host, 'CNAME', cname)}  (instead)`]),
  ])
  const more = dns.length - shown.length
  const advice = dns.some(({ records }) => records.some(({ value }) => value === null)) ? [findOut] : []
  return [
    '',
    'DNS records to set, at the DNS provider of each domain:',
    ...lines,
    ...(more > 0 ? [`  … and the same for ${plural(more, 'more domain')}`] : []),
    ...advice,
    "docs/point-your-domain.md explains them to the domain's owner; `capture domain check HOST` says whether they are right.",
    '',
  ].join('\n')
}

const unknown = '(the public address of this box)'
const findOut =
  'This machine does not know its public address: ask your hosting provider or router, and set it in [https] addresses.'
