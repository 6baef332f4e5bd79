import { resolve } from 'node:path'
import { plural } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const linkRewrite = defineCommand({
  name: 'link rewrite',
  summary: 'Prints the HTML of an email with its links rewritten to click links',
  details: `Links that a click link may not lead to (other hosts, mailto:, unsubscribe links, …) stay as they are; every one of
them is listed on stderr with the reason.
  capture link rewrite acme news.html --message 2026-11-news > news-tracked.html
--json prints { "account", "domain", "signed", "left": [{ "href", "why" }], "html" }.`,
  args: { account: { summary: "the account's handle" }, file: { summary: "the email's HTML" } },
  options: {
    email: { value: 'E', summary: "the recipient's e-mail address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: "the connected domain that the links are on (default: the account's first)" },
  },
  async run({ args, options }, session) {
    const { mailFrom } = await import('./mail-options.ts')
    const mail = mailFrom(args.account, options)
    const { readMail } = await import('./mail-file.ts')
    // Read the file before opening the box, as root: the data folder's owner may not have access to it.
    const html = await readMail(resolve(session.cwd, args.file))
    const { rewriteMail } = await import('../../operations/link/rewrite-mail.ts')
    const result = await session.withBox((box) => rewriteMail(box, { ...mail, html }))
    const { left, signed } = result
    const counted = `${plural(signed, 'click link')} signed, ${plural(left.length, 'link')} left as they were.`
    return {
      json: result,
      text: () => result.html,
      notes: [...left.map(({ href, why }) => `left: ${href}: ${why}`), counted],
    }
  },
})
