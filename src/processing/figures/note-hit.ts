import type { LocalDays } from '../../lib/local-day.ts'
import { type Hit, isDirect, type Touch } from '../attribution/touch.ts'
import { directTouch, isView } from '../attribution/touch-of.ts'
import type { Touches } from '../attribution/touches.ts'
import { recordedVersion, withVersion } from '../attribution/versions.ts'
import { type Device, type DeviceKey, type Devices, servedPage } from '../devices.ts'
import { type ProcessedAccount, receiptOf } from '../ledger-item.ts'
import { isIdentify } from '../person/tie-to-person.ts'
import type { Rules } from '../processing-state.ts'
import { type Channel, channelOfTouch, deviceKind } from './channel.ts'
import type { Figures } from './figures.ts'
import {
  bitsOf,
  type CountedHit,
  countedChannel,
  figuresOfChannel,
  figuresOfHit,
  type NotedHit,
  wentOnBit,
} from './measures.ts'

/** The parts of the state that counting reads and changes. */
interface HitState {
  devices: Pick<Devices, 'save'>
  figures: Pick<Figures, 'add' | 'boundedName' | 'noteVisitor'>
  days: Pick<LocalDays, 'of'>
  touchOf: Rules['touchOf']
  touches: Pick<Touches, 'upTo'>
}

interface Visitor {
  account: ProcessedAccount
  device: Device
  isBot: boolean
}

/** Counts views, visits, visitors and events of the day (docs/reports.md). */
export function noteHit(entry: Hit, visitor: Visitor, state: HitState): NotedHit {
  const { account, device, isBot } = visitor
  const day = state.days.of(entry.receivedAt, account.timezone)
  const hit = countedHit(entry, { ...visitor, day }, state)
  const channel = hit.beginsVisit ? device.channel : null
  const wentOn =
    !hit.isView && entry.kind !== 'click' && !(isBot && hit.isEvent) && goesOn(device, entry.receivedAt, state)
  const counted = bitsOf(hit) | (wentOn ? wentOnBit : 0)
  for (const figure of figuresOfHit(counted, { receivedAt: entry.receivedAt, read: () => entry }))
    state.figures.add(account.id, { ...figure, day, count: 1 })
  for (const figure of figuresOfChannel('visit', day, channel)) state.figures.add(account.id, { ...figure, count: 1 })
  keepPage(entry, device, state)
  return { day, counted, channel }
}

/** A person's view begins a visit or continues one. */
function countedHit(
  entry: Hit,
  { account, device, isBot, day }: Visitor & { day: number },
  state: HitState,
): CountedHit {
  const isSeen = isView(entry)
  const isEvent = entry.kind === 'event' && !isSeen && !isIdentify(entry)
  const hit = { entry, isView: isSeen, isEvent, isBot, beginsVisit: false, isNewVisitor: false }
  if (!isSeen || isBot) return hit
  const at = entry.receivedAt
  const beginsVisit = !isVisiting(device, at)
  const before = { ...device }
  if (beginsVisit) {
    const channel = channelOf(entry, { account, device, day }, state)
    Object.assign(device, { visitAt: at, versions: [], channel })
  }
  keepVersion(entry, device)
  const isNewVisitor = state.figures.noteVisitor(account.id, device, { day, before })
  device.hitAt = Math.max(device.hitAt ?? at, at)
  state.devices.save(device)
  return { ...hit, beginsVisit, isNewVisitor }
}

/** Keeps the version that the visit is shown, for what follows. Whoever calls saves the device. */
function keepVersion(entry: Hit, device: Device): void {
  const version = entry.kind === 'page_view' ? recordedVersion(entry) : null
  if (version !== null) device.versions = withVersion(device.versions, version)
}

/** What began the visit, as the day counts it. */
function channelOf(
  view: Hit,
  { account, device, day }: { account: ProcessedAccount; device: Device; day: number },
  { touchOf, touches, figures }: HitState,
): Channel {
  const touch = beginningOf(view, { device: device.key, stated: touchOf(view, account) }, touches)
  return countedChannel({ ...channelOfTouch(touch), device: deviceKind(view.source.userAgent) }, (division, name) =>
    figures.boundedName(account.id, { day, division, name }),
  )
}

/**
 * What began the visit of a view: what the view says, or the click on a mailed link that led to it, of which the view itself says
 * nothing.
 */
export function beginningOf(
  view: Hit,
  { device, stated }: { device: DeviceKey; stated: Touch | null },
  touches: Pick<Touches, 'upTo'>,
): Touch {
  const touch = stated ?? directTouch(view)
  if (!isDirect(touch)) return touch
  const { last } = touches.upTo(device, receiptOf(view))
  const hasLed = last?.via === 'click' && view.receivedAt - Date.parse(last.at) < visitPauseMs
  return hasLed ? { ...last, url: touch.url } : touch
}

/** Whether the event continues a visit. Events never begin one: apps and servers send some without a visitor. */
function goesOn(device: Device, at: number, state: HitState): boolean {
  if (device.hitAt === null || at <= device.hitAt || !isVisiting(device, at)) return false
  device.hitAt = at
  state.devices.save(device)
  return true
}

/** A device that is silent for so long has left; what it views then is another visit. */
export const visitPauseMs = 30 * 60_000

/** Records may come a moment out of order; one from before the device's latest belongs to the same visit. */
export const isVisiting = ({ hitAt }: Pick<Device, 'hitAt'>, at: number): boolean =>
  hitAt !== null && at - hitAt < visitPauseMs

/** Keeps the landing page served last, for the receipt of the next submission. */
function keepPage(entry: Hit, device: Device, state: HitState): void {
  if (entry.kind !== 'page_view' || (device.page !== null && entry.receivedAt < device.page.at)) return
  device.page = servedPage(entry)
  state.devices.save(device)
}
