import type { Device } from '../devices.ts'

/** A device that is silent for so long has left; what it views then is another visit. */
const visitPauseMs = 30 * 60_000

/** Records may come a moment out of order; one from before the device's latest belongs to the same visit. */
export const isVisiting = ({ hitAt }: Pick<Device, 'hitAt'>, at: number): boolean =>
  hitAt !== null && at - hitAt < visitPauseMs
