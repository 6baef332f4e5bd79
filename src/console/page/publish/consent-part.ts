import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import type { AppliedFolder } from '../../../operations/apply/apply-folder.ts'
import { consentOf, consentTo } from '../../../operations/apply/consent.ts'
import { inWords } from '../../look/notice.ts'

type Harm = AppliedFolder['harm'][number]
type HarmKind = Harm['kind']

/** What a user consents to, as the box beside the tick says it. @param what that is taken away */
const consents: Record<HarmKind, (what: readonly string[]) => string> = {
  domain_offline: ([only, ...others]) => `Take ${others.length === 0 ? only : 'domains'} off the site`,
  page_offline: ([only, ...others]) => `Take ${others.length === 0 ? only : 'pages'} off the site`,
  form_gone: ([only, ...others]) =>
    others.length === 0 ? `Refuse ${only}, which live pages still have` : 'Refuse forms that live pages still have',
  deliveries_lost: () => 'Drop what waits to be sent',
  tracking_key_replaced: () => 'Stop the tracking key that sites use',
  changed_here: ({ length }) =>
    length === 1 ? 'Undo the change that was made on the box' : 'Undo the changes that were made on the box',
}

const fieldOf = (kind: HarmKind): string => `accept.${kind}`

/** Shown of a kind; the rest is counted. */
const shownMax = 20

/** The harm of a plan, with a tick for each kind: the form that has them cannot be sent before. Nothing where there is none. */
export function consentPart(harm: readonly Harm[]): Markup | null {
  if (harm.length === 0) return null
  const kinds = [...Map.groupBy(harm, ({ kind }) => kind)]
  return html`<fieldset class="note bad" id="consent"><legend>This takes something away. Tick ${boxes(harm)} to go on.</legend>${kinds.map(kindPart)}</fieldset>`
}

const boxes = (harm: readonly Harm[]): string =>
  new Set(harm.map(({ kind }) => kind)).size === 1 ? 'the box' : 'each box'

/** At the beginning of the plan: the way to it. */
export const consentLink = (harm: readonly Harm[]): Markup =>
  html`<a class="fault" href="#consent">${plural(harm.length, 'needs', 'need')} your consent.</a>`

/** Beside the button that waits for the ticks, until they are there. */
export const untilTicked = (harm: readonly Harm[]): Markup | null =>
  harm.length === 0 ? null : html` <span class="hint ticks">Tick ${boxes(harm)} above.</span>`

function kindPart([kind, harm]: [HarmKind, Harm[]]): Markup {
  const lines = harm.slice(0, shownMax).map(harmLine)
  const more = harm.length > shownMax ? html`<li>… and ${count(harm.length - shownMax)} more</li>` : null
  return html`<ul class="plan">${lines}${more}</ul>
<p><label class="inline"><input type="checkbox" name="${fieldOf(kind)}" value="${consentTo(kind, harm)}" required> ${consents[kind](harm.map(({ subject }) => subject))}</label></p>`
}

/** Lines to paste keep their breaks. */
function harmLine({ subject, message }: Harm): Markup {
  const [text = '', ...pasted] = message.split('\n\n')
  const lines = pasted.length === 0 ? null : html`<pre>${pasted.join('\n\n').trim()}</pre>`
  return html`<li><strong>${subject}</strong>: ${inWords(text)}${lines}</li>`
}

/** What was ticked, as it was shown. @throws UnfitInput */
export const ticked = (fields: ReadonlyMap<string, string>) =>
  consentOf((Object.keys(consents) as HarmKind[]).flatMap((kind) => fields.get(fieldOf(kind)) ?? []).join())
