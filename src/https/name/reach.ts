import { isReachableFromHere } from '../../lib/network-cards.ts'
import { newNonce, proofPathPrefix, provesName } from './name-proof.ts'

/**
 * Who answers on port 80 of one address: this box; another server; nobody (`none`: the connection is refused); `unknown`:
 * nothing can be told from here, as behind a router that does not lead back to its own address.
 */
export interface Reached {
  address: string
  answer: 'ours' | 'other' | 'none' | 'unknown'
  /** The status that another server answers with; `null`: it is not ours to tell, or there is none. */
  status: number | null
}

export interface ReachOptions {
  /** Of the current key of the purpose `name`. */
  secret: Uint8Array
  signal: AbortSignal
}

/** Where authorities ask (RFC 8555 section 8.3), whatever port the box itself listens on. */
const port = 80
const requestMsMax = 4000
/** An answer of ours is far shorter. */
const answerBytesMax = 256

/** Asks an address for the proof that this box serves the name (`nameProof`). Follows nothing, and reads little. */
export async function reach(host: string, address: string, { secret, signal }: ReachOptions): Promise<Reached> {
  if (!isReachableFromHere(address)) return { address, answer: 'unknown', status: null }
  const nonce = newNonce()
  const place = address.includes(':') ? `[${address}]` : address
  try {
    const response = await fetch(`http://${place}:${port}${proofPathPrefix}${nonce}`, {
      headers: { host, 'user-agent': 'Capture', 'accept-encoding': 'identity', connection: 'close' },
      redirect: 'manual',
      // A proxy of the environment would answer for somebody else.
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
/** Somebody took the connection, and ended it or spoke no HTTP; what the system calls otherwise is a lack of this machine. */
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
