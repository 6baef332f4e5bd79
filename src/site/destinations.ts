import { type ChatKind, type Destination, type FieldCondition, isChat } from '../account/destination.ts'
import { readWebhookSecret, webhookSecretFingerprint } from '../account/webhook-secret.ts'
import { isJsonObject } from '../lib/lossless-json.ts'
import { nearest } from '../lib/suggestion.ts'
import type { Place } from '../lib/toml/value.ts'
import { keptInTheBox } from './kept-folder.ts'
import { type SecretSources, secretKeys, secretOf } from './secret.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenDelivery, WrittenForm } from './site-schema.ts'

/** A destination in the folder. */
export interface FolderDestination {
  destination: Destination
  /** A webhook's secret, never printed; `keptInTheBox`: the one that the box has; `null`: the folder has none. */
  secret: string | null
  /** The position of its address, for a later check whether it may be reached. */
  urlPlace: Place
}

interface DestinationSources extends SecretSources {
  forms: readonly WrittenForm[]
}

export async function folderDestinations(
  written: readonly WrittenDelivery[],
  sources: DestinationSources,
  report: FolderReport,
): Promise<FolderDestination[]> {
  report.twins(written, 'name', ({ name }) => name)
  const read: FolderDestination[] = []
  for (const entry of written) {
    checkKeys(entry, report)
    checkForms(entry, sources.forms, report)
    checkCondition(entry, sources.forms, report)
    checkConfirmed(entry, sources.forms, report)
    const secret = entry.value.kind === 'webhook' ? await webhookSecret(entry, sources, report) : null
    keepAddress(entry, report)
    const destination = destinationOf(entry.value, secret)
    if (destination !== null) read.push({ destination, secret, urlPlace: entry.place('url') })
  }
  return read
}

type Value = WrittenDelivery['value']
type Kind = Value['kind']
const keys = ['to', 'forms', 'when', 'confirmed', 'url', 'secret', 'secret_env', 'secret_file', 'every'] as const
type Key = (typeof keys)[number]

interface Keys {
  needed: readonly Key[]
  possible: readonly Key[]
}

/** They choose among submissions. */
const chosen: readonly Key[] = ['forms', 'when', 'confirmed']

/** Beside `name` and `kind`. */
const keysOf: Readonly<Record<Exclude<Kind, ChatKind> | 'chat', Keys>> = {
  mail: { needed: ['to'], possible: chosen },
  webhook: { needed: ['url'], possible: [...chosen, 'secret', 'secret_env', 'secret_file'] },
  chat: { needed: ['url'], possible: chosen },
  report: { needed: ['to', 'every'], possible: [] },
}

function checkKeys(entry: WrittenDelivery, report: FolderReport): void {
  const { kind } = entry.value
  const { needed, possible } = keysOf[isChat(kind) ? 'chat' : kind]
  for (const key of keys) {
    const isGiven = entry.value[key] !== null
    if (!isGiven && needed.includes(key))
      report.key(entry.place(key), `is missing: a delivery of the kind "${kind}" needs it`)
    if (isGiven && !needed.includes(key) && !possible.includes(key))
      report.key(entry.place(key), `has no meaning for the kind "${kind}"; remove it`)
  }
}

function checkForms({ value, place }: WrittenDelivery, forms: readonly WrittenForm[], report: FolderReport): void {
  const ids = new Set(forms.map((form) => form.value.id))
  for (const id of value.forms ?? [])
    if (!ids.has(id)) report.key(place('forms'), `there is no form with the id "${id}" in this file`)
}

/** Warns of a field that a form named by the delivery lacks, or that every form lacks where the delivery names none. */
function checkCondition({ value, place }: WrittenDelivery, forms: readonly WrittenForm[], report: FolderReport): void {
  const { when, forms: ids } = value
  if (when === null) return
  if ((when.is === null) === (when.is_not === null)) report.key(place('when'), 'needs one of is and is_not')
  const asked = forms.filter(({ value: { id } }) => ids === null || (id !== null && ids.includes(id)))
  const lacking = asked.filter(({ value: { schema } }) => !fieldsOf(schema).includes(when.field))
  if (lacking.length === 0 || (ids === null && lacking.length < asked.length)) return
  const meant = nearest(
    when.field,
    lacking.flatMap(({ value: { schema } }) => fieldsOf(schema)),
  )
  const names = lacking.map(({ value: { id, name } }) => `"${id ?? name}"`).join(', ')
  const lacks = lacking.length === 1 ? `the form ${names} has no field` : `the forms ${names} have no field`
  const mend = meant === null ? 'declare it in their schema' : `did you mean "${meant}"?`
  report.warn('unknown_field', place('when'), `${lacks} "${when.field}"; ${mend}`)
}

const fieldsOf = ({ properties }: WrittenForm['value']['schema']): string[] =>
  isJsonObject(properties) ? Object.keys(properties) : []

/** Warns of forms whose submissions the delivery would wait for in vain. */
function checkConfirmed({ value, place }: WrittenDelivery, forms: readonly WrittenForm[], report: FolderReport): void {
  if (value.confirmed !== true) return
  const unasked = forms.flatMap(({ value: { id, confirm } }) =>
    id !== null && confirm === null && (value.forms === null || value.forms.includes(id)) ? [id] : [],
  )
  if (unasked.length === 0) return
  const message = `nothing of ${unasked.join(', ')} is sent there: only forms with confirm = { … } ask visitors to confirm`
  report.warn('no_confirmation', place('confirmed'), message)
}

/** The address of a chat is a secret, which the box may keep; those of webhooks are none. */
function keepAddress({ value: { name, kind, url }, place }: WrittenDelivery, report: FolderReport): void {
  if (url !== keptInTheBox) return
  if (kind === 'webhook') report.key(place('url'), 'must be an https:// address: the box keeps those of chats alone')
  else report.keep({ owner: `deliveries.${name}`, place: place('url'), source: null })
}

/** `null`: there is none, or it is faulty and has been reported. */
async function webhookSecret(
  entry: WrittenDelivery,
  sources: SecretSources,
  report: FolderReport,
): Promise<string | null> {
  const text = await secretOf(`deliveries.${entry.value.name}`, entry, sources, report)
  if (text === '' || text === null || text === keptInTheBox) return text || null
  const key = secretKeys.find((name) => entry.value[name] !== null) ?? 'secret'
  return readWebhookSecret(text) ?? report.key(entry.place(key), secretExpected)
}

const secretExpected =
  'must be "whsec_" and the base64 of 24 to 64 random bytes; without a secret the box makes one and prints it once'

/** `null`: a key is missing and has been reported. */
function destinationOf(value: Value, secret: string | null): Destination | null {
  const { name, kind, to, url, every, forms } = value
  const chosen = { forms, when: conditionOf(value), confirmed: value.confirmed ?? false }
  switch (kind) {
    case 'mail':
      return to && { kind, name, to, ...chosen }
    case 'report':
      return to && every && { kind, name, to, every }
    case 'webhook':
      return url === null
        ? null
        : { kind, name, url, ...chosen, givenSecret: secret && webhookSecretFingerprint(secret) }
    default:
      return url === null ? null : { kind, name, url, ...chosen }
  }
}

const conditionOf = ({ when }: Value): FieldCondition | null =>
  when && { field: when.field, is: when.is, isNot: when.is_not }
