import type { Click } from '../../ledger/entry.ts'
import type { DeviceKey } from '../devices.ts'

/** 128 bits: collisions are not to be expected. */
const groupCharacters = 22
/** Compared within a group only. */
const agentCharacters = 8

/**
 * The group of clicks in which a burst is looked for: clicks on one message by the link's recipient. For links without
 * a recipient, clicks from one address with one user agent, or of one device if the account keeps no addresses.
 *
 * A scanner seldom keeps cookies, so each of its clicks comes from another device.
 */
export function burstGroup({ message, recipient, deviceId, source, evidence }: Click): string {
  const { ip } = source
  const agent = evidence.headers['user-agent'] ?? ''
  const who = recipient !== null ? ['to', recipient] : ip !== null ? ['from', ip, agent] : ['by', deviceId]
  return hash(JSON.stringify([message, ...who]), groupCharacters)
}

export const agentHash = ({ evidence }: Click): string => hash(evidence.headers['user-agent'] ?? '', agentCharacters)

/**
 * Whether two clicks of a group certainly come from one visitor: one device, or one user agent using one recipient's
 * links. One address with one user agent may be a whole office.
 */
export const isSameVisitor = (one: Visited, other: Visited): boolean =>
  one.device === other.device || (one.recipient !== null && one.agent === other.agent)

interface Visited {
  device: DeviceKey
  recipient: string | null
  agent: string
}

const hash = (text: string, characters: number): string => Bun.SHA256.hash(text, 'base64url').slice(0, characters)
