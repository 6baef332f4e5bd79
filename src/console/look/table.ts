import { type HtmlPart, html, type Markup } from '../../lib/html.ts'

export interface TableColumn<T> {
  head: string
  /** Screen readers alone get the head: the cells are buttons. */
  isUnseen?: true
  /** Begins each cell on a phone, where rows have no head; `true`: the head does. */
  label?: true | string
  /** `end`: what can be done with the row. */
  kind?: 'number' | 'line' | 'wrap' | 'mono' | 'end'
  cell(row: T): HtmlPart
}

interface TableParts<T> {
  /** Rows that follow each other and say the same here stand under it. */
  groupOf?(row: T): string
  /** The widths of its columns do not follow what stands in them. */
  isEven?: true
}

/**
 * A table whose rows become a few lines each on a phone. What is still too wide scrolls on its own, also by keyboard.
 *
 * @param name for screen readers
 */
export const table = <T>(
  name: string,
  columns: readonly TableColumn<T>[],
  rows: readonly T[],
  { groupOf = () => '', isEven }: TableParts<T> = {},
): Markup =>
  html`<div class="stacks"><div class="scroll" role="region" tabindex="0" aria-label="${name}"><table${classOf(isEven && 'even')}><thead><tr>${columns.map(head)}</tr></thead>
${[...Map.groupBy(rows, groupOf)].map(
  ([group, inGroup]) =>
    html`<tbody>${group === '' ? null : html`<tr><th scope="rowgroup" colspan="${columns.length}">${group}</th></tr>`}${inGroup.map((row) => html`<tr>${columns.map((column) => cell(column, row))}</tr>`)}</tbody>`,
)}</table></div></div>`

const head = <T>({ head, isUnseen, kind }: TableColumn<T>): Markup =>
  html`<th${classOf(kind === 'mono' ? undefined : kind)}>${isUnseen ? html`<span class="unseen">${head}</span>` : head}</th>`

const cell = <T>({ head, label, kind, cell }: TableColumn<T>, row: T): Markup => {
  const name = label === true ? head : label
  return html`<td${classOf(kind)}${name === undefined ? null : html` data-label="${name}"`}>${cell(row)}</td>`
}

const classOf = (kind: string | undefined): Markup | null => (kind === undefined ? null : html` class="${kind}"`)
