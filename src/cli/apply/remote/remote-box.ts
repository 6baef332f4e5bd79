import { OperatorError } from '../../../lib/operator-error.ts'
import type { Harm } from '../../../site/harm.ts'
import { type SiteFault, SiteFaults } from '../../../site/site-faults.ts'
import { programVersion } from '../../version.ts'

/** A call of the API that was answered. */
export interface RemoteAnswer {
  status: number
  value: unknown
}

interface ErrorBody {
  error?: { receivers?: unknown[]; code?: string; message?: string; faults?: SiteFault[]; harm?: Harm[] }
}

interface RemoteBody {
  type: string
  body: string | ReadableStream
  /** For a call that may be made again. */
  idempotencyKey?: string
}

/** The box did not answer, or not yet: the same call may succeed in a moment. */
export class NoAnswerYet extends OperatorError {}

/** The call arrived before, and the box is still at it: only its connection broke. */
export class StillUnderWay extends NoAnswerYet {}

/** The box would do harm that nobody has consented to, and has changed nothing. */
export class HarmThere extends OperatorError {
  constructor(
    message: string,
    readonly harm: Harm[],
  ) {
    super(message, 3)
  }
}

/** Answers of a box, or of a proxy before it, that is starting or busy. */
const notYet = new Set([502, 503, 504])

/** The API of another box. */
export class RemoteBox {
  /** Whether the cluster of the box lacks what the last call changed (docs/cluster.md). */
  isBehind = false

  /** @param dir the folder as it was named, for messages */
  constructor(
    private readonly api: string,
    private readonly token: string,
    private readonly dir: string,
  ) {}

  /** Answers 200 and 404; everything else is an error. @throws OperatorError that says what to do */
  async post(path: string, sent: RemoteBody): Promise<RemoteAnswer> {
    const response = await this.send(path, sent)
    const value: unknown = await this.valueOf(response)
    this.isBehind = response.headers.get('x-capture-cluster') === 'behind'
    if (response.status === 200 || response.status === 404) return { status: response.status, value }
    throw this.failure(response, value as ErrorBody | null)
  }

  private async valueOf(response: Response): Promise<unknown> {
    const text = await response.text().catch((error: Error) => Promise.reject(this.broken(error)))
    try {
      return JSON.parse(text)
    } catch {
      return null
    }
  }

  private async send(path: string, { type, body, idempotencyKey }: RemoteBody): Promise<Response> {
    try {
      return await fetch(this.api + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': type,
          'user-agent': `capture/${programVersion}`,
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body,
        // The token goes nowhere but where it was meant for.
        redirect: 'manual',
      })
    } catch (error) {
      throw this.broken(error as Error)
    }
  }

  private broken({ code, message }: Error & { code?: string }): NoAnswerYet {
    return new NoAnswerYet(
      `${new URL(this.api).origin} cannot be reached, or the connection broke (${code ?? message}). Run the command again within an hour: it sends only what has not arrived. The folder is published whole or not at all.`,
    )
  }

  private failure({ status, headers }: Response, body: ErrorBody | null): OperatorError {
    const where = new URL(this.api).origin
    const faults = body?.error?.faults
    if (faults !== undefined) return new SiteFaults(this.dir, faults)
    const harm = body?.error?.harm
    if (harm !== undefined) return new HarmThere(`${where} would do harm.`, harm)
    if (body?.error?.code === 'done_before')
      return new OperatorError(
        `The folder was published on ${where}, but the connection broke before the answer came, which was too large to be kept. Run the command again: it shows whether anything is left to change.`,
      )
    if (status === 401)
      return new OperatorError(
        `${where} does not know this token: it is wrong, expired or revoked. \`capture token create\` makes one on the box.`,
      )
    const message = body?.error?.message
    if (body?.error?.receivers !== undefined && message !== undefined) return new OperatorError(message)
    if (status === 403)
      return new OperatorError(
        `This token may not publish there. It needs the scope "publish" for the account; a new account needs a token of the box (capture token create --box).`,
      )
    if (status === 429)
      return new OperatorError(`${where} has had too many calls. Try again in ${headers.get('retry-after') ?? '60'} s.`)
    const text =
      message === undefined
        ? `${where} answered ${status}, which is not an answer of Capture's API. Check that it is the address of the console.`
        : `${where} answered: ${message}`
    // With Retry-After: the first of two equal calls is still under way.
    if (status === 409 && headers.has('retry-after'))
      return new StillUnderWay(
        `${where} is still applying the folder. Wait until it has ended, then run the command again: it shows whether anything is left to change.`,
      )
    return notYet.has(status) ? new NoAnswerYet(text) : new OperatorError(text)
  }
}

/** After so many tries in a row without any progress the connection is given up. */
const triesMax = 5
const pauseMsMin = 1000
/** A box that is still at the first call is asked again for an hour, in pauses of 5 s. */
const asksMax = 720
const askAgainMs = 5000

export interface Persistence {
  /** Grows as the work gets on; a try that got on starts the count of tries again. */
  progress(): number
  onPause(pauseMs: number): void
  /** The first call arrived, and the box is still at it. Told once. */
  onUnderWay(): void
  /** Each pause is twice the one before. */
  firstPauseMs?: number
  /** Between two questions while the first call is under way. */
  askAgainMs?: number
}

/**
 * Does the work, and does it again when the box gave no answer, with growing pauses; or when it is still at the first call, for up
 * to an hour. @throws the last NoAnswerYet
 */
export async function persistently<T>(
  work: () => Promise<T>,
  { progress, onPause, onUnderWay, firstPauseMs = pauseMsMin, askAgainMs: askMs = askAgainMs }: Persistence,
): Promise<T> {
  let tries = 0
  let asks = 0
  let best = progress()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof NoAnswerYet)) throw error
      if (error instanceof StillUnderWay) {
        if (asks === asksMax) throw error
        if (asks === 0) onUnderWay()
        asks++
        tries = 0
        await Bun.sleep(askMs)
        continue
      }
      tries = progress() > best ? 1 : tries + 1
      best = progress()
      if (tries >= triesMax) throw error
      const pauseMs = firstPauseMs * 2 ** (tries - 1)
      onPause(pauseMs)
      await Bun.sleep(pauseMs)
    }
  }
}
