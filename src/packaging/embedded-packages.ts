import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../lib/operator-error.ts'
import { entrypoints } from './executable.ts'

/** A package of which the executable contains code. */
export interface EmbeddedPackage {
  name: string
  version: string
  /** SPDX expression. */
  licence: string
  /** Its licence files; empty: it has none, and its licence is a common one. */
  licenceTexts: string[]
  /** Of the archive in the registry, in hex (bun.lock). */
  sha512: string
  /** Names of packages it is made to run with, embedded or not. */
  needs: string[]
}

/** `…/node_modules/NAME/`, the innermost. */
const packageFolder = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//
const licenceFile = /^(?:licen[cs]e|copying|copyrightnotice)/i

/**
 * The packages that the bundler reaches from the program and from the scripts for browsers, by name. Derived from the bundle, so
 * that no list must be kept. Run it in the folder of package.json.
 */
export async function embeddedPackages(): Promise<EmbeddedPackage[]> {
  const folders = new Set((await bundledFiles()).flatMap((path) => packageFolder.exec(path)?.[0] ?? []))
  const hashes = await lockedHashes()
  const packages = await Promise.all([...folders].map((folder) => readPackage(folder, hashes)))
  return packages.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
}

export const idOf = ({ name, version }: Pick<EmbeddedPackage, 'name' | 'version'>): string => `${name}@${version}`

async function bundledFiles(): Promise<string[]> {
  // Scripts for browsers are bundled before and embedded as text; the bundlers themselves stay outside.
  const scripts = new Bun.Glob('src/client/**/*.ts').scanSync('.')
  const forBrowsers = [...scripts].filter((path) => !path.endsWith('.d.ts') && !path.endsWith('bundle.ts'))
  const { metafile } = await Bun.build({
    entrypoints: [...entrypoints, ...forBrowsers.map((path) => `./${path}`)],
    root: './src',
    target: 'bun',
    format: 'esm',
    splitting: true,
    metafile: true,
  })
  if (metafile === undefined) throw new OperatorError('The bundler did not say what it reached: update Bun.')
  return Object.keys(metafile.inputs)
}

async function readPackage(folder: string, hashes: ReadonlyMap<string, string>): Promise<EmbeddedPackage> {
  const { name, version, license, dependencies, peerDependencies } = await Bun.file(join(folder, 'package.json')).json()
  const sha512 = hashes.get(`${name}@${version}`)
  if (sha512 === undefined || typeof license !== 'string')
    throw new OperatorError(`${folder}: expected a package of bun.lock that names its licence. Run: bun install`)
  const files = (await readdir(folder)).filter((file) => licenceFile.test(file)).sort()
  return {
    name,
    version,
    licence: license,
    licenceTexts: await Promise.all(files.map((file) => Bun.file(join(folder, file)).text())),
    sha512,
    needs: Object.keys({ ...dependencies, ...peerDependencies }),
  }
}

/** SHA-512 in hex by `NAME@VERSION`. */
async function lockedHashes(): Promise<ReadonlyMap<string, string>> {
  const lock = Bun.JSONC.parse(await Bun.file('bun.lock').text()) as { packages: Record<string, unknown[]> }
  return hashesIn(lock.packages)
}

/** Of the `packages` of a bun.lock, whose entries begin with `NAME@VERSION` and end with the hash. */
export const hashesIn = (packages: Record<string, unknown[]>): ReadonlyMap<string, string> =>
  new Map(
    Object.values(packages).map((entry) => {
      const [, base64 = ''] = /^sha512-(.+)$/.exec(String(entry.at(-1))) ?? []
      return [String(entry[0]), Buffer.from(base64, 'base64').toString('hex')]
    }),
  )
