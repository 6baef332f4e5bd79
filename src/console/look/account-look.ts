import type { StoredAccount } from '../../account/account.ts'
import { html, type Markup } from '../../lib/html.ts'
import { colourOfBothGrounds, isDark } from '../../lib/readable-colour.ts'

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
export function accountBadge(account: Pick<StoredAccount, 'handle' | 'settings'>): Markup {
  const colour = accountColour(account)
  const [initial = ''] = account.settings.name.trim()
  return html`<svg class="badge" width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6" fill="${colour}"/><text x="12" y="16.5" text-anchor="middle" font-size="13" font-weight="650" fill="${isDark(colour) ? '#ffffff' : '#000000'}">${initial.toUpperCase()}</text></svg>`
}

export const accountStripe = (account: Pick<StoredAccount, 'handle' | 'settings'>): Markup =>
  html`<svg class="stripe" width="100%" height="3" aria-hidden="true"><rect width="100%" height="3" fill="${accountColour(account)}"/></svg>`
