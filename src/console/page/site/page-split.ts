import { pageItself, type Split } from '../../../account/split.ts'
import { html, type Markup } from '../../../lib/html.ts'
import { type TableColumn, table } from '../../look/table.ts'

interface SplitPage {
  handle: string
  /** `null`: the page has one version. */
  split: Split | null
  /** Of the page that is shown, so that nobody's later change is overwritten; `null`: its reader may not publish. */
  seen: string | null
}

/** The variants of a split page, with forms that make one of them the page. */
export function splitSection({ handle, split, seen }: SplitPage): Markup | null {
  if (split === null) return null
  const columns: TableColumn<Split['variants'][number]>[] = [
    { head: 'Variant', cell: ({ name }) => name },
    {
      head: 'Page',
      cell: ({ page }) =>
        page === split.page
          ? html`/${page} <span class="soft">this page</span>`
          : html`<a href="/a/${handle}/pages/${page}">/${page}</a>`,
    },
    { head: 'Visitors', cell: ({ share }) => `${share} %` },
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
<p class="hint"><a href="/a/${handle}/report">The report</a> says which variant brings more leads.</p>`
}

const promoteForm = (seen: string, name: string): Markup =>
  html`<form method="post"><input type="hidden" name="seen" value="${seen}"><input type="hidden" name="do" value="promote">
<button class="quiet" name="variant" value="${name}">Make variant ${name} the page</button></form>`
