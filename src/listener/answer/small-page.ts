import type { BrandColours } from '../../account/account.ts'
import type { LiveSite } from '../../asset/live-site.ts'
import { acceptedLanguage } from '../../language/accepted-language.ts'
import { type Language, textsOf } from '../../language/language.ts'
import { html, type Markup, trustedMarkup } from '../../lib/html.ts'
import { isDark, readableColour, usualColour } from '../../lib/readable-colour.ts'
import type { HeaderRecord } from './answers.ts'

/** A short page for a visitor without a target. Texts are escaped here and contain nothing from the request. */
export interface SmallPage {
  status: number
  language: Language
  /** The account whose name and colours the page shows; absent: none. */
  site?: LiveSite | undefined
  title: string
  text: string
  /** Posts to the page's own address. */
  button?: string
  links?: SmallPageLink[]
  headers?: HeaderRecord
}

interface SmallPageLink {
  href: string
  label: string
}

const lightBackground = '#fafaf8'
const darkBackground = '#161616'
const lightText = '#1c1c1c'
const darkText = '#ececea'

const layout =
  ':root{color-scheme:light dark}body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif;overflow-wrap:anywhere}' +
  'main{max-width:34rem;margin:0 auto;padding:14vh 1.5rem 3rem}' +
  '.name{margin:0 0 1.75rem;padding-left:.75rem;border-left:.25rem solid;font-weight:600}' +
  'h1{margin:0 0 .75rem;font-size:1.5rem;line-height:1.25}p{margin:0 0 1rem}' +
  'ul{margin:0;padding:0;list-style:none}li{padding:.25rem 0}a{text-underline-offset:.15em}' +
  'button{font:inherit;padding:.5rem 1.25rem;border:1px solid;border-radius:.375rem;background:none;color:inherit;cursor:pointer}'

const nobodys = smallPageStyle({ colour: null, background: null })
/** Cached per published site. */
const styles = new WeakMap<BrandColours, SmallPageStyle>()

export function smallPage({
  status,
  language,
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

function styleOf(brand: BrandColours): SmallPageStyle {
  const known = styles.get(brand)
  if (known !== undefined) return known
  const made = smallPageStyle(brand)
  styles.set(brand, made)
  return made
}

const listItem = ({ href, label }: SmallPageLink): Markup =>
  html`<li><a rel="noreferrer" href="${href}">${label}</a></li>`

interface SmallPageStyle {
  css: string
  /** Allows this style sheet and nothing else. */
  policy: string
}

/**
 * The style of an account's small pages in light and dark mode, with its colours as far as they are legible: a dark background in
 * both modes, a light one only in light mode.
 */
export function smallPageStyle({ colour, background }: BrandColours): SmallPageStyle {
  const light = background ?? lightBackground
  const dark = background !== null && isDark(background) ? background : darkBackground
  const css =
    layout +
    colours(light, colour) +
    (dark === light ? '' : `@media(prefers-color-scheme:dark){${colours(dark, colour)}}`)
  const policy = `default-src 'none'; style-src 'sha256-${new Bun.CryptoHasher('sha256').update(css).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
  return { css, policy }
}

function colours(background: string, colour: string | null): string {
  const accent = readableColour(colour ?? usualColour, background)
  const text = readableColour(isDark(background) ? darkText : lightText, background)
  return `body{color:${text};background:${background}}a{color:${accent}}.name{border-color:${accent}}`
}

/** Who asked, as far as it is known, and the account whose page they see. */
export interface SmallPageReader {
  request?: Request | undefined
  site?: LiveSite | null
}

/** The account's language; where it names none, the visitor's (docs/languages.md). */
export const languageFor = ({ request, site }: SmallPageReader): Language =>
  site?.account.settings.language ?? (request === undefined ? 'en' : acceptedLanguage(request))

/**
 * The links of a small page: the site's home page and contact, if any.
 *
 * @param origin the origin of the site's domain, if the page is on another host; '' on its own
 */
export function wayOn(
  site: LiveSite,
  { language, origin = '' }: { language: Language; origin?: string },
): SmallPageLink[] {
  const { home, contact } = site.account.settings
  const { home: homeWord, contact: contactWord } = textsOf(language).smallPages
  const links: SmallPageLink[] = []
  if (home !== null && site.pages.has(home)) links.push({ href: `${origin}/`, label: homeWord })
  if (contact !== null) links.push({ href: contactHref(contact), label: `${contactWord} ${contactText(contact)}` })
  return links
}

/** An `https:` or `tel:` address unchanged; anything else is an e-mail address (`site.toml`, `contact`). */
const contactHref = (contact: string): string =>
  /^(?:https|tel):/.test(contact) ? contact : `mailto:${encodeURIComponent(contact).replace('%40', '@')}`

const contactText = (contact: string): string => contact.replace(/^(?:https:\/\/|tel:)/, '').replace(/\/$/, '')

/** Most downloads have finished by then. */
const retryAfterSeconds = 10
const headers = { 'retry-after': String(retryAfterSeconds) }

export function tooManyForAddress(reader: SmallPageReader): Response {
  const language = languageFor(reader)
  return smallPage({ status: 429, language, ...textsOf(language).smallPages.tooManyDownloads, headers })
}

/** The box has no capacity or no descriptor for another download. */
export function backInAMoment(reader: SmallPageReader): Response {
  const language = languageFor(reader)
  return smallPage({ status: 503, language, ...textsOf(language).smallPages.busy, headers })
}
