import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { ownPasskeyBudget } from '../../access/attempts.ts'
import type { Arrived } from '../../arrived.ts'
import { doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { mark } from '../../look/notice.ts'
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
import { localeOfPage } from '../page-locale.ts'
import { captured, cut, factsTable } from '../values.ts'

/** `/me`: the user's password, codes, passkeys and sessions. */
export const mePage: BoxPage = {
  path: '/me',
  link: { group: 'You', text: 'Your sign-in', icon: 'lock' },
  for: 'signed_in',
  async show(call, box) {
    const { console: texts } = call.locale.texts
    return {
      title: texts.signIn,
      body: html`${await secrets(call, box)}${await passkeysSection(call, box)}${await sessionsSection(call, box)}`,
    }
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
  shown: (_, { locale }) => ({ notice: locale.texts.console.me.sessionEnded }),
})

const endOthers = actForm(endOtherSessions, {
  shown: (_, { locale }) => ({ notice: locale.texts.console.me.othersEnded }),
})

const removePasskey: PageAct<PageCall> = {
  noted: { action: 'passkey.remove', subject: ({ caller }) => caller.userId },
  asksAgain: true,
  async run({ caller: { userId, sessionId }, fields, locale }, { users, sessions }) {
    const { me: words } = locale.texts.console
    const { passkeys = [], passwordHash = null, totpSecret = null } = (await users.credentials(userId)) ?? {}
    const left = passkeys.filter(({ id }) => id !== fields.get('remove'))
    if (left.length === passkeys.length) throw new NotThere('There is no such passkey.')
    if (left.length === 0 && (passwordHash === null || totpSecret === null)) throw new OperatorError(words.onlyPasskey)
    await users.keepCredentials(userId, { passkeys: left })
    await sessions.endOthers(userId, sessionId)
    return { notice: words.passkeyRemoved }
  },
}

type Locale = PageCall['locale']
type Words = PageCall['locale']['texts']['console']['me']

async function secrets({ caller, locale }: PageCall, { users }: ConsoleBox): Promise<Markup> {
  const { me: words, entry, signingIn } = locale.texts.console
  const credentials = await users.credentials(caller.userId)
  const { passwordHash = null, totpSecret = null, recoveryHashes = [], passkeys = [] } = credentials ?? {}
  const missing = passkeys.length > 0 ? 'plain' : 'doubtful'
  const state = (isThere: boolean, text: string) => mark(text, isThere ? 'good' : missing)
  const hasPassword = passwordHash !== null
  const hasApp = totpSecret !== null
  const left = locale.plural(words.left, recoveryHashes.length)
  return html`<h2>${words.secrets}</h2><div class="card">${factsTable([
    [signingIn.address, caller.email],
    [
      entry.password,
      way(state(hasPassword, hasPassword ? words.passwordSet : words.notSet), ['/me/password', words.changePassword]),
    ],
    [entry.app, way(state(hasApp, hasApp ? words.appOn : words.notSet), ['/me/app', words.otherApp])],
    [entry.codes, way(state(recoveryHashes.length > 0, left), ['/me/recovery-codes', words.newCodes])],
  ])}</div>`
}

/** A way to sign in: how it stands, and where it is changed. */
const way = (state: Markup, [href, text]: readonly [string, string]): Markup =>
  html`<span class="state">${state}</span><a href="${href}">${text}</a>`

async function passkeysSection(call: PageCall, box: ConsoleBox): Promise<Markup> {
  const { passkeys = [] } = (await box.users.credentials(call.caller.userId)) ?? {}
  const { me: words } = call.locale.texts.console
  const list = passkeys.length === 0 ? null : table(words.passkeys, passkeyColumns(words, call.locale), passkeys)
  const more = mayHavePasskeys(call.place)
    ? html`${list ?? html`<p>${words.aboutPasskeys}</p>`}${addForm(call, box.clock.now())}`
    : html`${list}<p>${list === null ? `${words.aboutPasskeys} ` : null}${whereTheyWork(call, box)}</p>`
  return html`<h2>${words.passkeys}</h2>${more}`
}

/** What the reader needs to get to where passkeys work: only an owner can name the console. */
function whereTheyWork({ caller, locale }: PageCall, { config }: ConsoleBox): Markup | string {
  const { me: words } = locale.texts.console
  const { host } = config.console
  if (host !== null) return filled(words.passkeysAt, { host })
  return caller.isOwner
    ? html`Passkeys need a name for the console: set <code>[console] host</code> in <code>capture.toml</code>.`
    : words.noPasskeysHere
}

function addForm({ caller, locale }: PageCall, now: number): Markup {
  const { me: words } = locale.texts.console
  if (!isProved(caller, now))
    return html`<p><a class="button" href="/prove?to=/me%23passkey-name">${words.addPasskey}</a></p>`
  return html`<div class="narrow"><label for="passkey-name">${words.passkeyName}</label>
<input id="passkey-name" maxlength="60" placeholder="${words.passkeyExample}" autocomplete="off">
<p class="do"><button type="button" data-passkey="add" aria-describedby="passkey-words" hidden>${words.addPasskey}</button></p>
<p id="passkey-words" class="fault" role="status"></p></div>`
}

async function sessionsSection({ caller, locale }: PageCall, { sessions }: ConsoleBox): Promise<Markup> {
  const { me: words } = locale.texts.console
  const all = await sessions.ofUser(caller.userId)
  const endAll =
    all.length > 1
      ? html`<form method="post"><p class="do"><button class="second" name="end-others" value="1">${words.endOthers}</button></p></form>`
      : null
  return html`<h2>${words.sessions}</h2>${table(words.sessions, sessionColumns(caller.sessionId, words, locale), all)}${endAll}`
}

const passkeyColumns = (words: Words, locale: Locale): TableColumn<Passkey>[] => [
  { head: words.passkey, cell: ({ name }) => name },
  { head: words.added, label: true, cell: ({ createdAt }) => day(createdAt, locale) },
  {
    head: words.lastUsed,
    label: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : day(lastUsedAt, locale)),
  },
  {
    head: words.remove,
    isUnseen: true,
    kind: 'end',
    cell: ({ id, name }) =>
      html`<form method="post"><button class="quiet ends" name="remove" value="${id}">${words.remove}<span class="unseen"> ${name}</span></button></form>`,
  },
]

