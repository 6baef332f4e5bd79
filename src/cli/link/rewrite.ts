import { resolve } from 'node:path'
import { plural } from '../../lib/quantities.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'
import { printable } from '../output/printable.ts'

export const linkRewrite = defineCommand({
  name: 'link rewrite',
  summary: 'Prints the HTML of an email with its links rewritten to click links',
  details: `Links that a click link may not lead to (other hosts, mailto:, unsubscribe links, …) stay as they are; every one of
them is listed on stderr with the reason.
  capture link rewrite acme news.html --message 2026-11-news > news-tracked.html
--json prints { "account", "domain", "left": [{ "href", "why" }], "html" }.`,
  args: { account: { summary: "the account's handle" }, file: { summary: "the email's HTML" } },
  options: {
    email: { value: 'E', summary: "the recipient's e-mail address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: "the connected domain that the links are on (default: the account's first)" },
  },
  printsResult: true,
  async run({ args, options, json }, session) {
    const { email, message, domain } = options
    const { readMail } = await import('./mail-file.ts')
    // Before the box is opened: root may have to read what the data folder's owner may not.
    const mail = await readMail(resolve(session.cwd, args.file))
    const { withBox } = await import('../with-box.ts')
    const { clickLinks, linkHost } = await import('./click-links.ts')
    const { rewriteLinks } = await import('../../capture/link-rewrite.ts')
    const result = await withBox(session, async (box, config) => {
      const account = await accountNamed(box.accounts, args.account)
      const host = linkHost(account, domain)
      const links = await clickLinks({ account, host, box, config, email, message, sentAt: session.clock.now() })
      let signed = 0
      const clickLink = (destination: string): string | null => {
        const link = links.to(destination)
        if (link !== null) signed++
        return link
      }
      const { html, left } = rewriteLinks(mail, { servedHost: host, previewHost: links.previewHost, clickLink })
      return { account: account.handle, domain: host, signed, left, html }
    })
    const { signed, ...printed } = result
    await session.out.write(json ? toJson(printed) : printed.html)
    for (const { href, why } of result.left) session.err.write(printable(`left: ${href}: ${why}`) + '\n')
    session.err.write(
      `${plural(signed, 'click link')} signed, ${plural(result.left.length, 'link')} left as they were.\n`,
    )
    return 0
  },
})
