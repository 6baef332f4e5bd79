import type { Form, FormReply } from './form.ts'

/** The name of each kind of chat. Their addresses are secrets: whoever knows one can post there. */
export const chatNames = { slack: 'Slack', discord: 'Discord', teams: 'Teams' }
export type ChatKind = keyof typeof chatNames
const chatKinds = Object.keys(chatNames) as ChatKind[]
export const isChat = (kind: string): kind is ChatKind => Object.hasOwn(chatNames, kind)

/** In the order of `site.toml`'s documentation. */
export const destinationKinds = ['mail', 'webhook', ...chatKinds, 'report'] as const

/** How often a report is sent. */
export const reportIntervals = ['day', 'week', 'month'] as const
export type ReportInterval = (typeof reportIntervals)[number]

/**
 * A destination of an account's submissions or reports: one of `[[deliveries]]` in `site.toml` (docs/deliveries.md), or the
 * visitors of a form with replies.
 */
export type Destination = MailDestination | WebhookDestination | ChatDestination | ReportDestination | ReplyDestination
export type DestinationKind = Destination['kind']

interface NamedDestination {
  /** Unique in its account: [a-z0-9-]{1,40}. */
  name: string
}

interface SubmissionDestination extends NamedDestination {
  /** Ids of the forms whose submissions it gets; `null`: every form. */
  forms: readonly string[] | null
}

export interface MailDestination extends SubmissionDestination {
  kind: 'mail'
  /** One address per item, checked when published. */
  to: readonly string[]
}

interface WebhookDestination extends SubmissionDestination {
  kind: 'webhook'
  url: string
  /** Hex SHA-256 of the secret that `site.toml` gives; `null`: the box made one. Only storage has the secret. */
  givenSecret: string | null
}

interface ChatDestination extends SubmissionDestination {
  kind: ChatKind
  /** A secret: everybody who knows it can post. Only `shownUrl` may show it. */
  url: string
}

export interface ReportDestination extends NamedDestination {
  kind: 'report'
  to: readonly string[]
  every: ReportInterval
}

/** Visitors of one form: its `reply` in `site.toml`. Its name contains a colon, which other names cannot. */
interface ReplyDestination extends NamedDestination {
  kind: 'reply'
  formId: string
  reply: FormReply
}

/** The visitors of each form that replies to them. */
export const replyDestinations = (forms: readonly Pick<Form, 'id' | 'reply'>[]): ReplyDestination[] =>
  forms.flatMap(({ id, reply }) => (reply === null ? [] : [{ kind: 'reply', name: `reply:${id}`, formId: id, reply }]))

/** Whether it gets mail through the box's mail server. */
export const isReachedByMail = ({ kind }: Destination): boolean =>
  kind === 'mail' || kind === 'report' || kind === 'reply'

/** Whether the destination gets submissions of the form. A likely duplicate goes only to webhooks, marked as such. */
export function receivesSubmission(destination: Destination, formId: string, isDuplicate: boolean): boolean {
  if (destination.kind === 'report' || (isDuplicate && destination.kind !== 'webhook')) return false
  if (destination.kind === 'reply') return destination.formId === formId
  return destination.forms === null || destination.forms.includes(formId)
}

/** The address as people may see it. For a chat, whose address is a secret, only the host. */
export const shownUrl = (destination: WebhookDestination | ChatDestination): string =>
  destination.kind === 'webhook' ? destination.url : shownHost(destination)

/** The address for places where even a webhook's path, which may be a secret, does not belong. */
export const shownHost = ({ url }: WebhookDestination | ChatDestination): string => `${URL.parse(url)?.host ?? ''}/…`
