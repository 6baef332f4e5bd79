import { isReachableFromHere } from '../../lib/network-cards.ts'
import { newNonce, proofPathPrefix, provesName } from './name-proof.ts'

/**
 * Who answers on port 80 of one address: this box, another server, or nobody (`none`: connection refused). `unknown`: not
 * determined, as behind a router that does not route back to its own address.
 */
export interface Reached {
  address: string
  answer: 'ours' | 'other' | 'none' | 'unknown'
  /** The status of another server's answer; `null`: no such answer. */
  status: number | null
}

interface ReachOptions {
  /** The secret of the current key of the purpose `name`. */
  secret: Uint8Array
  signal: AbortSignal
}

/** The port that authorities use (RFC 8555 section 8.3), whatever port the box listens on. */
const port = 80
const requestMsMax = 4000
/** The box's own answer is far shorter. */
const answerBytesMax = 256

/** Requests the proof that this box serves the name (`nameProof`). Follows no redirect and reads little. */
export async function reach(host: string, address: string, { secret, signal }: ReachOptions): Promise<Reached> {
  if (!isReachableFromHere(address)) return { address, answer: 'unknown', status: null }
  const nonce = newNonce()
  const place = address.includes(':') ? `[${address}]` : address
  try {
    const response = await fetch(`http://${place}:${port}${proofPathPrefix}${nonce}`, {
      headers: { host, 'user-agent': 'Capture', 'accept-encoding': 'identity', connection: 'close' },
      redirect: 'manual',
      // Bypass a proxy set in the environment, which would answer instead.
      proxy: false,
      keepalive: false,
      signal: AbortSignal.any([signal, AbortSignal.timeout(requestMsMax)]),
    })
    const isOurs = response.status === 200 && provesName(secret, host, nonce, await beginning(response))
    if (isOurs) return { address, answer: 'ours', status: null }
    await response.body?.cancel()
    return { address, answer: 'other', status: response.status }
  } catch (error) {
    return { address, answer: failureOf(error), status: null }
  }
}

const nobody = ['ECONNREFUSED', 'EHOSTUNREACH']
/** Errors that mean that another server accepted the connection. Other system errors are this machine's own. */
const somebody = /^(?!E)|^ECONNRESET$|^EPIPE$/

function failureOf(error: unknown): Reached['answer'] {
  const { name, code } = error as { name?: string; code?: string }
  if (code === undefined || name === 'TimeoutError' || name === 'AbortError') return 'unknown'
  if (nobody.includes(code)) return 'none'
  return somebody.test(code) ? 'other' : 'unknown'
}

async function beginning(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder('latin1')
  for await (const part of response.body ?? []) {
    text += decoder.decode(part.subarray(0, answerBytesMax), { stream: true })
    if (text.length >= answerBytesMax) break
  }
  return text
}
