import { pageItself, type Split } from '../account/split.ts'
import type { Place } from '../lib/toml/value.ts'
import type { FolderAsset } from './folder-assets.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenSite, WrittenSplit } from './site-schema.ts'

interface SplitPages {
  /** What is wrong with a page that visitors are to get; `null`: nothing. */
  fault(slug: string): string | null
  /** Slugs of the pages that are split. */
  split: ReadonlySet<string>
}

/** The splits in the folder; what is not sound is reported. */
export function folderSplits(
  { splits = [], pages }: Pick<Partial<WrittenSite>, 'splits' | 'pages'>,
  assets: readonly Pick<FolderAsset, 'kind' | 'name' | 'state'>[],
  report: FolderReport,
): Split[] {
  if (splits.length === 0) return []
  report.twins(splits, 'page', ({ page }) => page)
  const states = new Map(assets.flatMap(({ kind, name, state }) => (kind === 'page' ? [[name, state]] : [])))
  const fault = (slug: string): string | null => {
    // Without the list of pages, it is not known which there are.
    if (pages === undefined || states.get(slug) === 'live') return null
    return states.has(slug) ? `"${slug}" is in preview; make it live` : `there is no page "${slug}" in the folder`
  }
  const known = { fault, split: new Set(splits.map(({ value: { page } }) => page)) }
  return splits.map((written) => splitOf(written, known, report))
}

function splitOf({ value, place }: WrittenSplit, pages: SplitPages, report: FolderReport): Split {
  const { page, variants } = value
  const lies = (at: Place, message: string | null) => message !== null && report.key(at, message)
  lies(place('page'), pages.fault(page))
  report.twins(variants, 'name', ({ name }) => name)
  report.twins(variants, 'page', (variant) => variant.page)
  for (const { value: variant, place } of variants) {
    if (variant.name === pageItself)
      report.key(place('name'), `"${pageItself}" is the page itself; give the variant another name, such as "b"`)
    if (variant.page === page) report.key(place('page'), `"${page}" is the page itself; name the page to show instead`)
    else if (pages.split.has(variant.page))
      report.key(place('page'), `"${variant.page}" is split itself; a variant must be a page with one version`)
    else lies(place('page'), pages.fault(variant.page))
  }
  const shares = variants.reduce((sum, { value: { share } }) => sum + share, 0)
  if (shares > 100)
    report.key(place('variants'), `the shares come to ${shares} per cent; the page itself has what they leave of 100`)
  return { page, variants: variants.map(({ value: variant }) => variant) }
}
