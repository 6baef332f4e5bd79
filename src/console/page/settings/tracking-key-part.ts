import { html, type Markup } from '../../../lib/html.ts'
import type { AnswerOf } from '../../../operations/act.ts'
import { listTrackingKeys, revokeKeys, rotateKey, scriptTag } from '../../../operations/key/keys.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField, described, type FieldFault, faultLine, option } from '../../look/fields.ts'
import { mark, notice } from '../../look/notice.ts'
import { head } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, FormRefusal } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import { type AccountPageCall, may } from '../page.ts'
import { localTime } from '../values.ts'

export type RotatedKey = AnswerOf<typeof rotateKey>

const overlaps: readonly (readonly [days: number, text: string])[] = [
  [7, 'for 7 more days'],
  [30, 'for 30 more days'],
  [1, 'for one more day'],
  [0, 'no longer, from now on'],
]

/** The acts of the forms about the key. @param withKey the page with a key that was just made */
export const keyActs = (
  withKey: (call: AccountPageCall, box: ConsoleBox, rotated: RotatedKey) => Promise<PageContent>,
) => ({
  rotate: actForm(rotateKey, {
    input({ fields }: AccountPageCall) {
      const [days] = overlaps.find(([days]) => String(days) === fields.get('overlap')) ?? [0]
      return days === 0 ? {} : { overlap: `${days}d` }
    },
    shown: async ({ answer }, call, box) => ({ answer: await withKey(call, box, answer) }),
  }),
  revoke: actForm(revokeKeys, {
    input({ fields }: AccountPageCall) {
      if (!fields.has('sure'))
        throw new FormRefusal('Tick the box first: from then on every event is refused.', 422, 'sure')
      return {}
    },
    shown: () => ({ notice: 'Revoked all keys. Events are refused until you make a new one.' }),
  }),
})

/** The keys that are valid, the tag that carries one, and a form that makes another. */
export async function trackingKeyPart(
  call: AccountPageCall,
  box: ConsoleBox,
  rotated: RotatedKey | null,
): Promise<Markup> {
  const { account } = call
  const keys = await listTrackingKeys(box, account.handle)
  return html`${head(html`<h2 id="tracking-key">Tracking key</h2>`, csvLink(`/accounts/${account.handle}/keys`, { text: 'Keys as CSV' }))}<p class="said">Pages that send events carry this key in their script tag. The key is not secret: it says which account the events belong to.</p>
${account.settings.tracking.enabled ? null : notice('plain', html`<p>Tracking is off for this account: <code>enabled = true</code> under <code>[tracking]</code> in <code>site.toml</code> switches it on.</p>`)}
${keys.length === 0 ? html`<p>No key is valid: every event is refused until you make one.</p>` : table('Valid keys', columns(account.settings.timezone), keys)}
${tagToPaste(call, box, rotated)}${may(call, 'admin') ? rotateForm(call) : null}`
}

function tagToPaste({ account }: AccountPageCall, box: ConsoleBox, rotated: RotatedKey | null): Markup | null {
  const [domain] = account.settings.domains
  if (domain === undefined) return null
  const text = scriptTag(box, domain, rotated?.trackingKey ?? 'YOUR-TRACKING-KEY')
  return html`${copyField({ id: 'tag', label: 'Script tag, for the head of each page', text, rows: 2 })}
${rotated === null ? html`<p class="hint">The box stores only a fingerprint. Look for the key in <code>site.toml</code>, or in your pages. A new key is shown once.</p>` : null}`
}

export const newKey = ({ trackingKey, siteToml }: RotatedKey): Markup =>
  html`<p>This is the new key. Copy it now: it is not shown again.</p>${copyField({ id: 'key', label: 'The new tracking key', text: trackingKey })}
<p>If <code>site.toml</code> names a key, change it there too. Otherwise the next apply brings the old key back:</p>${copyField({ id: 'toml', label: 'For site.toml', text: siteToml, rows: 3 })}`

const columns = (timezone: string): TableColumn<TrackingKeys[number]>[] => [
  { head: 'Fingerprint', cell: ({ fingerprint }) => html`<code>${fingerprint}…</code>` },
  {
    head: 'State',
    cell: ({ validUntil }) =>
      validUntil === null
        ? mark('valid', 'good')
        : html`${mark('old', 'doubtful')} until ${localTime(validUntil, timezone)}`,
  },
]

type TrackingKeys = Awaited<ReturnType<typeof listTrackingKeys>>

const rotateForm = ({ fields }: AccountPageCall): Markup =>
  html`<form class="narrow" method="post"><input type="hidden" name="act" value="rotate">
<label for="overlap">Once you make a new key, the old one works</label><select id="overlap" name="overlap">${overlaps.map(([days, text]) => option(String(days), fields.get('overlap'), text))}</select>
<p class="do"><button>Make a new key</button></p></form>`

export const revokeForm = (
  fault: FieldFault | null,
): Markup => html`<h2>Revoke all tracking keys</h2><p class="said">Every event is refused until you make a new key. Forms are not affected.</p>
<form method="post"><input type="hidden" name="act" value="revoke"><p><label class="inline"><input type="checkbox" name="sure" value="1" required${described('sure', fault)}> Refuse events from now on</label></p>${faultLine('sure', fault)}
<p class="do"><button class="danger">Revoke all keys</button></p></form>`
