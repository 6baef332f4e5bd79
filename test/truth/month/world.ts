import type { HeldBox } from '../box/held-box.ts'
import type { SignLink } from '../box/mailing-links.ts'
import type { Happening } from './happening.ts'

/** What those who act in the month act on, and where what they did is written down. */
export interface World {
  box: HeldBox
  sign: SignLink
  /** In the order of time. */
  diary: Happening[]
}
