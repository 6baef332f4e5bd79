import { OperatorError } from '../lib/operator-error.ts'

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
    throw new OperatorError(`This Bun contains "${name}": add its licence to src/packaging/runtime-parts.ts.`)
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
