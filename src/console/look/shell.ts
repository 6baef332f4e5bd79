import type { StoredAccount } from '../../account/account.ts'
import { type Language, textsOf } from '../../language/language.ts'
import type { Locale } from '../../language/locale.ts'
import { filled } from '../../language/wording.ts'
import { html, type Markup } from '../../lib/html.ts'
import { colourOfBothGrounds, isDark } from '../../lib/readable-colour.ts'
import type { UserCaller } from '../access/caller.ts'
import type { PageContent } from '../page-content.ts'
import { colourPath, iconPath, scriptPath, stylePath } from './files.ts'
import { type IconName, icon } from './icons.ts'

interface ShellContent extends Pick<PageContent, 'body' | 'back' | 'ways' | 'pane' | 'script'> {
  /** `#rrggbb`, in place of the console's own. */
  colour: string | null
  title: string
  caller: UserCaller
  /** `null`: a page of the box. */
  account: StoredAccount | null
  others: OtherAccounts
  path: string
  navigation: readonly NavigationGroup[]
  locale: Locale
}

export interface NavigationGroup {
  name: string
  links: readonly NavigationLink[]
}

export interface NavigationLink {
  href: string
  text: string
  icon: IconName
}

export function shell({
  title,
  body,
  back,
  ways,
  caller,
  account,
  others,
  path,
  navigation,
  locale,
  pane,
  script,
  colour,
}: ShellContent): Markup {
  const { console: words } = locale.texts
  const heading = account === null ? 'Capture' : account.settings.name
  return document(
    `${title} · ${heading}`,
    html`<a class="skip" href="#content">${words.skip}</a>
<header class="top">${account && accountStripe(account)}<button type="button" class="quiet menu" popovertarget="menu">${menuIcon}<span class="unseen">${words.menu}</span></button><a class="brand" href="/">${brand}</a>${account && accountCrumb(account, others, locale)}
<form class="out" id="out" method="post" action="/sign-out"><span>${caller.email}</span> <button class="quiet">${words.signOut}</button></form></header>
<nav class="side" id="menu" popover aria-label="${words.menu}">${navigation.map((group) => links(group, path))}<button class="quiet" form="out">${words.signOut}</button></nav>
${mainPart(pane, html`${back ?? null}${head(html`<h1>${title}</h1>`, ways)}${body}`)}`,
    { colour, script, language: locale.language },
  )
}

const menuIcon = html`<svg width="20" height="20" viewBox="0 0 20 20" stroke="currentColor" stroke-width="2" aria-hidden="true"><path d="M2 5h16M2 10h16M2 15h16"/></svg>`

const brand = html`<img src="${iconPath}" width="22" height="22" alt="">Capture`

/** The way from one thing to all of its kind. */
export const backLink = (href: string, text: string): Markup => html`<p class="back"><a href="${href}">${text}</a></p>`

/** A heading, and at the end of its line what leads on from there. */
export const head = (heading: Markup, ways?: Markup | null): Markup =>
  ways == null ? heading : html`<div class="head">${heading}<div class="ways">${ways}</div></div>`

const mainPart = (pane: ShellContent['pane'], content: Markup): Markup =>
  pane === undefined
    ? html`<main id="content" tabindex="-1">${content}</main>`
    : html`<main id="content" tabindex="-1" class="panes"><section class="pane" id="${pane}-pane">${content}</section></main>`

interface BareContent extends Pick<ShellContent, 'title' | 'body'> {
  /** Whose page it is; `null`: nobody's. Absent: the console's. */
  of?: StoredAccount | null | undefined
  language?: Language
}

export function bareShell({ title, body, of, language = 'en' }: BareContent): Markup {
  const whose = of === undefined ? brand : of && html`${accountStripe(of)}${accountName(of)}`
  const above = whose && html`<p class="brand">${whose}</p>`
  return document(`${title} · Capture`, html`<main class="bare" id="content">${above}${body}</main>`, { language })
}

