import type { Click } from '../../ledger/entry.ts'
import type { DeviceKey } from '../devices.ts'

/** 128 bits: no two meet by chance. */
const groupCharacters = 22
/** Compared within a group only. */
const agentCharacters = 8

/**
 * Among whose clicks of which message a burst is looked for: those of the link's recipient; of a link that was signed
 * for nobody, those from one address with one user agent, or of one device where the account keeps no addresses.
 *
 * A scanner seldom keeps cookies, so that each of its clicks is another device.
 */
export function burstGroup({ message, recipient, deviceId, source, evidence }: Click): string {
  const { ip } = source
  const agent = evidence.headers['user-agent'] ?? ''
  const who = recipient !== null ? ['to', recipient] : ip !== null ? ['from', ip, agent] : ['by', deviceId]
  return hash(JSON.stringify([message, ...who]), groupCharacters)
}

export const agentHash = ({ evidence }: Click): string => hash(evidence.headers['user-agent'] ?? '', agentCharacters)

/**
 * Whether two clicks of a group are surely by one visitor: one device, or one user agent with one recipient's links. From
 * one address with one user agent may come a whole office.
 */
export const isSameVisitor = (one: Visited, other: Visited): boolean =>
  one.device === other.device || (one.recipient !== null && one.agent === other.agent)

interface Visited {
  device: DeviceKey
  recipient: string | null
  agent: string
}

const hash = (text: string, characters: number): string =>
  new Bun.CryptoHasher('sha256').update(text).digest('base64url').slice(0, characters)
