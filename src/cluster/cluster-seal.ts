import { compressHere, type Sealer, type Unsealer } from '../backup/format/sealing.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { nonceBytes, Seal } from '../lib/seal.ts'
import { macCharacters, sign } from '../lib/sign.ts'

/**
 * Seals what leaves a node under the cluster's secret. What is sealed for a place opens for no other.
 *
 * Each place has a key of its own: a cluster would seal more than 2^32 under one (NIST SP 800-38D section 8.3).
 */
export class ClusterSeal {
  constructor(private readonly secret: Uint8Array) {}

  seal(bytes: Uint8Array, place: string): Uint8Array {
    return this.sealFor(place).sealBytes(bytes, place)
  }

  /** @throws OperatorError when it was sealed with another secret or for another place, or was changed */
  open(bytes: Uint8Array, place: string): Uint8Array {
    try {
      return this.sealFor(place).openBytes(bytes, place)
    } catch {
      throw new OperatorError(
        'What the cluster’s database holds does not open with the secret of this node. Is it the same on every node?',
      )
    }
  }

  /** As `seal`, but what is equal stays equal, so that several nodes may put the same in pieces at once. */
  sealAlike(bytes: Uint8Array, place: string): Uint8Array {
    const mark = this.hidden(placeOf('content', place, Bun.SHA256.hash(bytes, 'hex')))
    const own = placeOf('alike', place, mark)
    // The place has a key of its own, which seals nothing else.
    const sealed = this.sealFor(own).sealBytes(bytes, own, new Uint8Array(nonceBytes))
    return Buffer.concat([Buffer.from(mark), sealed])
  }

  openAlike(bytes: Uint8Array, place: string): Uint8Array {
    const mark = Buffer.from(bytes.subarray(0, macCharacters)).toString()
    return this.open(bytes.subarray(macCharacters), placeOf('alike', place, mark))
  }

  /** Equal texts stay equal, and nothing else shows. */
  hidden(text: string): string {
    return sign(this.secret, text)
  }

  private sealFor(place: string): Seal {
    return new Seal(Buffer.from(sign(this.secret, place), 'base64url'))
  }
}

/** On disk: never change it. */
export const placeOf = (...parts: (string | number | string[] | null)[]): string =>
  `capture cluster 1\n${JSON.stringify(parts)}`

/** Seals the bundles of the cluster's store. Their head names no recipients: whoever has the secret opens them. */
export const storeSealing = (seal: ClusterSeal): Sealer & Unsealer => ({
  key: 'cluster',
  compress: compressHere,
  seal: async (bytes, context) => new Uint8Array(seal.sealAlike(bytes, placeOf('store', context))),
  unseal: async (_, bytes, context) => new Uint8Array(seal.openAlike(bytes, placeOf('store', context))),
})
