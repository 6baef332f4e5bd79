import type { Touch } from '../attribution/touch.ts'

/** How the report's channels divide visits, visitors and leads (docs/reports.md, "Channels"). */
export const channelDivisions = ['source', 'medium', 'campaign', 'page', 'device'] as const
export type ChannelDivision = (typeof channelDivisions)[number]
/** Those whose names anyone can make up. */
export type NamedDivision = Exclude<ChannelDivision, 'device'>

/** What brought a visitor, where to, and on what. */
export interface Channel extends TouchChannel {
  device: DeviceKind
}

/** What a touch tells of a channel. */
export interface TouchChannel {
  source: string
  medium: string
  /** `null`: none. */
  campaign: string | null
  /** The path of the page on which the visitor arrived. */
  page: string
}

/** Stands for what no touch tells, which is not the same as a direct visit. */
export const unknownName = 'unknown'

export const channelOfTouch = (touch: Touch | null): TouchChannel => ({
  source: touch?.source ?? unknownName,
  medium: touch?.medium ?? unknownName,
  campaign: touch?.campaign || null,
  page: (touch?.url && URL.parse(touch.url)?.pathname) || unknownName,
})

export const deviceKinds = ['phone', 'tablet', 'desktop', 'other'] as const
export type DeviceKind = (typeof deviceKinds)[number]

/** In order: Android tablets do not say "Mobile", and iPads say "Mobile" too. An iPad that asks for a desktop's pages says it is a Mac. */
const kinds: readonly (readonly [DeviceKind, RegExp])[] = [
  ['other', /\b(?:TV|SmartTV|SMART-TV|Tizen|Web0S|PlayStation|Xbox|Nintendo)\b/i],
  ['tablet', /\biPad\b|\bTablet\b|\bKindle\b|\bSilk\/|\bAndroid\b(?!.*\bMobile\b)/i],
  ['phone', /\biPhone\b|\biPod\b|\bMobile\b|\bMobi\b|\bWindows Phone\b|\bOpera Mini\b/i],
  ['desktop', /\bWindows NT\b|\bMacintosh\b|\bX11\b|\bCrOS\b|\bLinux\b/i],
]

/** By the user agent, as browsers state it. */
export const deviceKind = (userAgent: string | null): DeviceKind =>
  kinds.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0] ?? 'other'
