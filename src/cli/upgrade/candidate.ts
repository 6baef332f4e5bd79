import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { resolve } from 'node:path'
import { connectionFault } from '../../lib/exchange.ts'
import {
  type PublicKey,
  readPublicKey,
  readSignature,
  SignatureFault,
  signatureCharactersMax,
  verifyComment,
  verifySignature,
} from '../../lib/minisign.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import { byteSize } from '../../lib/quantities.ts'
import { builtFor } from '../../release/built-in.ts'
import { builtInPublicKeys } from '../../release/public-keys.ts'
import { type ReleasedFile, readTrustedComment } from '../../release/trusted-comment.ts'
import { usageError } from '../command.ts'
import { programVersion } from '../version.ts'
import { runProgram } from './workplace.ts'

const nothingChanged = 'Nothing was changed.'

interface CandidateSource {
  /** A file, or an address. */
  from: string
  cwd: string
  /** A key that is trusted beside those built in. */
  publicKey: string | undefined
}

/** A new executable that was looked at and lies where it can be run. */
export interface Candidate {
  file: string
  version: string
  signed: ReleasedFile | null
}

/**
 * Brings the new executable into a file of ours and sees that it is Capture, for this machine, and, where it was downloaded,
 * signed with a key that is trusted.
 *
 * @throws OperatorError when it is not
 */
export async function fetchCandidate({ from, cwd, publicKey }: CandidateSource, file: string): Promise<Candidate> {
  const signed = isAddress(from)
    ? await downloaded(from, file, trustedKeys(publicKey))
    : copied(resolve(cwd, from), file)
  sync(file)
  const fault = machineFault(file)
  if (fault !== null) throw new OperatorError(`${from} ${fault}. ${nothingChanged}`)
  const version = await versionOf(file, from)
  if (signed !== null && signed.version !== version) {
    throw new OperatorError(
      `${from} was signed as version ${signed.version}, and says that it is ${version}. ${nothingChanged}`,
    )
  }
  return { file, version, signed }
}

function copied(source: string, file: string): null {
  const stat = statSync(source, { throwIfNoEntry: false })
  if (stat === undefined) throw new OperatorError(`There is no file ${source}.`)
  if (!stat.isFile()) throw new OperatorError(`${source} is not a file. Name the new executable.`)
  if (stat.size > executableBytesMax) {
    throw new OperatorError(`${source} is larger than ${byteSize(executableBytesMax)}. ${nothingChanged}`)
  }
  copyFileSync(source, file)
  return null
}

async function downloaded(address: string, file: string, trusted: PublicKey[]): Promise<ReleasedFile> {
  if (trusted.length === 0) {
    throw new OperatorError(
      'This executable was built without a key to trust, so that no download can be believed. Name the key of those who sign it with --public-key, or download the file another way and name the file.',
    )
  }
  const text = await downloadText(`${address}.minisig`)
  try {
    const signature = readSignature(text)
    // Before the file, which is large: what is for another machine need not be downloaded.
    const signed = readTrustedComment(verifyComment(signature, trusted).trustedComment)
    if (signed === null) throw new SignatureFault('malformed', 'It was signed for something else than a release.')
    if (signed.target !== builtFor) {
      throw new OperatorError(`${address} is for ${signed.target}, and this is ${builtFor}. ${nothingChanged}`)
    }
    // An old release has a valid signature too, and faults that are known by now.
    if (comparedTo(signed.version, programVersion) === 'older') {
      throw new OperatorError(
        `${address} is version ${signed.version}, older than the ${programVersion} that is installed. To install it nevertheless, download it and name the file. ${nothingChanged}`,
      )
    }
    await downloadFile(address, file)
    await verifySignature(signature, Bun.file(file).stream(), trusted)
    return signed
  } catch (error) {
    if (!(error instanceof SignatureFault)) throw error
    throw new OperatorError(`${address} is not what its signature vouches for. ${error.message} ${nothingChanged}`)
  }
}

function trustedKeys(given: string | undefined): PublicKey[] {
  if (given === undefined) return builtInPublicKeys()
  try {
    return [...builtInPublicKeys(), readPublicKey(given)]
  } catch (error) {
    throw usageError(`--public-key: ${(error as Error).message}`)
  }
}

/** On disk whole before it gets its name. */
function sync(file: string): void {
  chmodSync(file, 0o755)
  const descriptor = openSync(file, 'r+')
  fsyncSync(descriptor)
  closeSync(descriptor)
}

/** The header of an ELF file (elf(5)). */
const magic = '\x7fELF'
const headerBytes = 20
const classAt = 4
const is64Bit = 2
const orderAt = 5
const isLittleEndian = 1
const typeAt = 16
const executableTypes = [2, 3]
const machineAt = 18
const machines: Record<string, { number: number; name: string }> = {
  x64: { number: 62, name: 'x86-64' },
  arm64: { number: 183, name: 'arm64' },
}

/** Why a file is not an executable for this machine, as the end of a sentence about it; `null`: it is one. */
function machineFault(file: string): string | null {
  const header = Buffer.alloc(headerBytes)
  const descriptor = openSync(file, 'r')
  const length = readSync(descriptor, header, 0, headerBytes, 0)
  closeSync(descriptor)
  if (length < headerBytes || header.toString('latin1', 0, 4) !== magic) return 'is not an executable for Linux'
  if (header[classAt] !== is64Bit || header[orderAt] !== isLittleEndian) return 'is for another kind of machine'
  if (!executableTypes.includes(header.readUInt16LE(typeAt))) return 'is not an executable'
  const machine = header.readUInt16LE(machineAt)
  const own = machines[process.arch]
  if (own === undefined || machine === own.number) return null
  const found = Object.values(machines).find(({ number }) => number === machine)
  return `is for ${found?.name ?? 'other'} machines, and this one is ${own.name}`
}

const answerMsMax = 30_000

/** The version that an executable says it is. @throws OperatorError when it is not Capture, or does not run here */
async function versionOf(file: string, named: string): Promise<string> {
  const run = await runProgram(file, ['version', '--json'], { env: {}, timeoutMs: answerMsMax, user: null }).catch(
    (error: Error) => {
      throw new OperatorError(`${named} does not start on this machine: ${error.message}. Nothing was changed.`)
    },
  )
  const version = run.status === 0 ? versionIn(run.stdout) : null
  if (version !== null) return version
  const complaint = run.stderr.trim().split('\n')[0] ?? ''
  throw new OperatorError(
    `${named} is not Capture, or cannot run here: \`version --json\` ended with ${run.status ?? 'a signal'}${complaint === '' ? '' : ` ("${complaint.slice(0, 200)}")`}. Nothing was changed.`,
  )
}

function versionIn(text: string): string | null {
  try {
    const { capture } = JSON.parse(text) as { capture?: unknown }
    return typeof capture === 'string' && /^\d+\.\d+\.\d[\w.+-]*$/.test(capture) ? capture : null
  } catch {
    return null
  }
}

export function comparedTo(version: string, other: string): 'newer' | 'older' | 'the same' {
  const order = Bun.semver.order(version, other)
  if (order === 0) return 'the same'
  return order > 0 ? 'newer' : 'older'
}

const executableBytesMax = 512 * 1024 * 1024
const redirectsMax = 5
/** For all of it; and for the next piece. */
const totalMsMax = 30 * 60_000
const silentMsMax = 30_000

const isAddress = (from: string): boolean => /^https?:\/\//i.test(from)

/** Downloads a small text, such as a signature. @throws OperatorError when it cannot be had */
async function downloadText(address: string): Promise<string> {
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
