import { type Hit, isDirect } from './attribution/touch.ts'
import { noteClick, noteLife } from './clicks/judging.ts'
import type { Device } from './devices.ts'
import { noteHit } from './figures/note-hit.ts'
import { noteGoals } from './goals/note-goals.ts'
import { type LedgerItem, type ProcessedAccount, receiptOf } from './ledger-item.ts'
import { tieToPerson } from './person/tie-to-person.ts'
import type { ProcessingState } from './processing-state.ts'
import { noteSubmission, processConfirmation, processRelease } from './submissions/note-submission.ts'
import { amendLaterSubmissions } from './submissions/origin.ts'
import { processRefusal } from './submissions/refusal.ts'

/** Processes one entry: whose it is, where they came from, and what it adds to the figures. */
export function processEntry({ key, entry, account }: LedgerItem, state: ProcessingState): void {
  // The erased records are already gone from the ledger.
  if (entry.kind === 'erasure') return
  if (entry.kind === 'release') {
    processRelease(entry, account, state)
    return
  }
  if (entry.kind === 'refusal') {
    processRefusal(entry, account, state)
    return
  }
  if (entry.kind === 'confirmation') {
    processConfirmation(entry, account, state)
    return
  }
  if (entry.kind === 'submission') state.submissions.addFiles(entry)
  // Records of the test page count nowhere (docs/previews.md).
  if (entry.test) return
  if (entry.kind === 'submission') {
    const device = entry.deviceId === null ? null : state.devices.named(account.id, entry.deviceId)
    const person = entry.status === 'accepted' ? tieToPerson(entry, { account, device }, state) : null
    const { day } = noteSubmission(entry, { account, device, person }, state)
    if (entry.status === 'accepted') noteGoals(entry, { account, device, key, day }, state)
    if (device !== null) state.devices.noteEntry(device, entry, { day, counted: 0, channel: null })
    return
  }
  const device = state.devices.named(account.id, entry.deviceId)
  const isBot = state.verdicts.isBot(entry)
  tieToPerson(entry, { account, device }, state)
  const isTouch = noteTouch(entry, { account, device }, state)
  const hit = noteHit(entry, { account, device, isBot }, state)
  if (entry.kind === 'click') noteClick(entry, { account, device, day: hit.day }, state)
  else noteLife(entry, { account, device, isBot }, state)
  if (!isBot) noteGoals(entry, { account, device, key, day: hit.day }, state)
  state.devices.noteEntry(device, entry, hit)
  // No other record says where a submission came from.
  if (isTouch || entry.kind === 'page_view') amendLaterSubmissions(entry, { account, device }, state)
}

/**
 * Keeps where the device came from, if the record says so. A direct view says nothing once something came before it,
 * and is skipped. If one was kept and an earlier touch is committed later, first and last touch stay right. Returns
 * whether a touch was kept.
 */
export function noteTouch(
  hit: Hit,
  { account, device }: { account: ProcessedAccount; device: Pick<Device, 'key'> },
  { touches, touchOf }: Pick<ProcessingState, 'touches' | 'touchOf'>,
): boolean {
  const touch = touchOf(hit, account)
  if (touch === null) return false
  const receipt = receiptOf(hit)
  if (isDirect(touch) && touches.hasEarlier(device.key, receipt)) return false
  touches.add(device.key, touch, receipt)
  return true
}
