import type { Answer } from '../../harness/http.ts'
import { type Arrival, byItself } from './arrival.ts'
import { Caller, expectStatus, type Headers, type Posting } from './caller.ts'
import type { Clicked, Happening, Refused, Submitted } from './happening.ts'
import { asNoted, asSent, type Told, type ToldWhere, toldAt, toldNowhere } from './told.ts'
import type { TrueSite } from './true-site.ts'
import type { VisitorTraits } from './visitor-traits.ts'
import type { World } from './world.ts'

/** What somebody sends by a form. */
export interface Sending {
  form: string
  fields: Record<string, string>
  /** When they sent the same, within minutes, epoch milliseconds. */
  repeats?: number | null
  isRefused?: boolean
}

export type ClickOutcome = Pick<Clicked, 'message' | 'verdict' | 'verdictAlive' | 'from'>

type Untold<Kind> = Kind extends unknown ? Omit<Kind, 'account' | 'at'> : never

/** A program on a device that visits an account, and writes down what it did. */
export class Visitor {
  readonly caller: Caller
  private page: string | null = null

  constructor(
    private readonly world: World,
    readonly site: TrueSite,
    readonly traits: VisitorTraits,
  ) {
    this.caller = new Caller(world.box, site, traits)
  }

  get now(): number {
    return this.world.box.clock.now
  }

  /** Opens a landing page. */
  async view(slug: string, { query, referer, from }: Arrival = byItself, headers: Headers = {}): Promise<void> {
    const referring: Headers = referer === null ? {} : { referer }
    const answer = await this.caller.open(addressed(`/${slug}`, query), { headers: { ...referring, ...headers } })
    expectStatus(answer, 200, 304)
    const device = this.caller.deviceOf(answer)
    this.page = slug
    this.note({ kind: 'view', device, edge: true, slug, path: `/${slug}`, isBot: this.traits.isBot, from })
  }

  /** A landing page's script tells what happens there; it is on the connected domain itself. */
  async tellOnPage(slug: string, { query, from }: Arrival, told: Told[]): Promise<void> {
    const origin = `https://${this.site.host}`
    const where = toldAt(addressed(`${origin}/${slug}`, query), { says: query === '' ? null : from })
    await this.tell(told, where, { origin, sendsCookie: true })
  }

  /** The script on the account's website tells; its cookie comes along only where the domains are related. */
  async tellOnWebsite(path: string, { query, referer, from }: Arrival, told: Told[]): Promise<void> {
    const { origin, isThirdParty } = this.site
    const says = query === '' ? null : from
    const where = toldAt(addressed(origin + path, query), { says, viewFrom: from, referrer: referer })
    await this.tell(told, where, { origin, sendsCookie: !isThirdParty })
  }

  /** A server tells, which has no page. */
  async tellFromServer(told: Told[]): Promise<void> {
    await this.tell(told, toldNowhere, { origin: null, sendsCookie: false })
  }

  async submit(
    { form, fields, repeats = null, isRefused = false }: Sending,
    from: 'page' | 'website' | 'server' = 'page',
  ): Promise<Submitted> {
    const { host, origin, isThirdParty } = this.site
    const sendsCookie = from === 'page' || (from === 'website' && !isThirdParty)
    const posting = { origin: { page: `https://${host}`, website: origin, server: null }[from], sendsCookie }
    expectStatus(await this.caller.post(`/_svc/f/${form}`, fields, posting), isRefused ? 403 : 200)
    const device = sendsCookie ? this.caller.device : null
    const email = fields.email?.toLowerCase() ?? null
    const page = device === null ? null : this.page
    const submitted: Submitted = {
      ...{ kind: 'submission', account: this.site.account, at: this.now, releasedAt: null },
      ...{ form, device, email, repeats, isRefused, page },
    }
    this.world.diary.push(submitted)
    if (isRefused) this.note({ kind: 'refusal', endpoint: 'form', check: 'honeypot' })
    return submitted
  }

  /** Follows a tracked link as far as its answer; answers where that leads. */
  async click(path: string, outcome: ClickOutcome, sent: { method?: string; headers?: Headers } = {}): Promise<URL> {
    const answer = await this.caller.open(path, sent)
    expectStatus(answer, 302)
    this.note({ kind: 'click', device: this.caller.deviceOf(answer), ...outcome })
    return new URL(answer.headers.get('location') ?? '')
  }

  /** Asks for something that leaves no trace. */
  async passBy(path: string, status: number, sent: { method?: string; headers?: Headers } = {}): Promise<void> {
    expectStatus(await this.caller.open(path, sent), status)
  }

  /** Sends what is refused. */
  async fail({ endpoint, check }: Pick<Refused, 'endpoint' | 'check'>, sent: Promise<Answer>): Promise<void> {
    expectStatus(await sent, 400, 403, 404)
    this.note({ kind: 'refusal', endpoint, check })
  }

  private async tell(told: Told[], where: ToldWhere, posting: Posting): Promise<void> {
    const events = told.map((one) => asSent(one, where))
    const answer = await this.caller.post('/_svc/e', { events }, posting)
    expectStatus(answer, 202)
    const device = this.caller.deviceOf(answer, posting.sendsCookie)
    for (const one of told) this.note({ ...asNoted(one, where, this.traits.isBot), device })
  }

  private note(happened: Untold<Happening>): void {
    this.world.diary.push({ account: this.site.account, at: this.now, ...happened })
  }
}

const addressed = (path: string, query: string): string => (query === '' ? path : `${path}?${query}`)
