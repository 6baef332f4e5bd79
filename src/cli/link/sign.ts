import { showsAddress } from '../../capture/click-token.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineCommand, usageError } from '../command.ts'
import { toJson } from '../output/json.ts'

export const linkSign = defineCommand({
  name: 'link sign',
  summary: 'Prints a click link: a signed address that records the click and leads on',
  details: `A click link leads to its own host or to the preview host alone, whatever the port. Without --domain it is on the
destination's host, if that is a connected domain of the account, else on the account's first.
--email ties the link to a person: an opaque id stands in it, never the address. --message can be read in the link.
  capture link sign acme --to https://go.acme.example/launch --message 2026-11-news --email ada@acme.example
--json prints { "account", "url", "destination", "domain" }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    to: { value: 'URL', summary: 'where the link leads (required)' },
    email: { value: 'E', summary: "the recipient's e-mail address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: 'the connected domain that the link is on' },
  },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { to, email, message, domain } = options
    if (to === undefined) throw usageError('--to is missing: it takes the address that the link leads to.')
    const { withBox } = await import('../with-box.ts')
    const { clickLinks, linkHost } = await import('./click-links.ts')
    const result = await withBox(session, async (box, config) => {
      const account = await accountNamed(box.accounts, args.account)
      const host = linkHost(account, domain, URL.parse(to)?.hostname)
      const links = await clickLinks({ account, host, box, config, email, message, sentAt: session.clock.now() })
      if (!links.allows(to)) throw refusedDestination(to, host, links.previewHost)
      if (showsAddress(to)) throw readableAddress()
      const url = links.to(to)
      if (url === null)
        throw new OperatorError('The link would be longer than 2,000 characters: shorten its destination.')
      return { account: account.handle, url, destination: new URL(to).href, domain: host }
    })
    await session.out.write(json ? toJson(result) : `${result.url}\n`)
    return 0
  },
})

const readableAddress = (): OperatorError =>
  new OperatorError(
    'The destination holds an e-mail address, which could be read out of the link. Leave it out of --to: name the recipient with --email, of which only an opaque id stands in the link.',
  )

const refusedDestination = (to: string, host: string, previewHost: string): OperatorError =>
  new OperatorError(
    `A click link on ${host} would refuse to lead to ${to}: it leads to http or https addresses on ${host} or ${previewHost} alone, without user name and password.`,
  )
