import { base32Bytes, totpCode } from '../../src/console/sign-in/totp.ts'
import { newShortId } from '../../src/lib/id.ts'
import type { Box } from './box.ts'

/** A page of the console as a browser got it. */
export interface ConsoleAnswer {
  status: number
  text: string
  headers: Headers
}

export const password = 'correct horse battery staple'

/** A browser at the console's own address, which keeps its cookies. */
export class ConsoleVisitor {
  /** Of the session. */
  cookie = ''
  /** Those that outlive sessions, by name. */
  lastingCookies = new Map<string, string>()
  /** The code that proved the app when an invitation was accepted. */
  acceptedWith = ''
  /** Of the authenticator app. */
  private totp: Uint8Array = new Uint8Array()

  constructor(private readonly box: Pick<Box, 'consolePort'>) {}

  /** @param headers sent beside those of a browser on the console's own pages */
  send(
    method: string,
    path: string,
    fields: Record<string, string> | null = null,
    headers: Record<string, string> = {},
  ): Promise<ConsoleAnswer> {
    return this.request(method, path, { body: fields === null ? null : new URLSearchParams(fields), headers })
  }

  /** Calls the API with a body. */
  sendJson(method: string, path: string, body: object): Promise<ConsoleAnswer> {
    return this.request(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
  }

  private async request(
    method: string,
    path: string,
    { body, headers }: { body: URLSearchParams | string | null; headers: Record<string, string> },
  ): Promise<ConsoleAnswer> {
    const response = await fetch(`http://127.0.0.1:${this.box.consolePort}${path}`, {
      method,
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: this.cookies(), ...headers },
      body,
      redirect: 'manual',
    })
    this.keep(response.headers.getSetCookie())
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  private cookies(): string {
    return [this.cookie, ...this.lastingCookies.values()].filter((cookie) => cookie !== '').join('; ')
  }

  private keep(set: readonly string[]): void {
    for (const [cookie = ''] of set.map((line) => line.split(';'))) {
      const [name = '', value] = cookie.split('=')
      if (name.startsWith('console-')) this.cookie = value === '' ? '' : cookie
      else this.lastingCookies.set(name, value === '' ? '' : cookie)
    }
  }

  /** Sends a form with files. */
  async sendForm(path: string, form: FormData): Promise<ConsoleAnswer> {
    const response = await fetch(`http://127.0.0.1:${this.box.consolePort}${path}`, {
      method: 'POST',
      headers: { host: 'localhost', 'sec-fetch-site': 'same-origin', cookie: this.cookie },
      body: form,
      redirect: 'manual',
    })
    return { status: response.status, text: await response.text(), headers: response.headers }
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ConsoleAnswer> {
    return this.send('GET', path, null, headers)
  }

  /** Accepts an invitation, which signs in. */
  async accept(link: string): Promise<ConsoleAnswer> {
    const path = new URL(link).pathname
    const page = await this.get(path)
    const [, key = ''] = /name="totp" value="([A-Z2-7]+)"/.exec(page.text) ?? []
    this.totp = base32Bytes(key) ?? new Uint8Array()
    this.acceptedWith = this.code()
    return this.send('POST', path, { totp: key, password, again: password, code: this.acceptedWith })
  }

  /** Moves to another authenticator app. */
  async changeApp(): Promise<ConsoleAnswer> {
    const [, key = ''] = /name="totp" value="([A-Z2-7]+)"/.exec((await this.get('/me/app')).text) ?? []
    this.totp = base32Bytes(key) ?? new Uint8Array()
    return this.send('POST', '/me/app', { totp: key, code: this.code() })
  }

  /** The code that the app shows now; `ahead`: of so many steps later, as each is good once. */
  code(ahead = 0): string {
    return totpCode(this.totp, Math.floor(Date.now() / 30_000) + ahead)
  }

  /** Invites somebody from the command line. */
  static async invite(box: Box, argv: string[]): Promise<string> {
    const { stdout, stderr, status } = await box.run(['user', 'invite', ...argv, '--json'])
    if (status !== 0) throw new Error(`user invite failed: ${stderr}`)
    return (JSON.parse(stdout) as { link: string }).link
  }

  /** An owner who has signed in. */
  static async owner(box: Box): Promise<ConsoleVisitor> {
    const visitor = new ConsoleVisitor(box)
    await visitor.accept(await ConsoleVisitor.invite(box, [`owner-${newShortId()}@agency.example`, '--owner']))
    return visitor
  }
}
