import { defineCommand, usageError } from '../command.ts'

export const linkSign = defineCommand({
  name: 'link sign',
  summary: 'Prints a click link: a signed address that records the click and leads on',
  details: `A click link leads to its own host or to the preview host alone, whatever the port. Without --domain it is on the
destination's host, if that is a connected domain of the account, else on the account's first.
--email ties the link to a person: it contains an opaque id, never the address. --message is readable in the link.
  capture link sign acme --to https://go.acme.example/launch --message 2026-11-news --email ada@acme.example
--json prints { "account", "url", "destination", "domain" }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    to: { value: 'URL', summary: 'where the link leads (required)' },
    email: { value: 'E', summary: "the recipient's e-mail address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: 'the connected domain that the link is on' },
  },
  async run({ args, options }, session) {
    const { to: destination } = options
    if (destination === undefined) throw usageError('--to is missing: it takes the address that the link leads to.')
    const { mailFrom } = await import('./mail-options.ts')
    const mail = mailFrom(args.account, options)
    const { signLink } = await import('../../operations/link/sign-link.ts')
    const result = await session.withBox((box) => signLink(box, { ...mail, destination }))
    return { json: result, text: result.url }
  },
})
