import type { StoredAccount } from '../../../account/account.ts'
import { fieldLabel } from '../../../account/field-label.ts'
import { capitalised } from '../../../lib/capitalised.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { copyField } from '../../look/fields.ts'
import { faultNote, inWords, notice } from '../../look/notice.ts'
import { dnsTable } from '../domain/dns-table.ts'
import { localTime } from '../values.ts'
import { changedTitles, changesPart, isOnlyOne } from './changes-part.ts'
import { consentLink } from './consent-part.ts'
import { coded, lineLink } from './faults-part.ts'

/** Lines shown of a list; the rest is counted. */
const linesMax = 100

interface PlanParts {
  /** `null`: a new one. */
  account: StoredAccount | null
  /** The ticks for what the plan takes away, where the form around the plan publishes it. */
  consent?: Markup | null
  /** What to do once that is decided. */
  acts?: Markup | null
  /** The plan that also removes what the folder no longer has. */
  pruned?: string
  /** The lines of `site.toml` that were changed in the editor, which shows it below; absent: there is none. */
  changed?: readonly number[]
}

/** What an apply would change, then what somebody has to decide. What it replaces is among the harm where consent is asked for. */
export function planPart(plan: AppliedFolder, parts: PlanParts): Markup {
  const { account, consent = null, acts = null, pruned, changed } = parts
  const { replaced, newDomains, takenOver, left, skipped } = plan
  // The page of a new account has its name, and nobody knows its ids yet.
  const changes =
    account === null
      ? plan.changes.flatMap((change) => (change.kind === 'account' ? [] : [{ ...change, note: null }]))
      : plan.changes
  const timeZone = account?.settings.timezone ?? 'UTC'
  const isPublishable = plan.notAllowed === null && changes.length > 0
  const decisions = [
    receiversNote(plan),
    retentionNote(plan),
    plan.notAllowed === null ? null : replacedNote(replaced, timeZone),
    takenOverNote(takenOver, timeZone),
    warningsPart(plan.warnings, changed),
    // Whoever has ticked goes on to the button right below.
    consent,
  ].filter((part) => part !== null)
  return html`<p class="lead">${summary({ ...plan, changes }, consent)}${isPublishable ? html` ${whoSees(plan, account === null)}` : null}</p>
${changesPart(changes)}
${list(
  'New domains',
  newDomains.map(({ note }) => note),
)}
${list(
  'No longer in the folder, but kept',
  left.map((kept) => keptWords(kept, account)),
)}${left.length === 0 || pruned === undefined ? null : html`<p><a href="${pruned}">Show the plan that removes ${left.length === 1 ? 'it' : 'them'} too</a></p>`}
${list('Not published', skipped)}
${isPublishable && decisions.length > 0 ? html`<h2>Before you publish</h2>` : null}${decisions}${acts}`
}

const keptWords = ({ kind, name, state }: AppliedFolder['left'][number], account: StoredAccount | null): Markup => {
  const form = kind === 'form' ? account?.forms.find(({ id }) => id === name) : undefined
  return html`${fieldLabel(null, kind)} <strong>${form?.name ?? name}</strong>, ${state === 'unregistered' ? 'which is closed' : state}`
}

/** As `1 new form, 2 changed pages.`, or of things of several kinds `5 changes: 3 new, 2 changed.` @param consent the part that asks for it */
function summary({ changes, harm }: AppliedFolder, consent: Markup | null): Markup | string {
  if (changes.length === 0) return 'Nothing to change: the box already has all of this.'
  const groups = changedTitles.flatMap(([action, title]) => {
    const [kind, ...others] = changes.filter((change) => change.action === action).map(({ kind }) => kind)
    if (kind === undefined) return []
    const isMixed = others.some((other) => other !== kind)
    return [{ word: title.toLowerCase(), number: others.length + 1, kind, isMixed }]
  })
  const isMixed = groups.some((group) => group.isMixed)
  const numberOf = (number: number) => (groups.length === 1 ? 'all' : count(number))
  const parts = groups.map(({ word, number, kind }) =>
    isMixed ? `${numberOf(number)} ${word}` : counted(word, number, kind),
  )
  const words = `${isMixed ? `${plural(changes.length, 'change')}: ` : ''}${parts.join(', ')}`
  return html`<strong>${capitalised(words)}.</strong>${consent && html` ${consentLink(harm)}`}`
}

/** Of a new account with where: nobody knows its domains yet. */
function whoSees({ connected, dns }: AppliedFolder, isNew: boolean): Markup | string {
  if (!isNew) return 'Visitors see none of it until you publish.'
  const ready = dns.length === 0 ? '' : ' and the DNS records below are set'
  return html`Visitors see it on <strong>${connected.join(', ')}</strong> once you publish${ready}.`
}

function counted(word: string, number: number, kind: AppliedFolder['changes'][number]['kind']): string {
  const what = `${word} ${fieldLabel(null, kind).toLowerCase()}`
  return isOnlyOne.has(kind) ? what : plural(number, what, kind === 'delivery' ? `${word} deliveries` : `${what}s`)
}

