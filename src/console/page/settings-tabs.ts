import type { Markup } from '../../lib/html.ts'
import { tabs } from './list-page.ts'
import type { AccountPageCall } from './page.ts'

/** The parts of an account's settings, by the last part of their paths. */
const parts = [
  ['account', 'In force'],
  ['settings', 'site.toml'],
  ['keys', 'Tracking key'],
] as const

export const settingsTitle = 'Settings'
/** The page whose link in the navigation stands for all of them. */
export const settingsPath = '/a/:account/account'

export const settingsTabs = ({ account }: AccountPageCall, current: (typeof parts)[number][0]): Markup =>
  tabs(
    settingsTitle,
    parts.map(([path, text]) => ({ href: `/a/${account.handle}/${path}`, text, isCurrent: path === current })),
  )
