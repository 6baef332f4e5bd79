import { html } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { newRecoveryCodes, recoveryHashes } from '../../sign-in/recovery-codes.ts'
import { recoveryCodeList } from '../authenticator.ts'
import type { BoxPage, PageAct, PageCall } from '../page.ts'

/** `/me/recovery-codes`: new codes that replace the remaining ones. */
export const recoveryCodesPage: BoxPage = {
  of: 'box',
  path: '/me/recovery-codes',
  for: 'signed_in',
  asksAgain: true,
  async show({ caller }, { users }) {
    const credentials = await users.credentials(caller.userId)
    return {
      title: 'Recovery codes',
      body: html`<p>You have ${plural(credentials?.recoveryHashes.length ?? 0, 'code')} left. New codes replace all of them.</p>
<form method="post"><p class="do"><button>Make new codes</button></p></form>`,
    }
  },
  forms: { chosen: () => change },
}

const change: PageAct<PageCall> = {
  noted: { action: 'recovery_codes.change', subject: ({ caller }) => caller.userId },
  async run({ caller }, box) {
    const { passwordHash = null } = (await box.users.credentials(caller.userId)) ?? {}
    const codes = newRecoveryCodes()
    await box.users.keepCredentials(caller.userId, { recoveryHashes: await recoveryHashes(codes, box.passwords) })
    const body = html`${recoveryCodeList(codes, passwordHash === null ? 'passkey' : 'app')}<p class="do"><a class="button" href="/me">I have saved them</a></p>`
    return { answer: { title: 'Keep these codes', body } }
  },
}
