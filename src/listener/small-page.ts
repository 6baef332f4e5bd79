import type { HeaderRecord } from './answers.ts'

/** A short page for a person who ended up where nothing is. Text only, escaped here. */
export interface SmallPage {
  status: number
  title: string
  text: string
  /** An address to go on to, shown as a link. */
  link?: { href: string; label: string }
  headers?: HeaderRecord
}

const style =
  'body{font:1.0625rem/1.6 system-ui,sans-serif;max-width:34rem;margin:18vh auto 0;padding:0 1.5rem;color:#1c1c1c;background:#fafaf8}h1{font-size:1.5rem;line-height:1.25}a{color:#0b57a4}@media(prefers-color-scheme:dark){body{color:#ececea;background:#161616}a{color:#8ec5ff}}'

export function smallPage({ status, title, text, link, headers = {} }: SmallPage): Response {
  const anchor = link ? `<p><a rel="noreferrer" href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>` : ''
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style><main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p>${anchor}</main></html>\n`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  })
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
