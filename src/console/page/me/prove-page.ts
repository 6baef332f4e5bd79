import { html, type Markup } from '../../../lib/html.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { faultLine } from '../../look/fault.ts'
import { signInBudgets } from '../../sign-in/attempts.ts'
import { TooManyPasswords } from '../../sign-in/password.ts'
import { isProvedByPassword } from '../../sign-in/sign-in.ts'
import { FormRefusal } from '../form-refusal.ts'
import { messagePage } from '../message-page.ts'
import type { BoxPage, PageAct, PageCall, PageContent } from '../page.ts'
import { ownPath, seeOther } from '../page-answer.ts'
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
      return why instanceof Busy ? messagePage('busy') : content(toIn(fields), why.message)
    },
  },
}

/** Neither this sign-in nor another is tried now. */
class Busy extends OperatorError {}

const toIn = (fields: PageCall['fields']): string => ownPath(fields.get('to') ?? null)

const prove: PageAct<PageCall> = {
  async run(call, box) {
    const { caller, address, fields } = call
    const by = { caller, address, endpoint: 'POST /prove' } as const
    if ((await box.budgets.take(signInBudgets(address, caller.email))) > 0) {
      await refusedProof(by, box, 'too_many')
      throw new Busy('')
    }
    const isProved = await provedBy(call, box)
    await noteProof(by, box, isProved)
    if (!isProved) throw new FormRefusal('Password or code is wrong. Each code works once.', 403)
    return { answer: seeOther(toIn(fields)) }
  },
}

async function provedBy({ caller, fields }: PageCall, box: ConsoleBox): Promise<boolean> {
  const user = await box.users.find(caller.userId)
  const credentials = await box.users.credentials(caller.userId)
  const given = { password: fields.get('password') ?? '', code: fields.get('code') ?? '' }
  try {
    return await isProvedByPassword(box, { user, credentials, given })
  } catch (error) {
    throw error instanceof TooManyPasswords ? new Busy('') : error
  }
}

const content = (to: string, fault: string | null): PageContent => ({
  title: 'Confirm who you are',
  body: form(to, fault),
})

const form = (to: string, fault: string | null): Markup => html`${faultLine(fault)}
<p>You signed in a while ago. Before you change keys or users or erase a person, confirm that it is still you.</p>
<form class="narrow" method="post" action="/prove"><input type="hidden" name="to" value="${to}">
<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password" required>
<label for="code">Code</label><input id="code" name="code" autocomplete="one-time-code" autocapitalize="off" spellcheck="false" required maxlength="40">
<p class="do"><button>Confirm</button> <button type="button" class="quiet" data-passkey="prove" aria-describedby="passkey-words" hidden>Use a passkey</button></p>
<p id="passkey-words" class="fault" role="status"></p></form>`
