import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import { isLater, type Receipt } from '../receipt.ts'
import { isDirect, type Touch } from './touch.ts'

/** A touch, and the record that told it. */
export interface ToldTouch {
  receipt: Receipt
  touch: Touch
}

export interface LastTouchQuery {
  device: DeviceKey
  upTo: Receipt
}

export interface TouchLoads {
  firstTouch(asked: DeviceKey[]): (ToldTouch | null)[]
  /** The last up to then that is not direct. */
  lastTouch(asked: LastTouchQuery[]): (ToldTouch | null)[]
}

/** Behind every receipt. */
const end: Receipt = { at: Number.MAX_SAFE_INTEGER, id: '' }

/** Where devices came from: what storage has, and what entries of the step tell. */
export class Touches {
  readonly added: (ToldTouch & { device: DeviceKey })[] = []
  private readonly ofDevice = new Map<DeviceKey, ToldTouch[]>()
  private readonly firsts: Answers<DeviceKey, ToldTouch | null>
  /** The last that is not direct. */
  private readonly lasts: Answers<LastTouchQuery, ToldTouch | null>

  constructor(load: TouchLoads) {
    this.firsts = new Answers((asked) => load.firstTouch(asked), String)
    this.lasts = new Answers(
      (asked) => load.lastTouch(asked),
      ({ device, upTo }) => `${device} ${upTo.at} ${upTo.id}`,
    )
  }

  /** @param first devices of which the first touch is asked; @param last of which the last one is too */
  foresee({ first, last }: { first: Iterable<DeviceKey>; last: Iterable<DeviceKey> }): void {
    this.firsts.foresee([...first, ...last])
    this.lasts.foresee(Array.from(last, (device) => ({ device, upTo: end })))
  }

  add(device: DeviceKey, touch: Touch, receipt: Receipt): void {
    this.added.push({ device, touch, receipt })
    const others = this.ofDevice.get(device)
    if (others === undefined) this.ofDevice.set(device, [{ touch, receipt }])
    else others.push({ touch, receipt })
  }

  /** Whether any touch of the device came before. */
  hasEarlier(device: DeviceKey, receipt: Receipt): boolean {
    return this.of(device).some((told) => isLater(receipt, told.receipt)) || this.isBefore(this.first(device), receipt)
  }

  /** The device's first touch up to then, and its last one that is not direct (the first, when all are). */
  upTo(device: DeviceKey, receipt: Receipt): { first: Touch | null; last: Touch | null } {
    let first = upTo(this.first(device), receipt)
    let last = this.last(device, receipt)
    for (const told of this.of(device)) {
      if (isLater(told.receipt, receipt)) continue
      if (first === null || isLater(first.receipt, told.receipt)) first = told
      if (!isDirect(told.touch) && (last === null || isLater(told.receipt, last.receipt))) last = told
    }
    return { first: first?.touch ?? null, last: (last ?? first)?.touch ?? null }
  }

  private of(device: DeviceKey): readonly ToldTouch[] {
    return this.ofDevice.get(device) ?? []
  }

  private first(device: DeviceKey): ToldTouch | null {
    return isStored(device) ? this.firsts.of(device) : null
  }

  /** Hardly any record comes before the last touch that is known; only such a one is looked up by itself. */
  private last(device: DeviceKey, receipt: Receipt): ToldTouch | null {
    if (!isStored(device)) return null
    const last = this.lasts.of({ device, upTo: end })
    return upTo(last, receipt) ?? (last === null ? null : this.lasts.of({ device, upTo: receipt }))
  }

  private isBefore(told: ToldTouch | null, receipt: Receipt): boolean {
    return told !== null && isLater(receipt, told.receipt)
  }
}

const upTo = (told: ToldTouch | null, receipt: Receipt): ToldTouch | null =>
  told === null || isLater(told.receipt, receipt) ? null : told
