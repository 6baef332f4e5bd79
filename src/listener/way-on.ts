import type { LiveSite } from '../asset/live-site.ts'
import type { SmallPageLink } from './small-page.ts'
import { type SmallPageLanguage, smallPageWords } from './small-page-words.ts'

/**
 * The links of a small page: the site's home page and contact, if any.
 *
 * @param origin the origin of the site's domain, if the page is on another host; '' on its own
 */
export function wayOn(
  site: LiveSite,
  { language, origin = '' }: { language: SmallPageLanguage; origin?: string },
): SmallPageLink[] {
  const { home, contact } = site.account.settings
  const { home: homeWord, contact: contactWord } = smallPageWords[language]
  const links: SmallPageLink[] = []
  if (home !== null && site.pages.has(home)) links.push({ href: `${origin}/`, label: homeWord })
  if (contact !== null) links.push({ href: contactHref(contact), label: `${contactWord} ${contactText(contact)}` })
  return links
}

/** An `https:` or `tel:` address unchanged; anything else is an e-mail address (`site.toml`, `contact`). */
const contactHref = (contact: string): string =>
  /^(?:https|tel):/.test(contact) ? contact : `mailto:${encodeURIComponent(contact).replace('%40', '@')}`

const contactText = (contact: string): string => contact.replace(/^(?:https:\/\/|tel:)/, '').replace(/\/$/, '')
