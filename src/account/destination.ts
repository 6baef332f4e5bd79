import type { JsonValue } from '../lib/json-value.ts'
import type { Form, FormMail } from './form.ts'

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
 * visitors of a form that writes to them.
 */
export type Destination =
  | MailDestination
  | WebhookDestination
  | ChatDestination
  | ReportDestination
  | VisitorDestination
export type DestinationKind = Destination['kind']

interface NamedDestination {
  /** Unique in its account: [a-z0-9-]{1,40}. */
  name: string
}

interface SubmissionDestination extends NamedDestination {
  /** Ids of the forms whose submissions it gets; `null`: every form. */
  forms: readonly string[] | null
  /** `null`: whatever the visitor entered. */
  when: FieldCondition | null
  /** Whether it gets only what the visitor confirmed by mail, and only then (docs/confirmed-leads.md). */
  confirmed: boolean
}

/** What a submission's field has to say: one of the values, or none of them. One of the two lists is `null`. */
export interface FieldCondition {
  field: string
  is: readonly string[] | null
  isNot: readonly string[] | null
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

/** What a form writes to its visitors, by its key in `site.toml`. */
export const visitorMailKinds = ['confirm', 'reply'] as const

/** Visitors of one form. Its name contains a colon, which other names cannot. */
interface VisitorDestination extends NamedDestination {
  kind: (typeof visitorMailKinds)[number]
  formId: string
  mail: FormMail
  /** Of a form that asks for confirmation, visitors get the reply once they have confirmed. */
  confirmed: boolean
}

/** The visitors of each form that writes to them. */
export const visitorDestinations = (
  forms: readonly Pick<Form, 'id' | (typeof visitorMailKinds)[number]>[],
): VisitorDestination[] =>
  forms.flatMap((form) =>
    visitorMailKinds.flatMap((kind) => {
      const { id: formId, [kind]: mail } = form
      const confirmed = kind === 'reply' && form.confirm !== null
      return mail === null ? [] : [{ kind, name: `${kind}:${formId}`, formId, mail, confirmed }]
    }),
  )

/** Whether visitors get it. What one of them does not take says something of that address, and nothing of the others. */
export const isToVisitors = ({ kind }: Pick<Destination, 'kind'>): boolean => kind === 'confirm' || kind === 'reply'

/** Whether it gets mail through the box's mail server. */
export const isReachedByMail = ({ kind }: Pick<Destination, 'kind'>): boolean =>
  kind === 'mail' || kind === 'report' || isToVisitors({ kind })

/** What decides where a submission goes. */
export interface RoutedSubmission {
  formId: string
  fields: Readonly<Record<string, JsonValue>>
}

/** Whether the destination gets the submission. A likely duplicate goes only to webhooks, marked as such. */
export function receivesSubmission(
  destination: Destination,
  { formId, fields }: RoutedSubmission,
  isDuplicate: boolean,
): boolean {
  if (!receivesForm(destination, formId) || (isDuplicate && destination.kind !== 'webhook')) return false
  return !('when' in destination) || destination.when === null || meets(destination.when, fields)
}

/** Whether the destination gets submissions of the form, whatever they say. */
export function receivesForm(destination: Destination, formId: string): boolean {
  if (destination.kind === 'report') return false
  if ('formId' in destination) return destination.formId === formId
  return destination.forms === null || destination.forms.includes(formId)
}

/** A list meets a condition when one of its values does; a field that was not sent has no value. */
function meets({ field, is, isNot }: FieldCondition, fields: RoutedSubmission['fields']): boolean {
  const sent = Object.hasOwn(fields, field) ? [fields[field] ?? null].flat() : []
  const values = sent.map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return is === null ? !values.some((value) => isNot?.includes(value)) : values.some((value) => is.includes(value))
}

/** Whether the destination gets a submission once the visitor has confirmed it, and not before. */
export const waitsForConfirmation = (destination: Destination): boolean =>
  'confirmed' in destination && destination.confirmed

/** The address as people may see it. For a chat, whose address is a secret, only the host. */
export const shownUrl = (destination: WebhookDestination | ChatDestination): string =>
  destination.kind === 'webhook' ? destination.url : shownHost(destination)

/** The address for places where even a webhook's path, which may be a secret, does not belong. */
export const shownHost = ({ url }: WebhookDestination | ChatDestination): string => `${URL.parse(url)?.host ?? ''}/…`
