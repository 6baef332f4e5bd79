import { pageItself, type Split } from '../../../account/split.ts'
import { english } from '../../../language/locale.ts'
import { capitalised } from '../../../lib/capitalised.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count, plural } from '../../../lib/quantities.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import type { RecentCounts } from '../../../operations/overview/recent-counts.ts'
import { percentText } from '../../../report/document/key-figures.ts'
import { splitVisitsMin } from '../../../report/splits.ts'
import { mark } from '../../look/notice.ts'
import { type TableColumn, table } from '../../look/table.ts'
import { settingsAt } from '../site-toml-line.ts'

interface SplitPage {
  handle: string
  /** `null`: the page has one version. */
  split: Split | null
  /** Of the page that is shown, so that nobody's later change is overwritten; `null`: its reader may not publish. */
  seen: string | null
  counts: Pick<RecentCounts, 'splitOf'>
}

/** What a split makes of a page among others; `null`: nothing. */
export function splitMark(slug: string, splits: readonly Split[]): Markup | null {
  if (splits.some(({ page }) => page === slug)) return mark('split')
  for (const { page, variants } of splits) {
    const variant = variants.find((variant) => variant.page === slug)
    if (variant !== undefined) return mark(`variant ${variant.name} of /${page}`)
  }
  return null
}

/** Under whose address visitors see a page that is a variant; `undefined`: it is none. */
export const splitOfVariant = (slug: string, splits: readonly Split[]): Split | undefined =>
  splits.find(({ page, variants }) => page !== slug && variants.some((variant) => variant.page === slug))

/** On the page of a variant: the way to its figures; `null`: it is none. */
export function variantPart(handle: string, slug: string, splits: readonly Split[]): Markup | null {
  const split = splitOfVariant(slug, splits)
  return split === undefined
    ? null
    : html`<p class="said">Visitors see this page under <a href="/a/${handle}/pages/${split.page}">/${split.page}</a>, which has its figures.</p>`
}

/** The variants of a split page, with the ways to keep one of them. */
export function splitSection({ handle, split, seen, counts }: SplitPage): Markup | null {
  if (split === null) return null
  const { variants: figures, verdict } = counts.splitOf(split)
  const versions = new Map(figures.map((version) => [version.name, version]))
  const columns: TableColumn<Split['variants'][number]>[] = [
    { head: 'Variant', cell: ({ name }) => name },
    {
      head: 'Page',
      cell: ({ page }) =>
        page === split.page
          ? html`/${page} <span class="soft">this page</span>`
          : html`<a href="/a/${handle}/pages/${page}">/${page}</a>`,
    },
    { head: 'Share', kind: 'number', label: true, cell: ({ share }) => english.wholePercent(share) },
    { head: 'Visits', kind: 'number', label: true, cell: ({ name }) => count(versions.get(name)?.visits ?? 0) },
    { head: 'Leads', kind: 'number', label: true, cell: ({ name }) => count(versions.get(name)?.leads ?? 0) },
    {
      head: 'Conversion',
      kind: 'number',
      label: true,
      cell: ({ name }) => percentText(versions.get(name)?.conversion ?? null, english),
    },
    {
      head: 'Keep',
      isUnseen: true,
      kind: 'end',
      cell: ({ name }) => seen && (name === pageItself ? endLink(handle, split.page) : promoteForm(seen, name)),
    },
  ]
  const share = split.variants.reduce((rest, variant) => rest - variant.share, 100)
  const variants = [{ name: pageItself, page: split.page, share }, ...split.variants]
  const visits = figures.reduce((sum, version) => sum + version.visits, 0)
  const isTold = figures.filter((version) => version.visits >= splitVisitsMin).length > 1
  return html`<h2>Variants</h2><p class="said"><strong>${isTold ? capitalised(verdict) : 'Too few to tell'}.</strong> ${plural(visits, 'visit')} in the last ${overviewDays} days${isTold ? '' : `; each variant needs ${splitVisitsMin}`}.</p>
${table('Variants', columns, variants)}${seen && html`<p class="hint">Keeping one ends the test.</p>`}`
}

/** The page stays as it is once its split is taken out of `site.toml`. */
const endLink = (handle: string, page: string): Markup =>
  html`<a href="${settingsAt(handle, { key: `splits.${page}` })}">Keep ${pageItself}<span class="unseen">: remove the split in Settings</span></a>`

const promoteForm = (seen: string, name: string): Markup =>
  html`<form method="post"><input type="hidden" name="seen" value="${seen}"><input type="hidden" name="do" value="promote">
<button class="quiet" name="variant" value="${name}">Keep ${name}</button></form>`
