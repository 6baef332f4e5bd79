import { moreText, type ReportList, reportLists } from '../report-lists.ts'
import type { ReportView } from '../report-view.ts'

/** The most names of a list in a mail; the page (`capture report --html`) shows more. */
const rowsMax = 8

/** A list of a letter, the same in HTML and in plain text. */
export type LetterList = Pick<ReportList, 'title' | 'headings' | 'rows' | 'remarks'>

/** The lists of a letter, without empty ones. */
export const letterLists = (view: ReportView): LetterList[] => reportLists(view).map(letterList)

function letterList({ title, headings, rows, more, remarks }: ReportList): LetterList {
  const names = Math.max(0, rows.length - rowsMax) + more.names
  return {
    title,
    headings: ends(headings),
    rows: rows.slice(0, rowsMax).map((row) => ({ ...row, figures: ends(row.figures) })),
    remarks: [...moreText({ ...more, names }), ...remarks],
  }
}

/** The first and the last: beside the names, a phone has space for two figures. */
const ends = <Value>(values: Value[]): Value[] =>
  values.length > 2 ? [...values.slice(0, 1), ...values.slice(-1)] : values
