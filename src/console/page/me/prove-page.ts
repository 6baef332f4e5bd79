import type { Locale } from '../../../language/locale.ts'
import { filled } from '../../../language/wording.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import { ownPasskeyBudget, proofBudget } from '../../access/attempts.ts'
import { actorOf, doneBy, note } from '../../audit/noted-act.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { described, faultLine, focusIf } from '../../look/fields.ts'
import { newSessionSecret, type Proof, sessionCookie, sessionHash } from '../../session/session.ts'
import { TooManyPasswords } from '../../sign-in/password.ts'
import { proofByPassword } from '../../sign-in/sign-in.ts'
import { FormRefusal, fieldFault } from '../act-form.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'
import {
  messagePage,
  type OpenPage,
  ownPath,
  placeOf,
  scriptAnswer,
  scriptRefusal,
  scriptRequest,
  scriptTooMany,
  seeOther,
  signedInUser,
  withCookies,
} from '../page-http.ts'

/** `/prove?to=PATH`: has users confirm their identity before sensitive acts, in case somebody else found the screen open. */
export const provePage: BoxPage = {
  path: '/prove',
  for: 'signed_in',
  show: async (call, box) => ({
    title: call.locale.texts.console.me.confirm,
    isAlone: true,
    body: form(call, await waysOf(call.caller, box)),
  }),
  forms: {
    chosen: () => prove,
    refused: ({ locale }, _, why) =>
      why instanceof Busy
        ? Promise.resolve(messagePage('busy', locale, { headers: { 'retry-after': String(why.retryAfterSeconds) } }))
        : null,
  },
}

/** Neither this sign-in nor another is tried now. */
class Busy extends OperatorError {
  constructor(readonly retryAfterSeconds: number) {
    super('')
  }
}

const busySeconds = 5

const toIn = (fields: PageCall['fields']): string => ownPath(fields.get('to') ?? null)

const prove: PageAct<PageCall> = {
  async run(call, box) {
    const { caller, address, secure, fields } = call
    const by = { caller, address, secure, endpoint: 'POST /prove' } as const
    const retryAfterSeconds = await box.budgets.take([proofBudget(caller.sessionId)])
    if (retryAfterSeconds > 0) {
      await refusedProof(by, box, 'too_many')
      throw new Busy(retryAfterSeconds)
    }
    if (await isProvedBy(call, box))
      return { answer: withCookies(seeOther(toIn(fields)), await noteProof(by, box, 'password')) }
    await refusedProof(by, box, 'wrong_proof')
    const { wrongProof, wrongRecoveryCode } = call.locale.texts.console.me
    const { hasPassword } = await waysOf(caller, box)
    throw new FormRefusal(hasPassword ? wrongProof : wrongRecoveryCode, 403, 'password')
  },
}

async function isProvedBy({ caller, fields }: PageCall, box: ConsoleBox): Promise<boolean> {
  const user = await box.users.find(caller.userId)
  const credentials = await box.users.credentials(caller.userId)
  const given = { password: fields.get('password') ?? '', code: fields.get('code') ?? '' }
  try {
    return (await proofByPassword(box, { user, credentials, given, isKnown: true })) === 'right'
  } catch (error) {
    throw error instanceof TooManyPasswords ? new Busy(busySeconds) : error
  }
}

/** By what a user proves who they are. Without a password, a recovery code is enough. */
interface WaysToProve {
  hasPasskey: boolean
  hasPassword: boolean
}

export async function waysOf({ userId }: PageCall['caller'], { users }: ConsoleBox): Promise<WaysToProve> {
  const { passkeys, passwordHash } = (await users.credentials(userId)) ?? { passkeys: [], passwordHash: null }
  return { hasPasskey: passkeys.length > 0, hasPassword: passwordHash !== null }
}