function list(title: string, lines: readonly (Markup | string)[]): Markup | null {
  if (lines.length === 0) return null
  const more = lines.length > linesMax ? html`<li>… and ${String(lines.length - linesMax)} more</li>` : null
  return html`<h2>${title}</h2><ul class="plan">${lines.slice(0, linesMax).map((line) => html`<li>${line}</li>`)}${more}</ul>`
}

function receiversNote({ receivers, notAllowed }: AppliedFolder): Markup | null {
  if (notAllowed !== null) return faultNote(inWords(notAllowed))
  if (receivers.length === 0) return null
  const lines = receivers.map(({ what }) => html`<li>${what}</li>`)
  return notice(
    'doubtful',
    html`<p><strong>This sends what visitors enter somewhere new.</strong></p><ul class="plan">${lines}</ul>`,
  )
}

function replacedNote(replaced: AppliedFolder['replaced'], timeZone: string): Markup | null {
  if (replaced.length === 0) return null
  const lines = replaced
    .slice(0, linesMax)
    .map(({ subject, at, by }) => html`<li>${subject}: ${localTime(at, timeZone)}, ${by.name} (${by.via})</li>`)
  return notice(
    'doubtful',
    html`<p><strong>This replaces changes that were made on the box.</strong></p><ul class="plan">${lines}</ul>`,
  )
}

function takenOverNote(takenOver: AppliedFolder['takenOver'], timeZone: string): Markup | null {
  if (takenOver.length === 0) return null
  const lines = takenOver.map(
    ({ host, handle, droppedAt }) =>
      html`<li>${host}: reserved for ${handle} since ${localTime(droppedAt, timeZone)}</li>`,
  )
  return notice(
    'doubtful',
    html`<p><strong>This takes names that are reserved for another account.</strong></p><ul class="plan">${lines}</ul>`,
  )
}

/** Folded unless one is in lines that were just changed: each as a sentence, then its place. */
function warningsPart(warnings: AppliedFolder['warnings'], changed: readonly number[] | undefined): Markup | null {
  if (warnings.length === 0) return null
  const more = warnings.length - linesMax
  const lines = warnings.slice(0, linesMax).map(({ file, line, message }) => {
    const sentence = /^[a-z]+[ ,:]/.test(message) ? capitalised(message) : message
    const place =
      file === 'site.toml' && line !== null && changed !== undefined
        ? lineLink(line)
        : line === null
          ? file
          : `${file}, line ${line}`
    return html`<li>${coded(sentence)} <span class="soft">(${place})</span></li>`
  })
  const fresh = warnings.filter(({ file, line }) => file === 'site.toml' && line !== null && changed?.includes(line))
  const whose = `, ${fresh.length === 0 ? 'none' : count(fresh.length)} in the lines that you changed`
  return html`<details class="more"${fresh.length > 0 ? html` open` : null}><summary>${plural(warnings.length, 'warning')}${changed === undefined || changed.length === 0 ? null : whose}</summary><ul class="plan">${lines}${more > 0 ? html`<li>… and ${count(more)} more</li>` : null}</ul></details>`
}

const termWords = { submissions: 'submission', events: 'event', refused: 'refused submission' }

function retentionNote({ shorterTerms }: AppliedFolder): Markup | null {
  if (shorterTerms === null) return null
  const due = shorterTerms.classes.filter((name) => shorterTerms.due[name] > 0)
  const words =
    due.length === 0
      ? 'None is old enough to be deleted now.'
      : `Deleted within an hour: ${due.map((name) => plural(shorterTerms.due[name], termWords[name])).join(', ')}.`
  const what = fieldLabel(null, shorterTerms.classes.map((name) => `${termWords[name]}s`).join(' and '))
  const tone = due.length === 0 ? 'doubtful' : 'bad'
  return notice(tone, html`<p><strong>${what} will be kept for a shorter time.</strong> ${words}</p>`)
}

export const dnsPart = (dns: AppliedFolder['dns']): Markup | null =>
  dns.length === 0
    ? null
    : html`<h2>Next: DNS records to set</h2><p class="said">Whoever manages the domain sets these at its DNS provider. Until then visitors do not reach the pages.</p>${dnsTable(dns.map((records) => ({ records })))}`

/** The keys and secrets that a publication made. Only this page shows them, and nothing on the way stores them. */
export function shownOnce({
  trackingKey,
  deliverySecrets,
}: Pick<AppliedFolder, 'trackingKey' | 'deliverySecrets'>): Markup {
  const made = [
    ...(trackingKey === null ? [] : [{ name: 'Tracking key', text: trackingKey }]),
    ...deliverySecrets.map(({ name, secret }) => ({ name: `Secret of the delivery ${name}`, text: secret })),
  ]
  return html`${made.map(({ name, text }, place) => copyField({ id: `once-${place}`, label: `${name}, shown only once`, text }))}`
}
