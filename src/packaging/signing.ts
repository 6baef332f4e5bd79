import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PublicKey, readPublicKey } from '../lib/minisign.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { publicKeysIn } from '../release/public-keys.ts'

/** A secret key file of minisign, which the program `minisign` opens. */
export interface ReleaseKey {
  file: string
  /** `''`: it has none. */
  password: string
  public: PublicKey
}

/** @throws OperatorError when minisign is missing, or cannot open the key */
export async function signingKeyIn(file: string, password: string): Promise<ReleaseKey> {
  if (!(await Bun.file(file).exists())) throw new OperatorError(`Cannot read ${file}: there is no such file.`)
  const folder = await mkdtemp(join(tmpdir(), 'capture-key-'))
  try {
    const made = join(folder, 'key.pub')
    await minisign(['-R', '-s', file, '-p', made], password)
    return { file, password, public: readPublicKey(await Bun.file(made).text()) }
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Writes `FILE.minisig`. @param trustedComment one line, which the signature vouches for as well */
export const sign = (file: string, key: ReleaseKey, trustedComment: string): Promise<void> =>
  minisign(['-S', '-s', key.file, '-m', file, '-t', trustedComment], key.password)

async function minisign(words: string[], password: string): Promise<void> {
  const program = Bun.which('minisign')
  if (program === null)
    throw new OperatorError('Signing needs the program minisign: apt install minisign, or ./install.sh --dev')
  const run = Bun.spawn([program, ...words], {
    stdin: Buffer.from(`${password}\n`),
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [status, stderr] = await Promise.all([run.exited, run.stderr.text()])
  if (status !== 0) throw new OperatorError(`minisign ${words[0]} failed: ${stderr.replace(/^Password: /, '').trim()}`)
}

/** Minisign public keys beside package.json, in a checkout with signed releases. */
const publicKeysFile = 'release.pub'

/**
 * Reads the public keys that executables trust for their successors. Without the file there are none.
 *
 * @throws OperatorError when the file holds anything else
 */
export async function readPublicKeysFile(path = publicKeysFile): Promise<PublicKey[]> {
  const file = Bun.file(path)
  if (!(await file.exists())) return []
  try {
    return publicKeysIn(await file.text())
  } catch (error) {
    throw new OperatorError(
      `${path}: ${(error as Error).message} The file must contain one or more public keys of minisign.`,
    )
  }
}
