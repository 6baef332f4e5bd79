import { trackingKeyOf } from '../../harness/a-site.ts'

/** What a page of a test says otherwise than a plain one. */
export interface PageParts {
  /** The connected domain whose script the page embeds; `null`: none. */
  scriptFrom?: string | null
  account?: string
  /** Before the script. */
  head?: string
  body?: string
}

/** A page that embeds the script with its two lines, as the documentation says. */
export function pageWith({ scriptFrom = 'https://go.acme.test', account = 'acme', head, body }: PageParts): string {
  const script =
    scriptFrom === null
      ? ''
      : `<script src="${scriptFrom}/_svc/v1.js" data-site-key="${trackingKeyOf(account)}" defer></script>`
  return `<!doctype html><html lang="en"><head><title>A page</title>${head ?? ''}${script}</head><body>${body ?? ''}</body></html>`
}

/** A form with an email field and a message. */
export const formMarkup = ({ id = 'contact1', attributes = '', fields = '' } = {}): string => `
  <form data-svc-form="${id}" method="post" ${attributes}>
    <label>Email <input name="email" value=""></label>
    <label>Message <textarea name="message"></textarea></label>
    ${fields}
    <button type="submit">Send</button>
  </form>`
