import { expect } from 'bun:test'
import { aForm, aSite } from '../../harness/a-site.ts'
import { eventRequest, formRequest } from '../../harness/capture-requests.ts'
import type { Sent } from '../../harness/http.ts'
import { BinaryBox } from './binary-box.ts'
import type { RunningServer } from './program.ts'
import { getRequest, trackedLink } from './requests.ts'

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
export const livelySite = aSite({
  forms: [aForm({ honeypot: 'website' })],
  files: { 'pages/launch.html': 'Hello', 'pages/pricing.html': 'Prices' },
  timezone: 'Asia/Tokyo',
})
export const emailOf = (name: string): string => `${name}@customer.example`

/** One browser, which keeps its cookie. */
class Visitor {
  private cookie: string | null = null

  constructor(private readonly server: RunningServer) {}

  private async send(sent: Sent): Promise<number> {
    const headers = { ...sent.headers, 'user-agent': browser, ...(this.cookie === null ? {} : { cookie: this.cookie }) }
    const answer = await this.server.send({ ...sent, headers })
    this.cookie ??= answer.headers.getSetCookie()[0]?.split(';')[0] ?? null
    return answer.status
  }

  view = (page: string, query = '') => this.send(getRequest(`/${page}${query}`))
  click = (link: Sent) => this.send(link)
  event = (events: object[]) => this.send(eventRequest({ events }))
  identify = (name: string) => this.event([{ event: '$identify', traits: { email: emailOf(name), plan: name.length } }])
  form = (fields: object) => this.send(formRequest({ fields: { ...fields } }))
}

/** A visitor comes from somewhere, looks around, and says who they are in one way or another. */
async function visitAs(server: RunningServer, name: string, { link, number }: { link: Sent; number: number }) {
  const visitor = new Visitor(server)
  await visitor.view('launch', number % 2 === 0 ? `?utm_source=paper-${number}&utm_medium=print` : '')
  await visitor.event([{ event: 'plan_chosen', properties: { number } }, { event: '$pageview' }])
  if (number % 3 === 0) await visitor.click(link)
  if (number % 4 === 1) await visitor.identify(name)
  const fields = { email: emailOf(name), message: `Hello from ${name}, ${number}` }
  await visitor.form(fields)
  // Most likely a duplicate, and one that a program sent.
  if (number % 2 === 1) await visitor.form(fields)
  if (number % 3 === 1) await visitor.form({ ...fields, message: `Cheap ${number}`, website: 'https://spam.example' })
  await visitor.view('pricing')
  // The same browser in somebody else's hands.
  if (number % 5 === 2) await visitor.form({ email: emailOf('guest'), message: `On the laptop of ${name}` })
}

const people = ['ada', 'ben', 'cleo', 'dora', 'eve', 'finn']

export async function visits(box: BinaryBox, server: RunningServer, from: number): Promise<void> {
  const link = await trackedLink(box)
  for (const [index, name] of people.entries()) await visitAs(server, name, { link, number: from + index })
}

async function releaseOne(box: BinaryBox): Promise<void> {
  const [first = ''] = (await box.done(['export', 'acme', 'submissions', '--refused'])).split('\n')
  await box.done(['submission', 'release', 'acme', JSON.parse(first).submissionId])
}

const erase = (box: BinaryBox, name: string) => box.done(['person', 'erase', 'acme', emailOf(name), '--yes'])

/** A box in which everything has happened, before, between and after decisions, with a server and without. */
export async function livelyBox(): Promise<BinaryBox> {
  const box = await BinaryBox.make()
  await box.apply(livelySite)
  await using server = await box.serve()
  await visits(box, server, 0)
  await releaseOne(box)
  await erase(box, 'cleo')
  await visits(box, server, 7)
  await releaseOne(box)
  expect(await server.stop()).toEqual({ status: 0, signal: null })
  await releaseOne(box)
  await erase(box, 'finn')
  return box
}

const told = [
  ['export', 'acme', 'submissions', '--all'],
  ['export', 'acme', 'events'],
  ['export', 'acme', 'persons'],
  ['submission', 'list', 'acme', '--json'],
  ['submission', 'list', 'acme', '--refused', '--json'],
  ['person', 'show', 'acme', emailOf('cleo'), '--json'],
  ['person', 'show', 'acme', emailOf('guest'), '--json'],
]
const report = ['report', 'acme', '--since', '30d', '--json']

/** Everything that commands print of the account, once all is processed: on a busy machine that takes several commands. */
export async function everything(box: BinaryBox): Promise<Record<string, string>> {
  const printed: Record<string, string> = {}
  do printed[report.join(' ')] = await box.done(report)
  while (JSON.parse(printed[report.join(' ')] ?? '').waiting > 0)
  for (const argv of told) printed[argv.join(' ')] = await box.done(argv)
  return printed
}
