import type { BrandSettings } from '../account/account.ts'
import type { LiveSite } from '../asset/live-site.ts'
import { html, type Markup, trustedMarkup } from '../lib/html.ts'
import type { HeaderRecord } from './answers.ts'
import { type SmallPageStyle, smallPageStyle } from './small-page-style.ts'
import type { SmallPageLanguage } from './small-page-words.ts'

/** A short page for a visitor without a target. Texts are escaped here and contain nothing from the request. */
export interface SmallPage {
  status: number
  language?: SmallPageLanguage
  /** The account whose name and colours the page shows; absent: none. */
  site?: LiveSite
  title: string
  text: string
  /** Posts to the page's own address. */
  button?: string
  /** Addresses to go on to. */
  links?: SmallPageLink[]
  headers?: HeaderRecord
}

export interface SmallPageLink {
  href: string
  label: string
}

const nobodys = smallPageStyle({ colour: null, background: null })
/** Cached per published site. */
const styles = new WeakMap<BrandSettings, SmallPageStyle>()

export function smallPage({
  status,
  language = 'en',
  site,
  title,
  text,
  button,
  links = [],
  headers = {},
}: SmallPage): Response {
  const { css, policy } = site === undefined ? nobodys : styleOf(site.account.settings.brand)
  const name = site === undefined ? null : html`<p class="name">${site.account.settings.name}</p>`
  const form = button === undefined ? null : html`<form method="post"><button>${button}</button></form>`
  const list = links.length === 0 ? null : html`<ul>${links.map(listItem)}</ul>`
  const page = html`<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${title}</title><style>${trustedMarkup(css)}</style><main>${name}<h1>${title}</h1><p>${text}</p>${form}${list}</main></html>\n`
  return new Response(page.text, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'cache-control': 'no-store',
      'content-security-policy':
        button === undefined ? policy : policy.replace("form-action 'none'", "form-action 'self'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      ...headers,
    },
  })
}

function styleOf(brand: BrandSettings): SmallPageStyle {
  const known = styles.get(brand)
  if (known !== undefined) return known
  const made = smallPageStyle(brand)
  styles.set(brand, made)
  return made
}

const listItem = ({ href, label }: SmallPageLink): Markup =>
  html`<li><a rel="noreferrer" href="${href}">${label}</a></li>`
