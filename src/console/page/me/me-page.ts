import { html, type Markup } from '../../../lib/html.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { ownPasskeyBudget } from '../../access/attempts.ts'
import type { Arrived } from '../../arrived.ts'
import { doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { type BrowserSession, isProved } from '../../session/session.ts'
import { mayHavePasskeys } from '../../sign-in/passkeys.ts'
import type { Passkey } from '../../user/user.ts'
import { endOtherSessions, endOwnSession } from '../../user/user-acts.ts'
import { actForm } from '../act-form.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'
import {
  type OpenPage,
  placeOf,
  scriptAnswer,
  scriptRefusal,
  scriptRequest,
  scriptTooMany,
  signedInUser,
} from '../page-http.ts'

/** `/me`: the user's password, codes, passkeys and sessions. */
export const mePage: BoxPage = {
  path: '/me',
  link: { group: 'You', text: 'Your sign-in' },
  for: 'signed_in',
  async show(call, box) {
    return { body: html`${secrets}${await passkeysSection(call, box)}${await sessionsSection(call, box)}` }
  },
  forms: {
    chosen({ fields }) {
      if (fields.has('end')) return endSession
      if (fields.has('end-others')) return endOthers
      return fields.has('remove') ? removePasskey : null
    },
  },
}

const endSession = actForm(endOwnSession, {
  input: ({ fields }) => ({ session: fields.get('end') ?? '' }),
  shown: () => ({ notice: 'Ended the session.' }),
})

const endOthers = actForm(endOtherSessions, { shown: () => ({ notice: 'Ended all other sessions.' }) })

const removePasskey: PageAct<PageCall> = {
  noted: { action: 'passkey.remove', subject: ({ caller }) => caller.userId },
  asksAgain: true,
  async run({ caller: { userId, sessionId }, fields }, { users, sessions }) {
    const { passkeys = [], passwordHash = null, totpSecret = null } = (await users.credentials(userId)) ?? {}
    const left = passkeys.filter(({ id }) => id !== fields.get('remove'))
    if (left.length === passkeys.length) throw new NotThere('There is no such passkey.')
    if (left.length === 0 && (passwordHash === null || totpSecret === null))
      throw new OperatorError(
        'You sign in with this passkey alone. Add another one first, or set a password and an app.',
      )
    await users.keepCredentials(userId, { passkeys: left })
    await sessions.endOthers(userId, sessionId)
    return { notice: 'Removed the passkey, and ended all other sessions.' }
  },
}

const secrets = html`<h2>Password and codes</h2>
<p><a href="/me/password">Change the password</a> · <a href="/me/app">Use another authenticator app</a> · <a href="/me/recovery-codes">New recovery codes</a></p>`

async function passkeysSection(call: PageCall, { users, clock }: ConsoleBox): Promise<Markup> {
  const { passkeys = [] } = (await users.credentials(call.caller.userId)) ?? {}
  const list =
    passkeys.length === 0
      ? html`<p>No passkeys yet. A passkey signs you in with your fingerprint, face or screen lock, without a password or code.</p>`
      : table('Passkeys', passkeyColumns, passkeys)
  return html`<h2>Passkeys</h2>${list}${addForm(call, clock.now())}`
}

function addForm({ caller, place }: PageCall, now: number): Markup {
  if (!mayHavePasskeys(place))
    return html`<p class="hint">Passkeys do not work at ${place.host}: open the console as localhost instead.</p>`
  if (!isProved(caller, now))
    return html`<p><a class="button" href="/prove?to=/me">Confirm who you are to add a passkey</a></p>`
  return html`<div class="narrow"><label for="passkey-name">Name of the new passkey</label>
<input id="passkey-name" maxlength="60" placeholder="Phone" autocomplete="off">
<p class="do"><button type="button" data-passkey="add" aria-describedby="passkey-words" hidden>Add a passkey</button></p>
<p id="passkey-words" class="fault" role="status"></p></div>`
}

async function sessionsSection({ caller }: PageCall, { sessions }: ConsoleBox): Promise<Markup> {
  const all = await sessions.ofUser(caller.userId)
  const endAll =
    all.length > 1
      ? html`<form method="post"><p class="do"><button name="end-others" value="1">End all other sessions</button></p></form>`
      : null
  return html`<h2>Sessions</h2>${table('Sessions', sessionColumns(caller.sessionId), all)}${endAll}`
}

const passkeyColumns: TableColumn<Passkey>[] = [
  { head: 'Passkey', cell: ({ name }) => name },
  { head: 'Added', label: true, cell: ({ createdAt }) => day(createdAt) },
  { head: 'Last used', label: true, cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : day(lastUsedAt)) },
  {
    head: 'Remove',
    isUnseen: true,
    cell: ({ id, name }) =>
      html`<form method="post"><button class="quiet" name="remove" value="${id}">Remove<span class="unseen"> ${name}</span></button></form>`,
  },
]

const sessionColumns = (ownId: string): TableColumn<BrowserSession>[] => [
  { head: 'Browser', cell: ({ userAgent }) => html`<bdi>${userAgent}</bdi>` },
  { head: 'From', cell: ({ address }) => address },
  { head: 'Last used', label: true, cell: ({ lastUsedAt }) => day(lastUsedAt) },
  {
    head: 'End',
    isUnseen: true,
    cell: ({ id, address }) =>
      id === ownId
        ? 'this session'
        : html`<form method="post"><button class="quiet" name="end" value="${id}">End<span class="unseen"> the session from ${address}</span></button></form>`,
  },
]

const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const newPasskeyOptions: OpenPage = {
  path: '/me/passkeys/options',
  async act(asked, box) {
    const found = await provedRequest(asked, box)
    if (found === null) return scriptRefusal(403)
    const retryAfterSeconds = await box.budgets.take([ownPasskeyBudget(found.caller.sessionId)])
    if (retryAfterSeconds > 0) return scriptTooMany(retryAfterSeconds)
    return scriptAnswer(await box.passkeys.registration(found.user, placeOf(asked.request, asked.secure)))
  },
}

export const newPasskey: OpenPage = {
  path: '/me/passkeys',
  async act(asked, box) {
    const found = await provedRequest(asked, box)
    if (found === null) return scriptRefusal(403)
    const { sent, caller, user } = found
    const name = typeof sent.name === 'string' ? sent.name : ''
    const place = { ...placeOf(asked.request, asked.secure), name }
    const isKept = await box.passkeys.register(user, sent.credential, place)
    const by = doneBy({ caller, address: asked.address })
    const act = { action: 'passkey.add', accountId: null, subject: user.id, by } as const
    await note(act, box, { outcome: isKept ? 'done' : 'refused' })
    if (isKept)
      box.nextPages.keep(caller.sessionId, { path: '/me', notice: { text: 'Added the passkey.' } }, box.clock.now())
    return isKept ? scriptAnswer({ to: '/me' }) : scriptRefusal(403)
  },
}

/** What the script sent for a user who has confirmed their identity within the last ten minutes; `null`: nobody of that kind. */
async function provedRequest(asked: Arrived, box: ConsoleBox) {
  const sent = await scriptRequest(asked.request)
  const caller = sent && (await signedInUser(asked, box))
  const user = caller && isProved(caller, box.clock.now()) ? await box.users.find(caller.userId) : null
  return sent && caller && user && { sent, caller, user }
}
