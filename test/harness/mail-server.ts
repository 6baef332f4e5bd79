import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { PairText } from '../../src/https/certificate-pair.ts'
import { eventually } from './eventually.ts'

/** A message as the server received it. */
export interface ReceivedMail {
  from: string
  to: string[]
  /** As it came over the wire, without the final dot. */
  raw: string
  /** Who logged in; `null`: nobody. */
  user: string | null
  encrypted: boolean
}

export interface MailServerOptions {
  /** Absent: no encryption is offered. */
  pair?: PairText
  /** From the first byte on. */
  secure?: boolean
  /** Absent: nobody has to log in. */
  login?: { user: string; password: string }
  /** Answers a recipient with this code instead of taking it. */
  refuse?: (recipient: string) => number | null
  refuseSender?: (sender: string) => number | null
  /** Answers the message itself with this code instead of taking it. */
  refuseMessage?: () => number | null
  /** Once a message is there, before the server says so. */
  beforeTaken?: () => Promise<void>
}

/** A real SMTP server that keeps what it gets. */
export class TestMailServer implements AsyncDisposable {
  readonly received: ReceivedMail[] = []

  private constructor(
    private readonly server: SMTPServer,
    readonly port: number,
  ) {}

  static async start(options: MailServerOptions = {}): Promise<TestMailServer> {
    const received: ReceivedMail[] = []
    const server = new SMTPServer(serverOptions(options, received))
    // What a client does to its connection is the client's affair.
    server.on('error', () => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', resolve)
    await promise
    const address = server.server.address()
    if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
    const started = new TestMailServer(server, address.port)
    Object.assign(started, { received })
    return started
  }

  /** The mails, once there are so many. */
  async mails(count: number): Promise<ReceivedMail[]> {
    await eventually(`${count} mails arrive`, async () => this.received.length >= count)
    return this.received
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.server.close(() => resolve())
    await promise
  }
}

function serverOptions(options: MailServerOptions, received: ReceivedMail[]): SMTPServerOptions {
  const { pair, secure = false, login, refuse, refuseSender, refuseMessage, beforeTaken } = options
  return {
    secure,
    ...(pair === undefined ? {} : { key: pair.key, cert: pair.certificate }),
    disabledCommands: [...(pair === undefined ? ['STARTTLS'] : []), ...(login === undefined ? ['AUTH'] : [])],
    authOptional: login === undefined,
    allowInsecureAuth: pair === undefined,
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ username, password }, _session, done) {
      if (username === login?.user && password === login?.password) done(null, { user: username })
      else done(coded(535))
    },
    onMailFrom: ({ address }, _session, done) => done(problem(refuseSender?.(address))),
    onRcptTo: ({ address }, _session, done) => done(problem(refuse?.(address))),
    onData(stream, { envelope, user, secure: encrypted }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const code = refuseMessage?.() ?? null
        if (code !== null) return done(coded(code))
        received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString('latin1'),
          user: user ?? null,
          encrypted,
        })
        void (beforeTaken?.() ?? Promise.resolve()).then(() => done(null))
      })
    },
  }
}

const problem = (code: number | null | undefined): Error | null => (typeof code === 'number' ? coded(code) : null)

const coded = (responseCode: number): Error => Object.assign(new Error('so says the test'), { responseCode })
