import type { LocalDays } from '../../lib/local-day.ts'
import type { Hit } from '../attribution/touch.ts'
import { type Device, type Devices, servedPage } from '../devices.ts'
import { isIdentify } from '../person/tie-to-person.ts'
import type { ProcessedAccount } from '../processed-account.ts'
import type { Figures } from './figures.ts'
import { figuresTakenBack, hitBits, wentOnBit } from './hit-bits.ts'
import { isVisiting } from './visiting.ts'
import { returnsOfDay } from './visitor-returns.ts'

/** The parts of the state that counting reads and changes. */
interface HitState {
  devices: Pick<Devices, 'save'>
  figures: Pick<Figures, 'add' | 'noteVisitor'>
  days: Pick<LocalDays, 'of'>
}

/** What an entry added to which day's figures, so that its erasure can subtract it. */
interface CountedHit {
  /** Days since 1970 in the account's time zone. */
  day: number
  /** The bits of `hitBits`, and `wentOnBit`. */
  counted: number
}

/** Counts views, visits, visitors and events of the day (docs/reports.md). */
export function noteHit(
  entry: Hit,
  { account, device, isBot }: { account: ProcessedAccount; device: Device; isBot: boolean },
  state: HitState,
): CountedHit {
  const day = state.days.of(entry.receivedAt, account.timezone)
  const counted = bitsOf(entry, { account, device, isBot, day }, state)
  const slug = entry.kind === 'page_view' ? entry.slug : null
  for (const figure of figuresTakenBack(counted, slug)) state.figures.add(account.id, { ...figure, day, count: 1 })
  keepPage(entry, device, state)
  return { day, counted }
}

interface View {
  account: ProcessedAccount
  device: Device
  /** Epoch milliseconds. */
  at: number
  day: number
}

function bitsOf(entry: Hit, { isBot, ...visitor }: Omit<View, 'at'> & { isBot: boolean }, state: HitState): number {
  if (entry.kind === 'page_view' || (entry.kind === 'event' && entry.event === '$pageview')) {
    if (isBot) return hitBits.view_bot
    const bits = viewed({ ...visitor, at: entry.receivedAt }, state)
    return entry.kind === 'page_view' ? bits | hitBits.page : bits
  }
  if (entry.kind === 'click') return 0
  // Identifies a visitor; not counted as an event (spec, Event batch request body).
  const isCounted = !isIdentify(entry)
  if (isBot && isCounted) return hitBits.event_bot
  const wentOn = goesOn(visitor.device, entry.receivedAt, state) ? wentOnBit : 0
  return isCounted ? hitBits.event | wentOn : wentOn
}

/** A view begins a visit or continues one. */
function viewed({ account, device, at, day }: View, state: HitState): number {
  let bits: number = hitBits.view
  if (!isVisiting(device, at)) {
    bits |= hitBits.visit
    device.visitAt = at
  }
  if (device.viewDay !== day && isNewVisitor({ account, device, day }, state)) bits |= hitBits.visitor
  moveVisitor({ account, device, day }, state)
  device.hitAt = Math.max(device.hitAt ?? at, at)
  state.devices.save(device)
  return bits
}

/** Whether it is the device's first view of the day; then it is noted how long it had been away. */
function isNewVisitor({ account, device, day }: Omit<View, 'at'>, { figures }: HitState): boolean {
  const around = figures.noteVisitor(device, day)
  if (around === null) return false
  for (const figure of returnsOfDay(day, around)) figures.add(account.id, figure)
  return true
}

/** Keeps the latest day on which the device viewed something. */
function moveVisitor({ account, device, day }: Omit<View, 'at'>, { figures }: HitState): void {
  if (device.viewDay !== null && device.viewDay >= day) return
  const count = (on: number, count: number) =>
    figures.add(account.id, { day: on, measure: 'visitor_last', name: '', count })
  if (device.viewDay !== null) count(device.viewDay, -1)
  count(day, 1)
  device.viewDay = day
}

/** Whether the event continues a visit. Events never begin one: apps and servers send some without a visitor. */
function goesOn(device: Device, at: number, state: HitState): boolean {
  if (device.hitAt === null || at <= device.hitAt || !isVisiting(device, at)) return false
  device.hitAt = at
  state.devices.save(device)
  return true
}

/** Keeps the landing page served last, for the receipt of the next submission. */
function keepPage(entry: Hit, device: Device, state: HitState): void {
  if (entry.kind !== 'page_view' || (device.page !== null && entry.receivedAt < device.page.at)) return
  device.page = servedPage(entry)
  state.devices.save(device)
}