const links = ({ name, links }: NavigationGroup, path: string): Markup =>
  html`<p>${name}</p><ul aria-label="${name}">${links.map((to) => link(to, path))}</ul>`

const link = ({ href, text, icon: name }: NavigationLink, path: string): Markup =>
  html`<li><a href="${href}"${path === href ? html` aria-current="page"` : null}>${icon(name)}${text}</a></li>`

interface DocumentLook extends Pick<PageContent, 'script'>, Partial<Pick<ShellContent, 'colour'>> {
  language?: Language
}

const document = (
  title: string,
  body: Markup,
  { language = 'en', colour = null, script }: DocumentLook,
): Markup => html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${title}</title>
<link rel="icon" href="${iconPath}"><link rel="stylesheet" href="${stylePath}">${colour === null ? null : html`<link rel="stylesheet" href="${colourPath(colour)}">`}${[scriptPath, script].map((path) => (path === undefined ? null : html`<script src="${path}" defer></script>`))}</head>
<body${scriptWords(language)}>${body}</body></html>
`

/** What the script says. */
function scriptWords(language: Language): Markup {
  const { offline, retyped, passkeyFailed, selected } = textsOf(language).console.script
  return html` data-offline="${offline}" data-retyped="${retyped}" data-passkey-failed="${passkeyFailed}" data-selected="${selected}"`
}

export interface OtherAccounts {
  number: number
  /** Empty if there are too many for a menu. */
  shown: readonly Pick<StoredAccount, 'handle' | 'settings'>[]
}

/** The account of the page, with a menu of the user's other accounts. */
function accountCrumb(account: StoredAccount, others: OtherAccounts, locale: Locale): Markup {
  const { console: words } = locale.texts
  const name = accountName(account)
  if (others.number === 0) return html`<span class="crumb">${name}</span>`
  return html`<button type="button" class="quiet crumb" popovertarget="accounts">${name}<span class="unseen"> (${words.switchAccount})</span></button>
<nav id="accounts" popover aria-label="${words.accounts}"><ul>${others.shown.map(accountLink)}<li><a href="/">${filled(words.allAccounts, { count: locale.count(others.number + 1) })}</a></li></ul></nav>`
}

const accountLink = (account: OtherAccounts['shown'][number]): Markup =>
  html`<li><a href="/a/${account.handle}">${accountName(account)}</a></li>`

const accountName = (account: OtherAccounts['shown'][number]): Markup =>
  html`${accountBadge(account)} <span class="name">${account.settings.name}</span>`

/** The account's own colour, `#rrggbb`, or a quiet colour derived from its handle. */
export const accountColour = ({ handle, settings }: Pick<StoredAccount, 'handle' | 'settings'>): string =>
  colourOfBothGrounds(settings.brand.colour ?? quietColour(handle))

const hues = 360
const saturation = 0.35
const lightness = 0.45

function quietColour(handle: string): string {
  const hue = new DataView(Bun.SHA256.hash(handle).buffer).getUint16(0) % hues
  // CSS Color 4, section 7.1: HSL to sRGB.
  const channel = (n: number) => {
    const k = (n + hue / 30) % 12
    return lightness - saturation * lightness * Math.max(-1, Math.min(k - 3, 9 - k, 1))
  }
  return `#${[0, 8, 4]
    .map((n) =>
      Math.round(channel(n) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** The account's initial on its colour. */
function accountBadge(account: Pick<StoredAccount, 'handle' | 'settings'>): Markup {
  const colour = accountColour(account)
  const [initial = ''] = account.settings.name.trim()
  return html`<svg class="badge" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="${colour}"/><text x="12" y="16.5" text-anchor="middle" font-size="13" font-weight="650" fill="${isDark(colour) ? '#ffffff' : '#000000'}">${initial.toUpperCase()}</text></svg>`
}

const accountStripe = (account: Pick<StoredAccount, 'handle' | 'settings'>): Markup =>
  html`<svg class="stripe" width="100%" height="3" aria-hidden="true"><rect width="100%" height="3" fill="${accountColour(account)}"/></svg>`
