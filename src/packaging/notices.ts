import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { OperatorError } from '../lib/operator-error.ts'
import { entrypoints } from './executable.ts'

export const noticesFile = 'THIRD-PARTY-NOTICES'

/** Texts of licences that no package brings along, and Bun's own notice. */
const texts = join(import.meta.dir, 'licences')
const common = ['Apache-2.0', 'LGPL-2.0-only', 'LGPL-2.1-only', 'MPL-2.0']
const rule = '='.repeat(80)

/** The text that goes wherever the executable goes: what it contains of others, and their licences. */
export async function thirdPartyNotices(packages: readonly EmbeddedPackage[]): Promise<string> {
  const below = (licence: string): string => {
    if (common.includes(licence)) return `The text of ${licence} stands at the end of this file.`
    throw new OperatorError(`A package of ${licence} has no licence file: add its text to src/packaging/licences.`)
  }
  const textOf = (file: string): Promise<string> => Bun.file(join(texts, file)).text()
  const sections = [
    ...packages.map((one) => [`${idOf(one)} (${one.licence})`, one.licenceTexts.join('\n\n') || below(one.licence)]),
    ...(await Promise.all(
      embeddedData.map(async ({ name, licence, inside, licenceFile }) => [
        `${name} (${licence}), in ${inside}`,
        licenceFile === null ? below(licence) : await Bun.file(licenceFile).text(),
      ]),
    )),
    [`bun@${manifest.engines.bun} (MIT)`, await textOf('bun.md')],
    ...(await Promise.all(
      common.map(async (licence) => [licence, await textOf(`${licence.toLowerCase().replace('.', '-')}.txt`)]),
    )),
  ]
  const intro = `Capture ${manifest.version} contains work of others. For each: its name, its licence and the licence's text.`
  return [intro, ...sections.map(([title, text]) => `${rule}\n${title}\n${rule}\n\n${text?.trim()}`), ''].join('\n\n')
}

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

/** Third-party work inside Bun or inside a package, which no lock file names. */
export interface InnerPart {
  name: string
  /** `null`: it has none. */
  version: string | null
  /** SPDX expression. */
  licence: string
}

/** Keys of `process.versions` that state a compatibility or a tool of Bun's build instead of a library inside. */
const notInside = ['node', 'bun', 'openssl', 'zig', 'v8', 'uv', 'napi', 'unicode', 'typescript', 'modules']

/** Libraries inside Bun by their key in `process.versions`, with the licence that Bun's own notice or their project states. */
const librariesInBun: Readonly<Record<string, string>> = {
  boringssl: 'Apache-2.0 AND ISC AND OpenSSL',
  llhttp: 'MIT',
  libarchive: 'BSD-2-Clause',
  mimalloc: 'MIT',
  picohttpparser: 'MIT',
  uwebsockets: 'Apache-2.0',
  webkit: 'LGPL-2.0-only AND BSD-2-Clause',
  zlib: 'Zlib',
  tinycc: 'LGPL-2.1-only',
  lolhtml: 'BSD-3-Clause',
  ares: 'MIT',
  libdeflate: 'MIT',
  usockets: 'Apache-2.0',
  lshpack: 'MIT',
  zstd: 'BSD-3-Clause',
  icu: 'Unicode-3.0',
  sqlite: 'blessing',
}

/**
 * What Bun names of its own libraries, by name. SQLite, for one.
 *
 * @throws OperatorError when this Bun has a library whose licence is not in the table
 */
export function partsOfBun(versions: Readonly<Record<string, string | undefined>> = process.versions): InnerPart[] {
  const names = Object.keys(versions).filter((name) => !notInside.includes(name))
  return names.sort().map((name) => {
    const licence = librariesInBun[name]
    if (licence !== undefined) return { name, version: versions[name] ?? null, licence }
    throw new OperatorError(`This Bun contains "${name}": add its licence to src/packaging/notices.ts.`)
  })
}

interface EmbeddedData extends InnerPart {
  /** The package, or the program itself. */
  inside: string
  /** `null`: a common licence. */
  licenceFile: string | null
}

/** Data of others, which the bundler does not know as such. */
export const embeddedData: readonly EmbeddedData[] = [
  { name: 'Public Suffix List', version: null, licence: 'MPL-2.0', inside: 'tldts', licenceFile: null },
  {
    name: '@zxcvbn-ts/language-common, common passwords',
    version: '4.1.3',
    licence: 'MIT',
    inside: 'capture',
    licenceFile: 'src/console/sign-in/common-passwords-list/license.txt',
  },
]
