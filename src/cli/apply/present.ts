import { plural, timestamp } from '../../lib/quantities.ts'
import type { AppliedFolder } from '../../operations/apply/apply-folder.ts'
import type { PublishedAsset } from '../../operations/apply/published-assets.ts'
import type { ShorterTerms } from '../../operations/apply/shorter-terms.ts'
import type { DnsRecords } from '../../operations/domain/dns-records.ts'
import { classWords, clockDoubt, countsText } from '../../operations/retention/retention-words.ts'
import { allOf } from '../../processing/retention.ts'
import type { Change } from '../../site/change.ts'
import type { LeftBehind } from '../../site/plan.ts'
import type { CommandResult } from '../command.ts'
import { takenOverLine } from '../domain/domain-text.ts'
import { printable } from '../output/text.ts'
import { uncollectedWarning } from '../output/uncollected.ts'

interface Asked {
  dir: string
  dryRun: boolean
}

/** The result, and what stands beside it. @param json as `--json` prints it */
export function applyResult(applied: AppliedFolder, json: unknown, asked: Asked): CommandResult {
  const { shorterTerms, dns, newDomains, takenOver, left, notAllowed, boxWarnings, uncollected } = applied
  const announced = shorterTerms === null ? '' : shorterTermsText(shorterTerms, asked.dryRun)
  return {
    json,
    text: () => appliedText(applied, asked.dryRun) + newDomainsText(newDomains) + dnsText(dns) + announced,
    notes: [
      // An apply says so before it begins.
      ...(asked.dryRun ? replacedLines(applied.replaced, asked) : []),
      ...takenOver.map((domain) => takenOverLine(domain, applied.account)),
      ...(notAllowed === null ? [] : [notAllowed]),
      ...boxWarnings.map((warning) => `warning: ${warning}`),
      ...(left.length > 0 ? leftLines(left, asked) : []),
      ...uncollectedWarning(uncollected),
    ],
  }
}

/** Lines are never wrapped, so that records can be copied. */
const newDomainsText = (newDomains: AppliedFolder['newDomains']): string =>
  newDomains.length === 0 ? '' : `\nNew domains:\n${newDomains.map(({ note }) => `  ${printable(note)}\n`).join('')}`

/** Enough to recognise a rename; `--prune --dry-run` lists them all. */
const leftShown = 10

/** Names content that is still on the box but not in the folder, and how to remove it. */
function leftLines(left: LeftBehind[], { dir, dryRun }: Asked): string[] {
  const command = `capture apply ${dir} --prune${dryRun ? ' --dry-run' : ''}`
  const removes = left.length === 1 ? 'removes it' : 'removes them'
  return [
    'Still on the box, but no longer in the folder:',
    ...left.slice(0, leftShown).map(({ kind, name, state }) => `  ${kind} ${name} (${state})`),
    ...moreLine(left, leftShown),
    `\`${command}\` ${dryRun ? 'shows what else it removes' : removes}.`,
  ]
}

/** Limits the lines; `--json` has them all. */
const replacedShown = 10

/** Names what was changed on the box since the last apply and is replaced by this one. */
export function replacedLines(replaced: AppliedFolder['replaced'], { dryRun }: Pick<Asked, 'dryRun'>): string[] {
  if (replaced.length === 0) return []
  return [
    `Changed on the box since the last apply, and ${dryRun ? 'would be' : 'is'} replaced by the folder's:`,
    ...replaced
      .slice(0, replacedShown)
      .map(({ subject, at, by }) => `  ${subject}, on ${timestamp(at)} by ${by.name} (${by.via})`),
    ...moreLine(replaced, replacedShown),
  ]
}

const moreLine = ({ length }: readonly unknown[], shownMax: number): string[] =>
  length > shownMax ? [`  … and ${length - shownMax} more`] : []

function shorterTermsText({ classes, due, nextDueAt, clock }: ShorterTerms, dryRun: boolean): string {
  const dueText = countsText(due)
  const doubt = clock.isBelieved ? [] : Object.values(clockDoubt(clock))
  const lines = [...(dueText === null ? [] : [goingText(dueText, allOf(due), dryRun)])]
  for (const name of classes) if (due[name] === 0) lines.push(laterText(classWords[name], nextDueAt[name]))
  return [...lines, ...doubt].map((line) => `retention: ${line}\n`).join('')
}

function goingText(dueText: string, records: number, dryRun: boolean): string {
  const when = 'within an hour, another when it starts'
  if (dryRun) return `${dueText} would be due: a running \`serve\` would delete them ${when}.`
  const are = records === 1 ? 'is' : 'are'
  return `${dueText} ${are} due: a running \`serve\` deletes them ${when}. To keep them, apply a longer [retention] before.`
}

const laterText = (words: string, at: number | null): string =>
  at === null ? `there are no ${words} that could be due.` : `no ${words} are due before ${timestamp(at)}.`

const signs: Record<Change['action'], string> = { create: '+', update: '~', delete: '-' }

function appliedText(
  { account, changes, trackingKey, deliverySecrets, pages }: AppliedFolder,
  dryRun: boolean,
): string {
  if (changes.length === 0) return `${account}: nothing to change.\n`
  const counted = `${account}: ${plural(changes.length, 'change')}${dryRun ? ', none of them made (dry run)' : ' published'}.`
  const key =
    trackingKey === null ? [] : ['', `Tracking key (shown once; put it in data-site-key of the pages): ${trackingKey}`]
  const secrets = deliverySecrets.flatMap(({ name, secret }) => [
    '',
    `Secret of the delivery "${name}" (shown once; its receiver verifies by it): ${secret}`,
  ])
  const urls = dryRun ? [] : liveAddresses(pages)
  return `${[...changes.map(changeLine), counted, ...key, ...secrets, ...urls].join('\n')}\n`
}

const changeLine = ({ action, kind, name, note }: Change) =>
  printable(`  ${signs[action]} ${kind} ${name}${note === null || note === '' ? '' : ` (${note})`}`)

/** Limits the addresses shown; `capture page list` has all of them. */
const addressesShown = 10

function liveAddresses(pages: PublishedAsset[]): string[] {
  const live = pages.filter((page) => page.state === 'live' && page.url !== null)
  if (live.length === 0) return []
  const more = live.length > addressesShown ? [`  … and ${live.length - addressesShown} more`] : []
  return ['', ...live.slice(0, addressesShown).map((page) => `  ${page.url}`), ...more]
}

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
