import { html, type Markup } from '../../../lib/html.ts'
import type { AnswerOf } from '../../../operations/act.ts'
import { listTrackingKeys, revokeKeys, rotateKey, scriptTag } from '../../../operations/key/keys.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { copyField } from '../../look/fields.ts'
import { doneNote, mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import type { PageContent } from '../../page-content.ts'
import { actForm, FormRefusal } from '../act-form.ts'
import { csvLink } from '../list-page.ts'
import { type AccountPage, type AccountPageCall, actsBy, may } from '../page.ts'
import { settingsPath, settingsTabs, settingsTitle } from '../settings-tabs.ts'
import { localTime } from '../values.ts'

type RotatedKey = AnswerOf<typeof rotateKey>

const overlaps: readonly (readonly [days: number, text: string])[] = [
  [7, 'for 7 more days'],
  [30, 'for 30 more days'],
  [1, 'for one more day'],
  [0, 'no longer, from now on'],
]

const rotate = actForm(rotateKey, {
  input({ fields }: AccountPageCall) {
    const [days] = overlaps.find(([days]) => String(days) === fields.get('overlap')) ?? [0]
    return days === 0 ? {} : { overlap: `${days}d` }
  },
  shown: async ({ answer }, call, box) => ({ answer: await content(call, box, answer) }),
})

const revoke = actForm(revokeKeys, {
  input({ fields }: AccountPageCall) {
    if (!fields.has('sure')) throw new FormRefusal('Tick the box first: from then on every event is refused.')
    return {}
  },
  shown: () => ({ notice: 'Revoked all keys. Events are refused until you make a new one.' }),
})

/** `/a/ACCOUNT/keys`: the tracking keys, the script tag, and forms to replace and to revoke keys. */
export const keysPage: AccountPage = {
  path: '/a/:account/keys',
  within: settingsPath,
  scope: 'read',
  show: (call, box) => content(call, box, null),
  forms: { scope: 'admin', chosen: actsBy('act', { rotate, revoke }) },
}

/** @param rotated the key that was just made; no other page shows it */
async function content(call: AccountPageCall, box: ConsoleBox, rotated: RotatedKey | null): Promise<PageContent> {
  const { account } = call
  const keys = await listTrackingKeys(box, account.handle)
  const isActed = may(call, 'admin')
  return {
    title: settingsTitle,
    body: html`${settingsTabs(call, 'keys')}<p class="said">Pages that send events carry this key in their script tag. The key is not secret: it says which account the events belong to.</p>
${account.settings.tracking.enabled ? null : html`<div class="note"><p>Tracking is off for this account: <code>enabled = true</code> under <code>[tracking]</code> in <code>site.toml</code> switches it on.</p></div>`}
${rotated === null ? null : newKey(rotated)}${keys.length === 0 ? html`<p>No key is valid: every event is refused until you make one.</p>` : table('Valid keys', columns(account.settings.timezone), keys)}
${tagToPaste(call, box, rotated)}
${isActed ? html`${rotateForm}${keys.length === 0 ? null : revokeForm}` : null}
<p class="more">${csvLink(`/accounts/${account.handle}/keys`)}</p>`,
  }
}

function tagToPaste({ account }: AccountPageCall, box: ConsoleBox, rotated: RotatedKey | null): Markup | null {
  const [domain] = account.settings.domains
  if (domain === undefined) return null
  const text = scriptTag(box, domain, rotated?.trackingKey ?? 'YOUR-TRACKING-KEY')
  return html`<h2>Script tag</h2>${copyField({ id: 'tag', label: 'Paste this into the head of each page', text, rows: 2 })}
${rotated === null ? html`<p class="hint">The box stores only a fingerprint. Look for the key in <code>site.toml</code>, or in your pages. A new key is shown once.</p>` : null}`
}

const newKey = ({ trackingKey, siteToml }: RotatedKey): Markup =>
  doneNote(html`<p>This is the new key. Copy it now: it is not shown again.</p>${copyField({ id: 'key', label: 'The new tracking key', text: trackingKey })}
<p>If <code>site.toml</code> names a key, change it there too. Otherwise the next apply brings the old key back:</p>${copyField({ id: 'toml', label: 'For site.toml', text: siteToml, rows: 3 })}`)

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

const rotateForm = html`<h2>Replace the key</h2><form class="narrow" method="post"><input type="hidden" name="act" value="rotate">
<label for="overlap">The old key works</label><select id="overlap" name="overlap">${overlaps.map(([days, text]) => html`<option value="${days}">${text}</option>`)}</select>
<p class="do"><button>Make a new key</button></p></form>`

const revokeForm = html`<h2>Revoke all keys</h2><p class="said">Every event is refused until you make a new key. Forms are not affected.</p>
<form method="post"><input type="hidden" name="act" value="revoke"><p><label class="inline"><input type="checkbox" name="sure" value="1" required> Refuse events from now on</label></p>
<p class="do"><button class="danger">Revoke all keys</button></p></form>`
