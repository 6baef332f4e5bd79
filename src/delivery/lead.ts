import type { Language } from '../language/language.ts'
import { Locale } from '../language/locale.ts'
import { filled } from '../language/wording.ts'
import { capitalised } from '../lib/capitalised.ts'
import type { JsonObject, JsonValue } from '../lib/json-value.ts'
import { isJsonObject } from '../lib/lossless-json.ts'

/** What carriers learn of a submission. A stranger typed all of it except the names of account and form. */
export interface Lead {
  accountId: string
  accountName: string
  handle: string
  /** The account's first connected domain. */
  domain: string
  /** IANA name: times are shown in this zone. */
  timezone: string
  /** The account's; `null`: it names none. */
  language: Language | null
  /** The account's brand colour, `#rrggbb`; `null`: it has none. */
  colour: string | null
  /** Whether mail may say what sent it. */
  credit: boolean
  /** The account's contact address; `null`: its contact is not an e-mail address. */
  contact: string | null
  formId: string
  formName: string
  /** The form's fields in its order, then others in the order of sending. Values that are not text stand as JSON. */
  fields: readonly LeadField[]
  /** The longest text of more than three words that the visitor wrote; `null`: there is none. */
  message: string | null
  /** The visitor's address, lower-case; `null`: the submission holds none. */
  replyTo: string | null
  receivedAt: number
  submissionId: string
  /** Most likely repeats an earlier one. */
  duplicate: boolean
  /** Came before its destination, and was sent there by a backfill. */
  isBackfilled: boolean
  /** Where the console shows it; `null`: the console has no host of its own. */
  link: string | null
  /** The submission as exported (docs/exports.md). */
  record: JsonObject
}

interface LeadField {
  /** The title in the form's schema, or else the field's own name. */
  name: string
  value: string
}

/** Reads submissions for carriers. */
export interface LeadReader {
  /** In the order of the ids; `null`: unreadable or gone. */
  leads(accountId: string, submissions: readonly AskedLead[]): Promise<(Lead | null)[]>
}

/** A submission, and whether a backfill sends it. */
export interface AskedLead {
  submissionId: string
  isBackfilled: boolean
}

interface FieldOptions {
  /** The form's schema. */
  schema: JsonObject
  /** The honeypot, a field for machines alone; `null`: none. */
  hidden: string | null
}

/** What a visitor sent: first the form's fields in its order, then others in the order of sending. */
export function leadFields(fields: JsonObject, { schema, hidden }: FieldOptions): LeadField[] {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const declared = Object.keys(properties).filter((name) => Object.hasOwn(fields, name))
  const others = Object.keys(fields).filter((name) => !Object.hasOwn(properties, name))
  return [...declared, ...others]
    .filter((name) => name !== hidden)
    .map((name) => ({ name: titleOf(properties, name), value: valueText(fields[name] ?? null) }))
}

function titleOf(properties: JsonObject, name: string): string {
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined
  const title = isJsonObject(property) ? property.title : undefined
  return typeof title === 'string' && title.trim() !== '' ? title : name
}

/** Numbers keep their digits. */
const valueText = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** A lead as people read it: every text is safe to show and limited in length. */
export interface LeadView {
  /** Who wrote, as far as the fields say; `null`: they do not. */
  who: string | null
  /** Their message, on one line; `null`: there is none. */
  words: string | null
  /** What the reader has to know first. */
  notes: readonly string[]
  rows: readonly LeadRow[]
  /** The number of fields beyond `rowsMax`. */
  rowsLeftOut: number
  /** When it came, from which page, and where the visitor came from. */
  facts: readonly LeadRow[]
  /** Where the console shows it; `null`: the console has no host of its own. */
  link: string | null
  /** Made by `capture delivery test`, not by a visitor. */
  isTest: boolean
}

export interface LeadRow {
  label: string
  value: string
}

/** More fields than any form shows; a hostile sender can add thousands. */
const rowsMax = 200
const labelCharactersMax = 80
/** For all values together: as much as a form may send (docs/running.md, `payload_limit`). */
const valueCharactersMax = 16_384
const whoCharactersMax = 60
const wordsCharactersMax = 140
const placeCharactersMax = 200

