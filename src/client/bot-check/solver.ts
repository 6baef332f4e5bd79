import type { ChallengeParameters, Solution } from 'altcha/types'

/** What the widget asks of one worker: try every `counterStep`th counter from `counterStart`. */
interface Work {
  type: 'work' | 'abort'
  challenge: { parameters: ChallengeParameters }
  counterStart: number
  counterStep: number
  timeout: number
}

/** The part of a `Worker` that the widget uses. */
interface Solver {
  postMessage(work: Work): void
  addEventListener(type: string, listen: (event: { data: Solution | { error: string } | null }) => void): void
  terminate(): void
}

/** Solves in the page: browsers run each WebCrypto call on threads of their own. */
export function solverInPage(): Solver {
  const listeners: ((event: { data: Solution | { error: string } | null }) => void)[] = []
  const stop = new AbortController()
  return {
    postMessage(work) {
      if (work.type === 'abort') return stop.abort()
      const tell = (data: Solution | { error: string } | null) => {
        for (const listen of listeners) listen({ data })
      }
      solve(work, stop.signal).then(tell, (error) => tell({ error: String(error) }))
    },
    addEventListener(type, listen) {
      if (type === 'message') listeners.push(listen)
    },
    terminate: () => stop.abort(),
  }
}

/** Tries one counter after another; `null`: not solved in time, or stopped. */
export async function solve(
  { challenge, counterStart, counterStep, timeout }: Omit<Work, 'type'>,
  stop: AbortSignal,
): Promise<Solution | null> {
  const { nonce, salt, cost, keyLength, keyPrefix } = challenge.parameters
  const startedAtMs = performance.now()
  const saltBytes = bytesOf(salt)
  for (let counter = counterStart; !stop.aborted; counter += counterStep) {
    const password = await crypto.subtle.importKey('raw', passwordOf(nonce, counter), 'PBKDF2', false, ['deriveBits'])
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: saltBytes, iterations: cost }
    const derivedKey = hex(await crypto.subtle.deriveBits(algorithm, password, keyLength * 8))
    const time = performance.now() - startedAtMs
    if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey, time }
    if (time > timeout) break
  }
  return null
}

/** The nonce, followed by the counter as four bytes in network order. */
const passwordOf = (nonce: string, counter: number) => bytesOf(nonce + counter.toString(16).padStart(8, '0'))

// `Uint8Array.fromHex` is too new for many visitors.
const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')
