import { encodeAssetPath } from './asset-name.ts'
import { assetMediaType, fileMediaType, imageMediaType } from './media-type.ts'

/** What sets one kind of published content apart from the others. */
interface KindOfAsset {
  /** Its list in `site.toml` and in JSON. */
  list: string
  /** Its folder in a site folder. */
  folder: string
  /** What commands call one. */
  word: string
  /** What its address on a connected domain begins with, before its name. */
  path: string
  /** What its address on a preview host begins with, before its short id (spec, "Preview surfaces"). */
  previewPath: string
  /** The `content-type` of a name; `null`: the kind has no such name. */
  mediaType: (name: string) => string | null
}

/** Every kind of published content that has an address. Lists of kinds elsewhere follow from this one. */
export const assetKinds = {
  page: {
    list: 'pages',
    folder: 'pages',
    word: 'page',
    path: '/',
    previewPath: '/_preview/',
    mediaType: () => 'text/html; charset=utf-8',
  },
  image: {
    list: 'images',
    folder: 'img',
    word: 'img',
    path: '/_svc/img/',
    previewPath: '/_preview/img/',
    mediaType: imageMediaType,
  },
  file: {
    list: 'files',
    folder: 'files',
    word: 'file',
    path: '/_svc/file/',
    previewPath: '/_preview/file/',
    mediaType: fileMediaType,
  },
  /** What pages are made of beside images: stylesheets, scripts, fonts, sound, video. */
  asset: {
    list: 'assets',
    folder: 'assets',
    word: 'asset',
    path: '/assets/',
    previewPath: '/_preview/asset/',
    mediaType: assetMediaType,
  },
} as const satisfies Record<string, KindOfAsset>

export type AddressedKind = keyof typeof assetKinds

/** `error_page`: `pages/404.html`, which answers paths where nothing is. It has no address of its own. */
export type AssetKind = AddressedKind | 'error_page'

/** The kind whose limits, type and previews an asset has. */
export const treatedAs = (kind: AssetKind): AddressedKind => (kind === 'error_page' ? 'page' : kind)

/** The kinds whose names are paths. */
export type PathKind = Exclude<AddressedKind, 'page'>

const kinds = Object.keys(assetKinds) as AddressedKind[]
export const pathKinds = kinds.filter((kind): kind is PathKind => kind !== 'page')

/** Where a connected domain shows it, live. */
export const contentPath = (kind: AddressedKind, name: string): string => assetKinds[kind].path + encodeAssetPath(name)

type KindByWord = { readonly [Kind in AddressedKind as (typeof assetKinds)[Kind]['word']]: Kind }

export const kindByWord = Object.fromEntries(kinds.map((kind) => [assetKinds[kind].word, kind])) as KindByWord

/** One value for each of these kinds, under the name of its list. */
export const byList = <Kind extends AddressedKind, Value>(of: readonly Kind[], make: (kind: Kind) => Value) =>
  Object.fromEntries(of.map((kind) => [assetKinds[kind].list, make(kind)])) as Record<
    (typeof assetKinds)[Kind]['list'],
    Value
  >
