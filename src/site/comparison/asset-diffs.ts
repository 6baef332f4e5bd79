import { type Asset, type AssetVersion, subjectOf } from '../../asset/asset.ts'
import { assetKinds, treatedAs } from '../../asset/asset-kind.ts'
import type { AssetStore } from '../../asset/asset-store.ts'
import { textDiff } from '../../lib/text-diff.ts'
import type { Change } from '../change.ts'
import type { FolderAsset } from '../folder-assets.ts'
import type { HashedAsset } from '../plan-assets.ts'
import { contentField } from './asset-fields.ts'

/** Diffs of one plan: each reads the old bytes and the new ones. */
const diffsMax = 20
const diffBytesMax = 65_536
/** Of all diffs of one plan, so that an answer with them can be repeated (docs/api.md, 64 KB). */
const diffCharactersMax = 20_000

interface Contents {
  staged: readonly HashedAsset[]
  published: readonly Asset[]
  store: AssetStore
  /** Hashes of files whose bytes are on another machine, by their paths. */
  declared?: ReadonlyMap<string, string> | undefined
}

/** The changes with what changed in the text of the first few assets whose text is short. */
export async function withTextDiffs(changes: Change[], contents: Contents): Promise<Change[]> {
  const known = new Map(contents.published.map((asset) => [subjectOf(asset), asset.current]))
  const diffs = new Map<string, string>()
  let compared = 0
  let characters = 0
  for (const asset of contents.staged) {
    const before = known.get(subjectOf(asset))
    if (before === undefined || before.sha256 === asset.sha256 || !isCompared(before, asset, contents)) continue
    const diff = await diffOf(before.sha256, asset.file, contents.store)
    if (diff !== null) diffs.set(subjectOf(asset), diff)
    characters += diff?.length ?? 0
    if (++compared === diffsMax || characters > diffCharactersMax) break
  }
  return changes.map((change) => withDiff(change, diffs.get(subjectOf(change))))
}

const isCompared = (
  before: Pick<AssetVersion, 'byteCount'>,
  after: HashedAsset,
  { declared }: Pick<Contents, 'declared'>,
): boolean => before.byteCount <= diffBytesMax && isShortText(after) && declared?.has(after.file) !== true

const isShortText = ({ kind, name, byteCount }: FolderAsset): boolean =>
  byteCount <= diffBytesMax && textType.test(assetKinds[treatedAs(kind)].mediaType(name) ?? '')

const textType = /^text\/|[/+](?:json|xml|javascript)(?:;|$)/

/** The files that a box elsewhere needs for the diffs of these changes. */
export function filesForDiffs(changes: readonly Change[], assets: readonly FolderAsset[]): string[] {
  const changed = changes.filter(({ fields }) => fields.some(({ field }) => field === contentField))
  const subjects = new Set(changed.map(subjectOf))
  const compared = assets.filter((asset) => subjects.has(subjectOf(asset)) && isShortText(asset))
  return compared.slice(0, diffsMax).map(({ file }) => file)
}

/** `null`: bytes are missing or no text, or too much changed. Publishing them is what fails then, if it has to. */
async function diffOf(sha256: string, file: string, store: AssetStore): Promise<string | null> {
  const before = await (await store.open({ sha256, encoding: 'identity' }))?.text().catch(() => null)
  const after = await Bun.file(file)
    .text()
    .catch(() => null)
  return before === undefined || before === null || after === null ? null : textDiff(before, after)
}

const withDiff = (change: Change, diff: string | undefined): Change =>
  diff === undefined
    ? change
    : { ...change, fields: change.fields.map((field) => (field.field === contentField ? { ...field, diff } : field)) }
