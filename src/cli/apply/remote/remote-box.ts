import { OperatorError } from '../../../lib/operator-error.ts'
import { type SiteFault, SiteFaults } from '../../../site/site-faults.ts'
import { programVersion } from '../../version.ts'

/** A call of the API that was answered. */
export interface RemoteAnswer {
  status: number
  value: unknown
}

interface ErrorBody {
  error?: { message?: string; faults?: SiteFault[] }
}

export interface RemoteBody {
  type: string
  body: string | ReadableStream
}

/** The API of another box. */
export class RemoteBox {
  /** @param dir the folder as it was named, for messages */
  constructor(
    private readonly api: string,
    private readonly token: string,
    private readonly dir: string,
  ) {}

  /** Answers 200 and 404; everything else is an error. @throws OperatorError that says what to do */
  async post(path: string, { type, body }: RemoteBody): Promise<RemoteAnswer> {
    const response = await this.send(path, { type, body })
    const value: unknown = await response.json().catch(() => null)
    if (response.status === 200 || response.status === 404) return { status: response.status, value }
    throw this.failure(response, value as ErrorBody | null)
  }

  private async send(path: string, { type, body }: RemoteBody): Promise<Response> {
    try {
      return await fetch(this.api + path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${this.token}`,
          'content-type': type,
          'user-agent': `capture/${programVersion}`,
        },
        body,
        // The token goes nowhere but where it was meant for.
        redirect: 'manual',
      })
    } catch (error) {
      const { code, message } = error as Error & { code?: string }
      throw new OperatorError(
        `${new URL(this.api).origin} cannot be reached, or the connection broke (${code ?? message}). Run the command again: the folder is published whole or not at all, and what is published already changes nothing.`,
      )
    }
  }

  private failure({ status, headers }: Response, body: ErrorBody | null): OperatorError {
    const where = new URL(this.api).origin
    const faults = body?.error?.faults
    if (faults !== undefined) return new SiteFaults(this.dir, faults)
    if (status === 401)
      return new OperatorError(
        `${where} does not know this token: it is wrong, expired or revoked. \`capture token create\` makes one on the box.`,
      )
    if (status === 403)
      return new OperatorError(
        `This token may not publish there. It needs the scope "publish" for the account; a new account needs a token of the box (capture token create --box).`,
      )
    if (status === 429)
      return new OperatorError(`${where} has had too many calls. Try again in ${headers.get('retry-after') ?? '60'} s.`)
    const message = body?.error?.message
    return new OperatorError(
      message === undefined
        ? `${where} answered ${status}, which is no answer of Capture's API. Is it the address of the console?`
        : `${where} answered: ${message}`,
    )
  }
}
