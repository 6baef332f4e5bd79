import { webhookKey } from '../account/webhook-secret.ts'
import type { Lead } from './lead.ts'

/**
 * The body of a webhook (Standard Webhooks 1.0, "Payload structure").
 * @param at when the submission began to count
 */
export const webhookBody = ({ record }: Lead, at: number): string =>
  JSON.stringify({ type: 'submission.accepted', timestamp: new Date(at).toISOString(), data: record })

interface Signing {
  /** The submission's id, the same on every try. */
  id: string
  body: string
  /** Each secret signs: two while one replaces the other. */
  secrets: readonly string[]
  /** The time of the attempt, epoch milliseconds. */
  now: number
}

/** Standard Webhooks 1.0, "Webhook headers". */
export function webhookHeaders({ id, body, secrets, now }: Signing): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const signed = `${id}.${timestamp}.${body}`
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, signed)}`).join(' '),
  }
}

const signature = (secret: string, signed: string): string =>
  new Bun.CryptoHasher('sha256', webhookKey(secret)).update(signed).digest('base64')

export const userAgent = 'capture'
