import { Answers } from '../answers.ts'
import { type DeviceKey, isStored } from '../devices.ts'
import { isLater, type Receipt } from '../ledger-item.ts'
import { isDirect, type Touch } from './touch.ts'

export interface RecordedTouch {
  receipt: Receipt
  touch: Touch
}

/** Later than all others. */
const ever: Receipt = { at: Number.MAX_SAFE_INTEGER, id: '' }

export interface TouchLoads {
  firstTouch(device: DeviceKey): RecordedTouch | null
  /** The last touch up to then that is not direct. */
  lastTouch(device: DeviceKey, upTo: Receipt): RecordedTouch | null
}

/** Where devices came from: stored touches and those of the step's entries. */
export class Touches {
  readonly added: (RecordedTouch & { device: DeviceKey })[] = []
  private readonly ofDevice = new Map<DeviceKey, RecordedTouch[]>()
  private readonly firsts: Answers<DeviceKey, RecordedTouch | null>
  private readonly lasts: Answers<DeviceKey, RecordedTouch | null>

  constructor(private readonly load: TouchLoads) {
    this.firsts = new Answers((device) => load.firstTouch(device), String)
    this.lasts = new Answers((device) => load.lastTouch(device, ever), String)
  }

  add(device: DeviceKey, touch: Touch, receipt: Receipt): void {
    this.added.push({ device, touch, receipt })
    const others = this.ofDevice.get(device)
    if (others === undefined) this.ofDevice.set(device, [{ touch, receipt }])
    else others.push({ touch, receipt })
  }

  /** Whether any touch of the device came before. */
  hasEarlier(device: DeviceKey, receipt: Receipt): boolean {
    const isEarlier = (touch: RecordedTouch | null) => touch !== null && isLater(receipt, touch.receipt)
    return isEarlier(this.first(device)) || this.of(device).some(isEarlier)
  }

  /** The device's first touch up to then and its last one that is not direct (the first, if all are direct). */
  upTo(device: DeviceKey, receipt: Receipt): { first: Touch | null; last: Touch | null } {
    let first = upTo(this.first(device), receipt)
    let last = this.last(device, receipt)
    for (const recorded of this.of(device)) {
      if (isLater(recorded.receipt, receipt)) continue
      if (first === null || isLater(first.receipt, recorded.receipt)) first = recorded
      if (!isDirect(recorded.touch) && (last === null || isLater(recorded.receipt, last.receipt))) last = recorded
    }
    return { first: first?.touch ?? null, last: (last ?? first)?.touch ?? null }
  }

  private of(device: DeviceKey): readonly RecordedTouch[] {
    return this.ofDevice.get(device) ?? []
  }

  private first(device: DeviceKey): RecordedTouch | null {
    return isStored(device) ? this.firsts.of(device) : null
  }

  /** Only a late record asks storage for more than the very last one. */
  private last(device: DeviceKey, receipt: Receipt): RecordedTouch | null {
    if (this.first(device) === null) return null
    const last = this.lasts.of(device)
    return last !== null && isLater(last.receipt, receipt) ? this.load.lastTouch(device, receipt) : last
  }
}

const upTo = (recorded: RecordedTouch | null, receipt: Receipt): RecordedTouch | null =>
  recorded === null || isLater(recorded.receipt, receipt) ? null : recorded