const sessionColumns = (ownId: string, words: Words, locale: Locale): TableColumn<BrowserSession>[] => [
  {
    head: words.browser,
    cell({ id, userAgent }) {
      const name = browserName(userAgent)
      if (id !== ownId)
        return (
          name ?? html`${words.otherBrowser} <span class="hint">${captured(cut(userAgent, userAgentShownMax))}</span>`
        )
      return name === null ? words.thisBrowser : html`${name} ${mark(words.thisBrowser)}`
    },
  },
  { head: words.from, label: true, cell: ({ address }) => address },
  {
    head: words.lastUsed,
    label: true,
    cell: ({ id, lastUsedAt }) => (id === ownId ? words.now : day(lastUsedAt, locale)),
  },
  {
    head: words.end,
    isUnseen: true,
    kind: 'end',
    cell: ({ id, address }) =>
      id === ownId
        ? null
        : html`<form method="post"><button class="quiet ends" name="end" value="${id}">${words.end}<span class="unseen">: ${address}</span></button></form>`,
  },
]

/** Most specific first: many browsers name others, too. */
const browsers: readonly (readonly [sign: string, name: string])[] = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
]
const systems: readonly (readonly [sign: string, name: string])[] = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
]

/** `Firefox · Linux`; `null`: none that is known. */
function browserName(userAgent: string): string | null {
  const named = (list: typeof browsers) => list.find(([sign]) => userAgent.includes(sign))?.[1]
  return [named(browsers), named(systems)].filter((name) => name !== undefined).join(' · ') || null
}

const userAgentShownMax = 80
const dayMs = 86_400_000

const day = (at: number, locale: Locale): Markup =>
  html`<time datetime="${new Date(at).toISOString()}">${locale.day(at / dayMs, 'date')}</time>`

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
      box.nextPages.keep(
        caller.sessionId,
        { path: '/me', notice: { text: (await localeOfPage(caller, null, box)).texts.console.me.passkeyAdded } },
        box.clock.now(),
      )
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