export function leadView(lead: Lead): LeadView {
  const locale = new Locale(lead.language)
  const { leadMail } = locale.texts
  const fields = lead.fields
    .map(({ name, value }) => ({ name, value: capturedText(value).trim() }))
    .filter(({ value }) => value !== '')
  const { record } = lead
  const isTest = record.test === true
  const isReleased = record.refusedFor !== null && record.status === 'accepted'
  const facts = [
    [leadMail.received, locale.instant(lead.receivedAt, lead.timezone)],
    [leadMail.page, pageOf(record, lead.domain)],
    [leadMail.source, originOf(record, locale)],
    [leadMail.files, filesOf(record)],
  ] as const
  return {
    who: whoWrote(fields, lead.replyTo),
    words: capturedLine(lead.message ?? '', wordsCharactersMax) || null,
    notes: [
      ...(isTest ? [leadMail.test] : []),
      ...(isReleased ? [leadMail.released] : []),
      ...(lead.isBackfilled ? [leadMail.backfilled] : []),
    ],
    rows: rowsOf(fields.slice(0, rowsMax), leadMail.nameless),
    rowsLeftOut: Math.max(0, fields.length - rowsMax),
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }])),
    link: lead.link,
    isTest,
  }
}

/** How many files came with it, whose names stand in its fields; `null`: none. The console has the bytes. */
const filesOf = ({ files }: JsonObject): string | null =>
  Array.isArray(files) && files.length > 0 ? String(files.length) : null

/**
 * `firstName`, `first_name` and `first-name` become `First name`; a name with a space or a capital is already a label.
 */
function humanLabel(name: string): string {
  const label = capturedLine(name, labelCharactersMax)
  if (!/^[a-z][A-Za-z0-9_.-]*$/.test(label)) return label
  const words = label
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_.-]+/g, ' ')
    .toLowerCase()
    .trim()
  return capitalised(words)
}

function rowsOf(fields: readonly LeadField[], nameless: string): LeadRow[] {
  let left = valueCharactersMax
  return fields.map(({ name, value }) => {
    const text = cutText(value, Math.max(left, 1))
    left -= text.length
    return { label: humanLabel(name) || nameless, value: text }
  })
}

const nameLabel = /^(?:your |full |contact |last |first )*name$/i

function whoWrote(fields: readonly LeadField[], replyTo: string | null): string | null {
  const named = fields.filter(({ name }) => nameLabel.test(humanLabel(name)))
  const whole = named.find(({ name }) => !/first|last/i.test(name))
  const text = whole === undefined ? named.map(({ value }) => value).join(' ') : whole.value
  return (
    capturedLine(text, whoCharactersMax) || (replyTo === null ? null : capturedLine(replyTo, whoCharactersMax)) || null
  )
}

function originOf({ attribution }: JsonObject, { texts: { leadMail } }: Locale): string | null {
  const touch = objectAt(attribution, 'last') ?? objectAt(attribution, 'first')
  if (touch === null || typeof touch.source !== 'string') return null
  if (touch.source === 'direct') return leadMail.direct
  const medium = typeof touch.medium === 'string' && touch.medium !== 'none' ? ` / ${touch.medium}` : ''
  const campaign = typeof touch.campaign === 'string' ? `, ${filled(leadMail.campaign, { name: touch.campaign })}` : ''
  return capturedLine(`${touch.source}${medium}${campaign}`, placeCharactersMax)
}

/** The page that the box served, or else the address that the browser sent. */
function pageOf(record: JsonObject, domain: string): string | null {
  const slug = objectAt(record, 'page')?.slug
  const source = objectAt(record, 'source')
  const host = typeof source?.host === 'string' ? source.host : domain
  if (typeof slug === 'string') return capturedLine(`${host}/${slug}`, placeCharactersMax)
  const address = [source?.referer, source?.origin].find((value) => typeof value === 'string')
  return typeof address === 'string' ? capturedLine(address.replace(/^https?:\/\//, ''), placeCharactersMax) : null
}

function objectAt(value: JsonValue | undefined, name: string): JsonObject | null {
  const inner = isJsonObject(value) ? value[name] : null
  return isJsonObject(inner) ? inner : null
}

/**
 * Invisible characters that change how the text around them is read: controls other than tab and line feed (C0, C1),
 * bidirectional overrides, embeddings, isolates and marks (Unicode Standard Annex 9), and interlinear annotations.
 */
const unseen =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb]/g

/** A stranger's text, safe to show: lines end in `\n`, and no character is invisible. */
const capturedText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(unseen, '')

/** The same on one line, at most so many characters long; `…` marks the cut. */
export function capturedLine(text: string, charactersMax: number): string {
  // The rest would be cut anyway.
  const line = capturedText(text.slice(0, 4 * charactersMax + 100))
    .replace(/\s+/g, ' ')
    .trim()
  return cutText(line, charactersMax)
}

/** Cuts between user-perceived characters, so that no emoji or accent is torn. */
export function cutText(text: string, charactersMax: number): string {
  if (text.length <= charactersMax) return text
  let end = 0
  for (const { index, segment } of graphemes.segment(text.slice(0, charactersMax + 64))) {
    if (index + segment.length > charactersMax - 1) break
    end = index + segment.length
  }
  return `${text.slice(0, end).trimEnd()}…`
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
