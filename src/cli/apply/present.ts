import { plural, timestamp } from '../../lib/quantities.ts'
import { applyJson } from '../../operations/apply/apply-act.ts'
import type { AppliedFolder, NotPublished } from '../../operations/apply/apply-folder.ts'
import type { PublishedAsset } from '../../operations/apply/published-assets.ts'
import type { ShorterTerms } from '../../operations/apply/shorter-terms.ts'
import type { DnsRecords } from '../../operations/domain/dns-records.ts'
import { classWords, clockDoubt, countsText } from '../../operations/retention/retention-words.ts'
import { allOf } from '../../processing/retention.ts'
import type { LeftBehind } from '../../site/plan.ts'
import { siteFaultLine } from '../../site/site-faults.ts'
import type { CommandResult } from '../command.ts'
import { shellLine } from '../data-folder/data-owner.ts'
import { takenOverLine } from '../domain/domain-text.ts'
import { printedLines } from '../output/print-result.ts'
import type { Layout } from '../output/style.ts'
import { printable } from '../output/text.ts'
import { uncollectedWarning } from '../output/uncollected.ts'
import { type AskedApply, consentCommand, harmLines } from './harm-text.ts'
import { planText, summaryText } from './plan-text.ts'

interface Asked extends AskedApply {
  dryRun: boolean
}

/** The result, and what stands beside it. @param isShown whether its plan was shown already */
export function applyResult(applied: AppliedFolder, asked: Asked, isShown = false): CommandResult {
  const { replaced, notAdopted, uncollected } = applied
  return {
    json: applyJson(applied),
    text: (layout) => appliedText(applied, { ...asked, isShown }, layout) + outlookText(applied, asked.dryRun),
    notes: [
      ...(isShown ? [] : planLines(applied, asked)),
      ...(asked.dryRun ? harmLines(applied.harm) : isShown ? [] : replacedLines(replaced)),
      ...(notAdopted === null ? [] : [`warning: ${notAdopted}`]),
      ...uncollectedWarning(uncollected),
    ],
  }
}

/** What stood against publishing; with `--json`, on stdout what a dry run says. */
export function notPublished({ message, planned, exitStatus }: NotPublished, asked: AskedApply): CommandResult {
  const { harm } = planned
  return {
    json: applyJson(planned),
    text: (layout) => planText(planned, 'not published', layout) + outlookText(planned, true),
    notes: [
      ...planLines(planned, asked),
      ...harmLines(harm),
      message,
      ...(exitStatus === 3 ? [consentCommand(harm, asked)] : []),
    ],
    exitStatus,
  }
}

/** What stands above the question for consent: the plan, and all of the harm that is consented to. */
export const askedText = (planned: AppliedFolder, asked: AskedApply, layout: Layout): string =>
  planText(planned, null, layout) +
  outlookText(planned, true) +
  printedLines([...planLines(planned, asked), ...harmLines(planned.harm, planned.harm.length)])

/** What follows from a plan elsewhere: in the DNS, and for records. */
const outlookText = ({ newDomains, dns, shorterTerms }: AppliedFolder, isPlan: boolean): string =>
  newDomainsText(newDomains) + dnsText(dns) + (shorterTerms === null ? '' : shorterTermsText(shorterTerms, isPlan))

/** What is said of a plan beside its changes. */
const planLines = (planned: AppliedFolder, asked: AskedApply & { dryRun?: boolean }): string[] => [
  ...warningLines(planned),
  ...planned.takenOver.map((domain) => takenOverLine(domain, planned.account)),
  ...(planned.notAllowed === null ? [] : [planned.notAllowed]),
  ...(planned.left.length > 0 ? leftLines(planned.left, asked) : []),
]

/** Limits the lines; `--json` has them all. */
const warningsShown = 20

const warningLines = ({ warnings }: AppliedFolder): string[] => {
  const more = warnings.length - warningsShown
  return [
    ...warnings.slice(0, warningsShown).map((warning) => `warning: ${siteFaultLine(warning)}`),
    ...(more > 0 ? [`warning: … and ${more} more; \`--json\` has them all`] : []),
  ]
}

/** Names in a folder that are not published. */
export const skippedLines = ({ skipped }: Pick<AppliedFolder, 'skipped'>): string[] =>
  skipped.map((name) => `skipped: ${name}`)

/** Lines are never wrapped, so that records can be copied. */
const newDomainsText = (newDomains: AppliedFolder['newDomains']): string =>
  newDomains.length === 0 ? '' : `\nNew domains:\n${newDomains.map(({ note }) => `  ${printable(note)}\n`).join('')}`

/** Enough to recognise a rename; `--prune --dry-run` lists them all. */
const leftShown = 10

/** Names content that is still on the box but not in the folder, and how to remove it. */
function leftLines(left: LeftBehind[], { dir, to, dryRun }: Parameters<typeof planLines>[1]): string[] {
  const remote = to === undefined ? [] : ['--to', to]
  const command = shellLine(['capture', 'apply', dir, ...remote, '--prune', ...(dryRun ? ['--dry-run'] : [])])
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
function replacedLines(replaced: AppliedFolder['replaced']): string[] {
  if (replaced.length === 0) return []
  return [
    "Changed on the box since the last apply, and is replaced by the folder's:",
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

function appliedText(
  applied: AppliedFolder,
  { dryRun, isShown }: { dryRun: boolean; isShown: boolean },
  layout: Layout,
): string {
  const { changes, trackingKey, deliverySecrets, pages } = applied
  if (changes.length === 0) return planText(applied, null, layout)
  const key =
    trackingKey === null ? [] : ['', `Tracking key (shown once; put it in data-site-key of the pages): ${trackingKey}`]
  const secrets = deliverySecrets.flatMap(({ name, secret }) => [
    '',
    `Secret of the delivery "${name}" (shown once; its receiver verifies by it): ${secret}`,
  ])
  const urls = dryRun ? [] : liveAddresses(pages)
  const plan = (isShown ? summaryText : planText)(applied, dryRun ? 'dry run, nothing is changed' : 'published', layout)
  return plan + [...key, ...secrets, ...urls].map((line) => `${line}\n`).join('')
}

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
