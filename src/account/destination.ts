import type { Form } from './form.ts'
import type { FormReply } from './form-reply.ts'

/** Their addresses are secrets: whoever knows one can post there. */
export const chatKinds = ['slack', 'discord', 'teams'] as const
type ChatKind = (typeof chatKinds)[number]

/** In the order of `site.toml`'s documentation. */
export const destinationKinds = ['mail', 'webhook', ...chatKinds, 'report'] as const

/** How often a report is sent. */
export const reportIntervals = ['day', 'week', 'month'] as const
export type ReportInterval = (typeof reportIntervals)[number]

/**
 * Where an account's submissions or reports are sent: one of `[[deliveries]]` in `site.toml` (contract section 14), or the
 * visitors of a form that replies to them.
 */
export type Destination = MailDestination | WebhookDestination | ChatDestination | ReportDestination | ReplyDestination
export type DestinationKind = Destination['kind']

interface NamedDestination {
  /** Unique in its account: [a-z0-9-]{1,40}. */
  name: string
}

interface SubmissionDestination extends NamedDestination {
  /** Ids of the forms whose submissions it gets; `null`: of every form. */
  forms: readonly string[] | null
}

export interface MailDestination extends SubmissionDestination {
  kind: 'mail'
  /** One address each, checked when published. */
  to: readonly string[]
}

interface WebhookDestination extends SubmissionDestination {
  kind: 'webhook'
  url: string
  /** Hex SHA-256 of the secret that `site.toml` gives; `null`: the box has minted one. The secret lies in storage alone. */
  givenSecret: string | null
}

interface ChatDestination extends SubmissionDestination {
  kind: ChatKind
  /** A secret: whoever knows it can post. Shown by `shownUrl` alone. */
  url: string
}

export interface ReportDestination extends NamedDestination {
  kind: 'report'
  to: readonly string[]
  every: ReportInterval
}

/** Visitors of one form: its `reply` in `site.toml`. Its name holds a colon, as no other's can. */
interface ReplyDestination extends NamedDestination {
  kind: 'reply'
  formId: string
  reply: FormReply
}

/** The visitors of each form that replies to them. */
export const replyDestinations = (forms: readonly Pick<Form, 'id' | 'reply'>[]): ReplyDestination[] =>
  forms.flatMap(({ id, reply }) => (reply === null ? [] : [{ kind: 'reply', name: `reply:${id}`, formId: id, reply }]))

/** Whether it is reached through the box's one mail server. */
export const isReachedByMail = ({ kind }: Destination): boolean =>
  kind === 'mail' || kind === 'report' || kind === 'reply'

/** Whether submissions of the form are sent there. A likely duplicate goes to webhooks alone, which are told so. */
export function receivesSubmission(destination: Destination, formId: string, isDuplicate: boolean): boolean {
  if (destination.kind === 'report' || (isDuplicate && destination.kind !== 'webhook')) return false
  if (destination.kind === 'reply') return destination.formId === formId
  return destination.forms === null || destination.forms.includes(formId)
}

/** The address as people may see it: of a chat, whose address is the key to it, only the host. */
export function shownUrl({ kind, url }: WebhookDestination | ChatDestination): string {
  if (kind === 'webhook') return url
  return `${URL.parse(url)?.host ?? ''}/…`
}
