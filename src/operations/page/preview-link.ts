import { type Static, Type } from '@sinclair/typebox'
import type { StoredAccount } from '../../account/account.ts'
import { matchesTrackingKey } from '../../account/tracking-key.ts'
import type { Asset } from '../../asset/asset.ts'
import { kindByWord } from '../../asset/asset-kind.ts'
import { accountPreviewHost, previewPath, previewWords, testPagePath } from '../../asset/preview-host.ts'
import { signedPreviewQuery } from '../../asset/preview-signature.ts'
import { previewsBelow, publicBase } from '../../config/own-hosts.ts'
import { parseAge } from '../../lib/age.ts'
import { OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { count, oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import { accountNamed } from '../account/account-named.ts'
import { type ActInput, type Done, defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { assetNamed } from './asset-named.ts'

/** Anyone with the address can see the page. A year is enough for any review. */
export const previewTtlMsMax = 366 * 86_400_000

/** The default lifetime of a preview address. */
const previewTtlMs = 60 * 60 * 1000

/** Signs preview addresses of one account. */
interface PreviewAddresses {
  /** How the address of each page, image and file begins. */
  base: string
  /** A signed address on the account's preview host (docs/previews.md), by default for the current version at any time. */
  of(asset: Pick<Asset, 'id' | 'kind'>, version?: number): string
  /** The signed address of the account's test page on the host, by default that of all previews. */
  testPage(host?: string): string
  /** When the addresses expire, epoch milliseconds. */
  expiresAt: number
}

/** @param ttlMs the lifetime of the addresses */
export async function previewAddresses(
  { signingKeys, config, clock }: Pick<Box, 'signingKeys' | 'config' | 'clock'>,
  { id: accountId, handle }: Pick<StoredAccount, 'id' | 'handle'>,
  ttlMs = previewTtlMs,
): Promise<PreviewAddresses> {
  const keys = await signingKeys.read()
  const expiresAtSeconds = Math.ceil((clock.now() + ttlMs) / 1000)
  const { previewHost } = config.server
  const base = publicBase(config, accountPreviewHost(handle, previewsBelow(config)) ?? previewHost)
  const signed = (path: string, version?: number): string =>
    signedPreviewQuery({ accountId, path, ...(version === undefined ? {} : { version }) }, expiresAtSeconds, keys)
  return {
    base,
    expiresAt: expiresAtSeconds * 1000,
    of(asset, version) {
      const path = previewPath(asset)
      return `${base}${path}?${signed(path, version)}`
    },
    testPage: (host = previewHost) =>
      `${publicBase(config, host)}${testPagePath}?account=${handle}&${signed(testPagePath)}`,
  }
}

const previewInput = Type.Object({
  kind: oneOf(previewWords),
  id: Type.Optional(Type.String({ maxLength: 1024, description: 'Short id, slug or path; not for test.' })),
  version: Type.Optional(Type.Integer({ minimum: 1, maximum: 999_999_999 })),
  ttl: Type.Optional(Type.String({ maxLength: 20, description: 'How long it is valid: 12h, 7d; absent: 1h.' })),
  key: Type.Optional(Type.String({ maxLength: 100, description: 'For test: the tracking key.' })),
})
type PreviewWanted = ActInput<'box', typeof previewInput>

/** For the test page `id`, `name` and `version` are `null`; without a version the address shows the current one at any time. */
const previewAnswer = Type.Object({
  account: text,
  kind: text,
  id: textOrNull,
  name: textOrNull,
  version: orNull(count),
  url: text,
  expiresAt: text,
})
export type PreviewLink = Static<typeof previewAnswer>

type PreviewingBox = Pick<Box, 'accounts' | 'catalogue' | 'signingKeys' | 'config' | 'clock'>

/** Who signs. A token's addresses expire with the token. */
interface Signer {
  caller: { kind: string; expiresAt?: number } | null
}

export const previewLink = defineAct({
  name: 'preview.sign',
  text: 'Sign a preview address that anybody can open until it expires',
  of: 'account',
  scope: 'publish',
  input: previewInput,
  answer: previewAnswer,
  subject: ({ kind, id }) => id ?? kind,
  async run(box: PreviewingBox, { account: named, ...wanted }, { caller }: Signer): Promise<Done<PreviewLink>> {
    const { kind } = wanted
    const now = box.clock.now()
    const ttlMs = Math.min(ttlMsIn(wanted), (caller?.expiresAt ?? Number.POSITIVE_INFINITY) - now)
    const shownName = nameIn(wanted)
    const account = await accountNamed(box.accounts, named)
    const addresses = await previewAddresses(box, account, ttlMs)
    const shown =
      kind === 'test'
        ? testPage(account, wanted.key, { addresses, now })
        : await shownAsset(account, { ...wanted, kind, name: shownName }, { addresses, box })
    const expiresAt = new Date(addresses.expiresAt).toISOString()
    return { answer: { account: account.handle, kind, ...shown, expiresAt }, subject: shown.name ?? kind }
  },
})

/** @throws UnfitInput for an invalid or too long time */
function ttlMsIn({ ttl }: PreviewWanted): number {
  if (ttl === undefined) return previewTtlMs
  const ms = parseAge(ttl)
  if (ms !== null && ms <= previewTtlMsMax) return ms
  throw new UnfitInput('"ttl" must be a length of time such as 1h, 12h or 7d, and at most 366d.')
}

/** The asset's name or short id; `''` for the test page. @throws UnfitInput for parts that exclude each other */
function nameIn({ kind, id, version, key }: PreviewWanted): string {
  if (kind === 'test') {
    if (id !== undefined || version !== undefined)
      throw new UnfitInput('An account has one test page: leave out id and version.')
    return ''
  }
  if (id === undefined) throw new UnfitInput('Name what to show in "id": its short id, slug or path.')
  if (key !== undefined) throw new UnfitInput('Only the test page takes a key: leave it out.')
  return id
}

type Shown = Pick<PreviewLink, 'id' | 'name' | 'version' | 'url'>

function testPage(
  { handle, trackingKeys }: StoredAccount,
  key: string | undefined,
  { addresses, now }: { addresses: PreviewAddresses; now: number },
): Shown {
  const url = addresses.testPage()
  const page = { id: null, name: null, version: null }
  if (key === undefined) return { ...page, url }
  if (matchesTrackingKey(key, trackingKeys, now)) return { ...page, url: `${url}#key=${key}` }
  throw new OperatorError(
    `That is not a valid tracking key of ${handle}. Its site.toml may have one as \`key\`; \`capture key rotate ${handle}\` makes a new one.`,
  )
}

async function shownAsset(
  account: StoredAccount,
  { kind, name, version }: { kind: keyof typeof kindByWord; name: string; version?: number | undefined },
  { addresses, box }: { addresses: PreviewAddresses; box: PreviewingBox },
): Promise<Shown> {
  const found = await assetNamed(box.catalogue, account, { kind: kindByWord[kind], text: name })
  if (version === undefined) return { id: found.id, name: found.name, version: null, url: addresses.of(found) }
  const kept = await box.catalogue.versions(found.id)
  if (!kept.some(({ number }) => number === version)) {
    const numbers = kept.map(({ number }) => number).join(', ')
    throw new OperatorError(`There is no version ${version} of ${found.name}. These are stored: ${numbers}.`)
  }
  return { id: found.id, name: found.name, version, url: addresses.of(found, version) }
}
