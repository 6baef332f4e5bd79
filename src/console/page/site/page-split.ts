import { pageItself, type Split } from '../../../account/split.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { count } from '../../../lib/quantities.ts'
import { overviewDays } from '../../../operations/overview/overview-reader.ts'
import type { RecentCounts } from '../../../operations/overview/recent-counts.ts'
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

/** The variants of a split page, with forms that make one of them the page. */
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
    { head: 'Share', kind: 'number', label: true, cell: ({ share }) => `${share} %` },
    { head: 'Visits', kind: 'number', label: true, cell: ({ name }) => count(versions.get(name)?.visits ?? 0) },
    { head: 'Leads', kind: 'number', label: true, cell: ({ name }) => count(versions.get(name)?.leads ?? 0) },
    { head: 'Rate', kind: 'number', label: true, cell: ({ name }) => rate(versions.get(name)?.conversion ?? null) },
    {
      head: 'Promote',
      isUnseen: true,
      kind: 'end',
      cell: ({ name }) => (name === pageItself ? null : seen && promoteForm(seen, name)),
    },
  ]
  const share = split.variants.reduce((rest, variant) => rest - variant.share, 100)
  const variants = [{ name: pageItself, page: split.page, share }, ...split.variants]
  return html`<h2>Variants</h2>${table('Variants', columns, variants)}
<p>Result of the last ${overviewDays} days: <strong>${verdict}</strong>.${seen && html` To keep ${pageItself}, <a href="${settingsAt(handle, { key: `splits.${split.page}` })}">remove the split</a>.`}</p>`
}

const rate = (conversion: number | null): string => (conversion === null ? '–' : `${conversion} %`)

const promoteForm = (seen: string, name: string): Markup =>
  html`<form method="post"><input type="hidden" name="seen" value="${seen}"><input type="hidden" name="do" value="promote">
<button class="quiet" name="variant" value="${name}">Keep ${name}<span class="unseen">, end the test</span></button></form>`
