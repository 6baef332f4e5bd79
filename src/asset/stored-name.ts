import { encodingSuffixes, type StoredBytes } from './asset-store.ts'

export const assetsFolder = 'assets/'

const pattern = /^assets\/([0-9a-f]{64})(\.br|\.gz)?$/

/** `assets/<sha256>`, `assets/<sha256>.br` or `assets/<sha256>.gz`: how every backup names published bytes. */
export const storedName = ({ sha256, encoding }: StoredBytes): string =>
  assetsFolder + sha256 + encodingSuffixes[encoding]

/** The bytes that a name of `storedName` stands for; `null`: it is none. */
export function storedBytesNamed(name: string): StoredBytes | null {
  const [, sha256, suffix] = pattern.exec(name) ?? []
  if (sha256 === undefined) return null
  return { sha256, encoding: suffix === '.br' ? 'br' : suffix === '.gz' ? 'gzip' : 'identity' }
}
