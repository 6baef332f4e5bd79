import { identityEmail } from '../../ledger/identity-email.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineCommand, usageError } from '../command.ts'

export const personErase = defineCommand({
  name: 'person erase',
  summary: 'Erases one person: their records, devices and everything made of them',
  details: `Without --yes it only prints what would go, and ends with exit status 2. Nothing of it comes back but from a
backup. It works beside a running server; interrupted, it is finished by running it again. What goes, what stays and
what it cannot reach is in docs/privacy.md.
--json prints { "account", "erased": true|false, "submissions", "events", "pageViews", "clicks", "devices" }, and with
--yes "verified", "mentions" (how many records of other persons name the address), "mentionedIn" (their ids, of more
than 100 the first 100), "snapshots" and "movedAside". "erased" is false where nothing was held of the address.
  capture person erase acme ada@customer.example --yes`,
  args: { account: { summary: "the account's handle" }, email: { summary: "the person's e-mail address" } },
  options: { yes: { summary: 'erase them' } },
  printsResult: true,
  async run({ args, options, json }, session) {
    const email = identityEmail(args.email)
    if (email === null) throw usageError(`"${args.email}" is no e-mail address.`)
    const { withBox } = await import('../with-box.ts')
    const { erasePerson, wouldErase } = await import('./erase-run.ts')
    return withBox(session, async (box) => {
      const asked = { box, account: await accountNamed(box.accounts, args.account), email, json }
      if (options.yes) return erasePerson(asked, session)
      await wouldErase(asked, session)
      session.err.write('Nothing was erased: add --yes to erase it.\n')
      return 2
    })
  },
})
