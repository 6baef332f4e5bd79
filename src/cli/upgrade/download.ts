import { closeSync, openSync, writeSync } from 'node:fs'
import { connectionFault } from '../../lib/exchange.ts'
import { signatureCharactersMax } from '../../lib/minisign.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize } from '../../lib/quantities.ts'

export const executableBytesMax = 512 * 1024 * 1024
const redirectsMax = 5
/** For all of it; and for the next piece. */
const totalMsMax = 30 * 60_000
const silentMsMax = 30_000

/** Whether FROM is an address and no file. */
export const isAddress = (from: string): boolean => /^https?:\/\//i.test(from)

/** Downloads a small text, such as a signature. @throws OperatorError when it cannot be had */
export async function downloadText(address: string): Promise<string> {
  const pieces: Uint8Array[] = []
  for await (const piece of piecesOf(address, signatureCharactersMax)) pieces.push(piece)
  return Buffer.concat(pieces).toString('utf8')
}

/**
 * Downloads into a file that must not be there yet.
 *
 * @throws OperatorError when it cannot be had whole; what the disk says when it cannot be written
 */
export async function downloadFile(address: string, file: string): Promise<void> {
  const out = openSync(file, 'wx', 0o700)
  try {
    for await (const piece of piecesOf(address, executableBytesMax)) writeWhole(out, piece)
  } finally {
    closeSync(out)
  }
}

function writeWhole(out: number, piece: Uint8Array): void {
  for (let at = 0; at < piece.length; ) at += writeSync(out, piece, at)
}

/** What an address answers, as it arrives. @throws OperatorError when that is not whole, too large, or takes too long */
async function* piecesOf(address: string, bytesMax: number): AsyncGenerator<Uint8Array> {
  const abort = new AbortController()
  let late = setTimeout(() => abort.abort(), silentMsMax)
  const total = setTimeout(() => abort.abort(), totalMsMax)
  try {
    const answer = await followed(address, abort.signal)
    const declared = Number(answer.headers.get('content-length') ?? Number.NaN)
    if (declared > bytesMax) throw new OperatorError(`${address} is larger than ${byteSize(bytesMax)}.`)
    let bytes = 0
    for await (const piece of answer.body ?? []) {
      clearTimeout(late)
      late = setTimeout(() => abort.abort(), silentMsMax)
      bytes += piece.length
      if (bytes > bytesMax) throw new OperatorError(`${address} is larger than ${byteSize(bytesMax)}.`)
      yield piece
    }
    if (declared >= 0 && bytes !== declared) {
      throw new OperatorError(`${address} came incomplete: ${bytes} of ${declared} bytes. Try again.`)
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const why = abort.signal.aborted ? 'it takes too long' : (connectionFault(error) ?? (error as Error).message)
    throw new OperatorError(`${address} cannot be downloaded: ${why}.`)
  } finally {
    clearTimeout(late)
    clearTimeout(total)
  }
}

async function followed(address: string, signal: AbortSignal): Promise<Response> {
  let at = asked(address, address)
  for (let redirects = 0; redirects <= redirectsMax; redirects++) {
    // Without an encoding, so that the length that is declared is the file's.
    const answer = await fetch(at, { redirect: 'manual', signal, headers: { 'accept-encoding': 'identity' } })
    const location = answer.headers.get('location')
    if (answer.status < 300 || answer.status > 399 || location === null) {
      if (answer.status === 200) return answer
      throw new OperatorError(`${at.href} answers ${answer.status}.`)
    }
    at = asked(new URL(location, at).href, address)
  }
  throw new OperatorError(`${address} is redirected more than ${redirectsMax} times.`)
}

/** Plain HTTP shows everybody on the way what is installed here; the signature alone does not hide that. */
function asked(address: string, from: string): URL {
  const url = URL.parse(address)
  const isOwn = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)
  if (url !== null && (url.protocol === 'https:' || isOwn)) return url
  const how = address === from ? `${address} is` : `${from} is redirected to ${address}, which is`
  throw new OperatorError(`${how} no https address. Download the file another way, and name the file.`)
}
