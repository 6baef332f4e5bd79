import { cookieHeaderOf, deviceOf, setCookieOf } from '../../harness/cookies.ts'
import type { Answer, Sent } from '../../harness/http.ts'
import type { HeldBox } from '../box/held-box.ts'
import { type TrueSite, trackingKey } from './true-site.ts'
import type { VisitorTraits } from './visitor-traits.ts'

export type Headers = Record<string, string>

/** From where something is posted. `origin`: `null`, by no page at all. */
export interface Posting {
  origin: string | null
  /** Whether the browser lets the cookie of the connected domain come along. */
  sendsCookie: boolean
}

/** A program's requests to one account, with its cookie jar. */
export class Caller {
  cookie: string | null = null

  constructor(
    private readonly box: Pick<HeldBox, 'send'>,
    private readonly site: TrueSite,
    private readonly traits: VisitorTraits,
  ) {}

  /** The device that the jar names. */
  get device(): string | null {
    return this.cookie === null ? null : deviceOf(this.cookie)
  }

  /** Opens an address of the connected domain. */
  open(path: string, { method = 'GET', headers = {} }: { method?: string; headers?: Headers } = {}): Promise<Answer> {
    return this.send({ method, host: this.site.host, path, headers: { ...this.headers(true), ...headers }, body: null })
  }

  /** Posts JSON as a script or server does, with the account's key and the visitor's consent. */
  post(path: string, body: object, { origin, sendsCookie }: Posting, headers: Headers = {}): Promise<Answer> {
    const posted = {
      ...this.headers(sendsCookie),
      ...(origin === null ? {} : { origin }),
      'content-type': 'application/json',
      'x-svc-site-key': trackingKey(this.site.account),
      'x-svc-consent': 'granted',
      ...headers,
    }
    return this.send({ method: 'POST', host: this.site.host, path, headers: posted, body: JSON.stringify(body) })
  }

  send(sent: Sent): Promise<Answer> {
    return this.box.send(sent)
  }

  /** The device that the answer is about; the jar keeps a cookie that comes with it, where it may. */
  deviceOf(answer: Answer, isKept = true): string {
    if (setCookieOf(answer) === null) return this.device ?? fail(answer)
    const cookie = cookieHeaderOf(answer)
    if (isKept && this.traits.keepsCookies) this.cookie = cookie
    return deviceOf(cookie)
  }

  private headers(sendsCookie: boolean): Headers {
    const { userAgent, saysLanguage, address } = this.traits
    return {
      // An empty one is what the runtime sends when it is told of none.
      'user-agent': userAgent ?? '',
      'x-forwarded-for': address,
      'x-forwarded-proto': 'https',
      accept: '*/*',
      ...(saysLanguage ? { 'accept-language': 'en' } : {}),
      ...(sendsCookie && this.cookie !== null ? { cookie: this.cookie } : {}),
    }
  }
}

/** @throws with the answer, when its status is none of these */
export function expectStatus(answer: Answer, ...statuses: number[]): void {
  if (!statuses.includes(answer.status)) throw new Error(`unexpected answer ${answer.status}: ${answer.text}`)
}

function fail({ status, text }: Answer): never {
  throw new Error(`no device: the answer sets no cookie, and none was sent (${status} ${text})`)
}
