import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import { plural } from '../../lib/quantities.ts'
import type { AnswerOf } from '../../operations/act.ts'
import type { LinkedMail, rejudgeClicks, TypedMail } from '../../operations/link/click-links.ts'
import type { LinkWarning } from '../../operations/link/dead-destination.ts'
import { type CommandResult, defineCommand, usageError } from '../command.ts'
import type { Style } from '../output/style.ts'
import { tableText } from '../output/table.ts'

const strict = { summary: 'print nothing and end with 1 if there are warnings' }

export const linkSign = defineCommand({
  name: 'link sign',
  summary: 'Prints a click link: a signed address that records the click and leads on',
  details: `A click link leads to its own host or to the preview host alone, whatever the port. Without --domain it is on the
destination's host, if that is a connected domain of the account, else on the account's first.
--email ties the link to a person: it contains an opaque id, never the address. --message is readable in the link.
It warns of a destination on a domain of the account that is neither live nor redirected.
  capture link sign acme --to https://go.acme.example/launch --message 2026-11-news --email ada@acme.example
--json prints { "account", "url", "destination", "domain", "warnings": [{ "kind": "dead_destination", "file": null, "line": null,
"message" }] }.`,
  args: { account: { summary: "the account's handle" } },
  options: {
    to: { value: 'URL', summary: 'where the link leads (required)' },
    email: { value: 'E', summary: "the recipient's email address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: 'the connected domain that the link is on' },
    strict,
  },
  async run({ args, options }, session) {
    const { to: destination } = options
    if (destination === undefined) throw usageError('--to is missing: it takes the address that the link leads to.')
    const mail = await mailFrom(args.account, options)
    const { signLink } = await import('../../operations/link/click-links.ts')
    const result = await session.withBox((box) => signLink(box, { ...mail, destination }))
    return judged({ json: result, text: result.url }, result.warnings, options)
  },
})

export const linkRewrite = defineCommand({
  name: 'link rewrite',
  summary: 'Prints the HTML of an email with its links rewritten to click links',
  details: `Links that a click link may not lead to (other hosts, mailto:, unsubscribe links, …) stay as they are; every one of
them is listed on stderr with the reason. It warns of destinations on domains of the account that are neither live nor redirected.
  capture link rewrite acme news.html --message 2026-11-news > news-tracked.html
--json prints { "account", "domain", "signed", "left": [{ "href", "why" }], "warnings": [{ "kind": "dead_destination", "file",
"line", "message" }], "html" }.`,
  args: { account: { summary: "the account's handle" }, file: { summary: "the email's HTML" } },
  options: {
    email: { value: 'E', summary: "the recipient's email address" },
    message: { value: 'ID', summary: 'your id of the mail' },
    domain: { value: 'HOST', summary: "the connected domain that the links are on (default: the account's first)" },
    strict,
  },
  async run({ args, options }, session) {
    const mail = await mailFrom(args.account, options)
    // Read the file before opening the box, as root: the data folder's owner may not have access to it.
    const html = await readMail(resolve(session.cwd, args.file))
    const { rewriteMail } = await import('../../operations/link/click-links.ts')
    const result = await session.withBox((box) => rewriteMail(box, { ...mail, html, file: args.file }))
    const { left, signed } = result
    const counted = `${plural(signed, 'click link')} signed, ${plural(left.length, 'link')} left as they were.`
    const notes = [...left.map(({ href, why }) => `left: ${href}: ${why}`), counted]
    return judged({ json: result, text: () => result.html, notes }, result.warnings, options)
  },
})

/** The result behind its warnings. With `--strict` they are all there is. */
function judged(
  { notes = [], ...result }: CommandResult,
  warnings: readonly LinkWarning[],
  { strict }: { strict: boolean },
): CommandResult {
  const lines = warnings.map(
    ({ file, line, message }) => `warning: ${file === null ? '' : `${file}:${line}: `}${message}`,
  )
  if (!strict || lines.length === 0) return { ...result, notes: [...lines, ...notes] }
  return { text: [], notes: [...lines, 'Nothing is printed because of --strict.'], exitStatus: 1 }
}

/** The mail described by the options of `link sign` and `link rewrite`. @throws a usage error for invalid values */
async function mailFrom(account: string, options: Omit<TypedMail, 'account'>): Promise<LinkedMail> {
  const { typedMail } = await import('../../operations/link/click-links.ts')
  return typedMail({ account, ...options }, (part, expected, typed) =>
    usageError(`--${part} takes ${expected}, not "${typed}".`),
  )
}

/** Mail programs truncate far smaller mails. */
const mailBytesMax = 10 * 1024 * 1024

/** The HTML of a mail. */
async function readMail(file: string): Promise<string> {
  const bytes = await readWithin(file).catch((error: Error) => refuse(file, error.message))
  if (bytes === null) return refuse(file, `it has more than ${mailBytesMax} bytes`)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return refuse(file, 'it is not UTF-8 text')
  }
}

async function readWithin(file: string): Promise<Uint8Array | null> {
  const handle = await open(file, 'r')
  try {
    const { size } = await handle.stat()
    return size > mailBytesMax ? null : await handle.readFile()
  } finally {
    await handle.close()
  }
}

function refuse(file: string, reason: string): never {
  throw new OperatorError(`The email ${file} cannot be read: ${reason}. Name an HTML file in UTF-8.`)
}

export const clicksRejudge = defineCommand({
  name: 'clicks rejudge',
  summary: "Applies today's verdict rules to stored clicks",
  details: `Run it after an upgrade; new clicks are judged by the new rules anyway. Reports follow. No click is lost, and each
record keeps the verdict at its capture. A second run changes nothing.
--json prints { "account", "clicks", "changed": [{ "from", "to", "clicks" }] }.`,
  args: { account: { summary: "the account's handle" } },
  async run({ args }, session) {
    const { rejudgeClicks } = await import('../../operations/link/click-links.ts')
    const { answer } = await session.act(rejudgeClicks, args)
    return { json: answer, text: ({ style }) => asText(answer, style) }
  },
})

function asText({ account, clicks, changed }: AnswerOf<typeof rejudgeClicks>, style: Style): string {
  const judged = `Judged ${plural(clicks, 'click')} of ${account} by today's rules.\n`
  const table = tableText(
    {
      headers: ['Verdict', 'Today', 'Clicks'],
      rows: changed.map(({ from, to, clicks }) => [from, to, clicks]),
      empty: 'No verdict changed.',
    },
    style,
  )
  return `${judged}${table}`
}
