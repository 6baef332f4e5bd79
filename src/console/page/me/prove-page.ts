import { html, type Markup } from '../../../lib/html.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/notice.ts'
import { proofBudget } from '../../sign-in/attempts.ts'
import { TooManyPasswords } from '../../sign-in/password.ts'
import { proofByPassword } from '../../sign-in/sign-in.ts'
import { FormRefusal } from '../form-refusal.ts'
import { messagePage } from '../message-page.ts'
import type { BoxPage, PageAct, PageCall, PageContent } from '../page.ts'
import { ownPath, seeOther, withCookies } from '../page-answer.ts'
import { noteProof, refusedProof } from './noted-proof.ts'

/** `/prove?to=PATH`: has users confirm their identity before sensitive acts, in case somebody else found the screen open. */
export const provePage: BoxPage = {
  of: 'box',
  path: '/prove',
  for: 'signed_in',
  async show({ url }) {
    return content(ownPath(url.searchParams.get('to')), null)
  },
  forms: {
    chosen: () => prove,
    async refused({ fields }, _, why) {
      return why instanceof Busy
        ? messagePage('busy', { 'retry-after': String(why.retryAfterSeconds) })
        : content(toIn(fields), why.message)
    },
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
    throw new FormRefusal('Password or code is wrong. Each code works once.', 403)
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

const content = (to: string, fault: string | null): PageContent => ({
  title: 'Confirm who you are',
  body: form(to, fault),
})

const form = (to: string, fault: string | null): Markup => html`${faultLine(fault)}
<p>You signed in a while ago. Before you change keys or users or erase a person, confirm that it is still you.</p>
<form class="narrow" method="post" action="/prove"><input type="hidden" name="to" value="${to}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password">
<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40">
<p class="do"><button>Confirm</button> <button type="button" class="quiet" data-passkey="prove" aria-describedby="passkey-words" hidden>Use a passkey</button></p>
<p id="passkey-words" class="fault" role="status"></p></form>`