/** Which of password and code was wrong, it does not say. */
function form(call: PageCall, { hasPasskey, hasPassword }: WaysToProve): Markup {
  const { url, fields, locale, caller } = call
  const { me: words, entry, signingIn } = locale.texts.console
  const to = ownPath(fields.get('to') ?? url.searchParams.get('to'))
  const fault = fieldFault(call)
  const act = actAt(to, locale)
  return html`<p>${act && html`<strong>${act}.</strong> `}${filled(words.confirmText, { email: caller.email })}</p>
<form method="post" action="/prove"><input type="hidden" name="to" value="${to}">
${hasPassword ? html`<label for="password">${entry.password}</label><input id="password" name="password" type="password" autocomplete="current-password"${focusIf(fault === null)}${described('password', fault)}>` : null}
<label for="code">${hasPassword ? words.confirmCode : words.recoveryCode}</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40"${focusIf(!hasPassword && fault === null)}${described('password', fault, hasPassword ? 'code-hint' : undefined)}>${faultLine('password', fault)}${hasPassword ? html`<p class="hint" id="code-hint">${signingIn.codeHint}</p>` : null}
<p class="do"><button>${words.confirmIt}</button> <a href="${backFrom(to)}">${words.confirmCancel}</a>${hasPasskey ? html` <button type="button" class="quiet" data-passkey="prove" aria-describedby="passkey-words" hidden>${words.usePasskey}</button>` : null}</p>
<p id="passkey-words" class="fault" role="status"></p></form>`
}

/** What a page that asks for a proof is for; `null`: the page behind it has a form that waits. */
function actAt(path: string, { texts }: Locale): string | null {
  const { me } = texts.console
  const acts: Readonly<Record<string, string>> = {
    '/me#passkey-name': me.addPasskey,
    '/me/password': me.changePassword,
    '/me/app': me.otherApp,
    '/me/recovery-codes': me.makeCodes,
  }
  return acts[path] ?? null
}

/** Pages that ask for a proof before they show anything, and where each leads whoever wants nothing of it. */
const askingPages: readonly (readonly [page: RegExp, back: string])[] = [
  [/^\/me\/[^/]+$/, '/me'],
  [/^(\/a\/[^/]+)\/remove$/, '$1/settings'],
  [/^(\/a\/[^/]+)\/leads\/remove$/, '$1'],
  [/^(\/a\/[^/]+\/[^/]+\/[^/]+)\/erase$/, '$1'],
]

/** The page with the form that asked, or the one that leads to a page that would only ask again. */
function backFrom(to: string): string {
  const [address = '/'] = to.split('#')
  const [path = '/'] = address.split('?')
  const [page, back] = askingPages.find(([page]) => page.test(path)) ?? []
  return page === undefined || back === undefined ? address : path.replace(page, back)
}

/** A passkey as the proof that `/prove` asks for. It must belong to the signed-in user. */
export const proveByPasskey: OpenPage = {
  path: '/prove/passkey',
  async act(asked, box) {
    const { request, address, secure } = asked
    const sent = await scriptRequest(request)
    const caller = sent && (await signedInUser(asked, box))
    if (sent === null || caller === null) return scriptRefusal(403)
    const by = { caller, address, secure, endpoint: 'POST /prove/passkey' } as const
    const retryAfterSeconds = await box.budgets.take([ownPasskeyBudget(caller.sessionId)])
    if (retryAfterSeconds > 0) {
      await refusedProof(by, box, 'too_many')
      return scriptTooMany(retryAfterSeconds)
    }
    const user = await box.passkeys.authenticate(sent.credential, placeOf(request, secure))
    if (user?.id !== caller.userId) {
      await refusedProof(by, box, 'wrong_proof')
      return scriptRefusal(403)
    }
    const cookies = await noteProof(by, box, 'passkey')
    return withCookies(scriptAnswer({ to: ownPath(typeof sent.to === 'string' ? sent.to : null) }), cookies)
  },
}

type Prover = Pick<PageCall, 'caller' | 'address' | 'secure'> & {
  endpoint: 'POST /prove' | 'POST /prove/passkey' | 'POST /me/password'
}

/**
 * Takes note that the user has proved who they are.
 *
 * @returns cookies for the browser: a proved session goes on under a new secret, in case the old one was copied
 */
async function noteProof(by: Prover, box: ConsoleBox, proof: Proof): Promise<string[]> {
  const { userId, sessionId } = by.caller
  const secret = newSessionSecret()
  await box.sessions.noteProof(sessionId, { at: box.clock.now(), by: proof, hash: sessionHash(secret) })
  const act = { action: 'session.prove', accountId: null, subject: userId, by: doneBy(by) } as const
  await note(act, box, { outcome: 'done' })
  return [sessionCookie(secret, { secure: by.secure, cookieMark: box.cookieMark })]
}

/** Takes note that somebody has not: they may sit at the user's screen. */
export const refusedProof = (
  { caller, address, endpoint }: Prover,
  { refused }: ConsoleBox,
  kind: 'wrong_proof' | 'too_many',
): Promise<void> => refused.note({ kind, endpoint, address, actor: actorOf(caller), subject: caller.userId })
