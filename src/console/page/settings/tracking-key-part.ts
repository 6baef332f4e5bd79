import { html, type Markup } from '../../../lib/html.ts'
import type { AnswerOf } from '../../../operations/act.ts'
import { listTrackingKeys, revokeKeys, rotateKey, scriptTag } from '../../../operations/key/keys.ts'
import { writtenKey } from '../../../operations/key/written-key.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField, described, type FieldFault, faultLine, option } from '../../look/fields.ts'
import { mark, notice } from '../../look/notice.ts'
import { head } from '../../look/shell.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, FormRefusal, fieldFault } from '../act-form.ts'
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

/** What a page carries to send events and forms. @param rotated the key that was just made */
export async function scriptTagPart(
  { account }: AccountPageCall,
  box: ConsoleBox,
  rotated: RotatedKey | null,
): Promise<Markup | null> {
  const [domain] = account.settings.domains
  if (domain === undefined) return null
  const key = rotated?.trackingKey ?? (await writtenKey(box, account))
  const tag =
    key === null
      ? notice(
          'plain',
          html`<p>The box has only the fingerprint of this account’s tracking key, so it cannot write the tag. Look for the key in your pages, or make a new one <a href="#tracking-key">below</a>: the tag is then shown with it.</p>`,
        )
      : copyField({
          id: 'tag',
          label: 'For the head of each page',
          text: scriptTag(box, domain, key),
          rows: 2,
        })
  return html`<h2 id="script-tag">Script tag</h2><p class="said">Every page with a form, or whose visits are counted, carries this tag. Its key is not secret: it says which account the events belong to.</p>
${account.settings.tracking.enabled ? null : notice('plain', html`<p>Tracking is off for this account: <code>enabled = true</code> under <code>[tracking]</code> in <code>site.toml</code> switches it on.</p>`)}${tag}`
}

/** The keys that are valid, and forms that make another or revoke them all; closed unless one of the forms was sent. */
export async function trackingKeysPart(call: AccountPageCall, box: ConsoleBox): Promise<Markup> {
  const { account } = call
  const keys = await listTrackingKeys(box, account.handle)
  const isOpen = keys.length === 0 || ['rotate', 'revoke'].includes(call.fields.get('act') ?? '')
  const list =
    keys.length === 0
      ? html`<p>No key is valid: every event is refused until you make one.</p>`
      : html`${head(html`<h3>Valid keys</h3>`, csvLink(`/accounts/${account.handle}/keys`))}${table('Valid keys', columns(account.settings.timezone), keys)}`
  return html`<details class="more" id="tracking-key"${isOpen ? html` open` : null}><summary>Tracking keys</summary>${list}${may(call, 'admin') ? html`${rotateForm(call)}${revokeForm(fieldFault(call))}` : null}</details>`
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
  html`<h3>Make a new key</h3><form class="narrow" method="post"><input type="hidden" name="act" value="rotate">
<label for="overlap">Once you make a new key, the old one works</label><select id="overlap" name="overlap">${overlaps.map(([days, text]) => option(String(days), fields.get('overlap'), text))}</select>
<p class="do"><button>Make a new key</button></p></form>`

const revokeForm = (
  fault: FieldFault | null,
): Markup => html`<h3>Revoke all tracking keys</h3><p class="said">Forms are not affected, and a new key lets events in again.</p>
<form method="post"><input type="hidden" name="act" value="revoke"><p><label class="inline"><input type="checkbox" name="sure" value="1" required${described('sure', fault)}> Refuse events from now on</label></p>${faultLine('sure', fault)}
<p class="do"><button class="danger">Revoke all keys</button></p></form>`
