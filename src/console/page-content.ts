import type { Markup } from '../lib/html.ts'

/** A page of the console between its heading and its end. */
export interface PageContent {
  /** Absent: the text of the page's link. */
  title?: string
  body: Markup
  /** Above the heading: the way to the list that the page is an item of. */
  back?: Markup
  /** Beside the heading: what leads on from the page. */
  ways?: Markup | null | undefined
  /** Nothing leads elsewhere: neither head nor menu. */
  isAlone?: true
  /** A list and one of its items: the script shows them beside each other. */
  pane?: 'list' | 'lead'
  /** A script that this page needs beside the console's own. */
  script?: string | undefined
  /** Absent: 200. */
  status?: number
  /** The origin of the documents in the page's frames; absent: the page has no frames. */
  framesFrom?: string
  /** Reloads the page after this time, while work is under way whose result the page will show. */
  againAfterSeconds?: number
}
