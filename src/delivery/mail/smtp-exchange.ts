import { boundedExchange } from '../attempt.ts'
import type { MailLogin } from './mail-server.ts'

/** One step of the dialogue, as nodemailer logs it. `tnx` names the side that spoke. */
interface Step {
  tnx?: string
  remoteAddress?: string
  remotePort?: number
}

/** A line of the dialogue longer than this is cut: RFC 5321 section 4.5.3.1.5 allows a reply 512 bytes. */
const lineCharactersMax = 1000
const hidden = '…'

/**
 * The SMTP dialogue as it happens, for people: `<` marks the server's words, `>` the box's, `*` a note. Whatever
 * authenticates the box is left out: everything sent after AUTH, challenges, and the password wherever a server repeats
 * it.
 */
export class SmtpExchange {
  private readonly lines: string[] = []
  private isLoggingIn = false
  /** The server asked for the message: from now on it may have it, whatever it says. */
  hasMessageBegun = false

  private readonly secrets: readonly string[]

  constructor(login: MailLogin | null) {
    this.secrets = login === null ? [] : secretsOf(login)
  }

  /** The logger that nodemailer gets. */
  get logger() {
    const note = (step: Step, text: string) => this.note(step, text)
    const ignore = () => undefined
    return { trace: ignore, debug: note, info: note, warn: ignore, error: ignore, fatal: ignore }
  }

  loggingIn(isLoggingIn: boolean): void {
    this.isLoggingIn = isLoggingIn
  }

  remark(text: string): void {
    this.add('*', text)
  }

  get text(): string {
    return boundedExchange(this.lines.join('\n'))
  }

  /** The text without the password, plain or encoded as for AUTH. */
  redacted(text: string): string {
    return this.secrets.reduce((shown, secret) => shown.replaceAll(secret, hidden), text)
  }

  private note(step: Step, text: string): void {
    if (step.tnx === 'client') this.add('>', this.isLoggingIn ? withoutProof(text) : text)
    else if (step.tnx === 'server') this.heard(text)
    else if (step.tnx === 'network' && step.remoteAddress !== undefined)
      this.remark(`Connected to ${step.remoteAddress}, port ${step.remotePort}`)
  }

  private heard(text: string): void {
    if (text.startsWith('354')) this.hasMessageBegun = true
    this.add('<', this.isLoggingIn ? text.replace(/^334[ -].*/s, `334 ${hidden}`) : text)
  }

  private add(mark: string, text: string): void {
    for (const line of this.redacted(text).split(/\r?\n/))
      this.lines.push(`${mark} ${line.slice(0, lineCharactersMax)}`)
  }
}

/** As AUTH PLAIN and AUTH LOGIN send it (RFC 4616), the longest first. */
const secretsOf = ({ user, password }: MailLogin): string[] => [
  inBase64(`\0${user}\0${password}`),
  inBase64(password),
  password,
]

const inBase64 = (text: string): string => Buffer.from(text).toString('base64')

/** `AUTH PLAIN AGJveAB…` → `AUTH PLAIN …`; continuation lines of a login contain nothing else. */
function withoutProof(line: string): string {
  const [, mechanism, proof] = /^(AUTH [A-Z0-9_-]+)( .*)?$/.exec(line) ?? []
  if (mechanism === undefined) return hidden
  return proof === undefined ? mechanism : `${mechanism} ${hidden}`
}
