import { html } from '../../../lib/html.ts'
import { newRecoveryCodes, recoveryHash } from '../../sign-in/recovery-codes.ts'
import { recoveryCodeList } from '../authenticator.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'

/** `/me/recovery-codes`: new codes in place of those that are left. */
export const recoveryCodesPage: BoxPage = {
  of: 'box',
  path: '/me/recovery-codes',
  for: 'signed_in',
  asksAgain: true,
  async show({ caller }, { users }) {
    const { recoveryHashes = [] } = (await users.credentials(caller.userId)) ?? {}
    return {
      title: 'Recovery codes',
      body: html`<p>You have ${recoveryHashes.length} left. New ones replace them all.</p>
<form method="post"><p class="do"><button>Make new codes</button></p></form>`,
    }
  },
  forms: { chosen: () => change },
}

const change: PageAct<PageCall> = {
  noted: { action: 'recovery_codes.change', subject: ({ caller }) => caller.userId },
  async run({ caller }, box) {
    const codes = newRecoveryCodes()
    await box.users.keepCredentials(caller.userId, { recoveryHashes: codes.map(recoveryHash) })
    const body = html`${recoveryCodeList(codes)}<p class="do"><a class="button" href="/me">I have kept them</a></p>`
    return { answer: { title: 'Keep these codes', body } }
  },
}
