import type { JsonObject, JsonValue } from './json-value.ts'

/** ECMAScript's "JSON.parse source text access", which TypeScript's library does not know. */
declare global {
  interface JSON {
    rawJSON(text: string): JsonObject
    isRawJSON(value: unknown): boolean
  }
}

/** The maximum nesting (RFC 8259 section 9 allows a limit). */
export const jsonDepthMax = 64

export type InvalidJsonReason = 'not_utf8' | 'not_json' | 'too_deep'

/** The bytes are not valid JSON, or exceed a limit. Never quotes what was sent. */
export class InvalidJson extends Error {
  override readonly name = 'InvalidJson'

  constructor(readonly reason: InvalidJsonReason) {
    super(reason)
  }
}

/**
 * Reads what a caller sent: strict RFC 8259 in UTF-8, without a byte order mark, at most `jsonDepthMax` levels deep.
 * The last of repeated keys counts, `__proto__` is a key like any other, and `JSON.stringify` of the value gives every
 * number back with the digits it was sent with. Throws `InvalidJson`.
 */
export function parseLosslessJson(bytes: Uint8Array): JsonValue {
  const text = utf8Text(bytes)
  if (isDeeperThan(text, jsonDepthMax)) throw new InvalidJson('too_deep')
  return parseLosslessText(text)
}

/** Reads stored JSON, its numbers unchanged. No limit on depth, since an envelope adds levels to a sent body. */
export function parseLosslessText(text: string): JsonValue {
  try {
    return mayChangeNumber.test(text) ? JSON.parse(text, keepNumber as Reviver) : JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidJson('not_json')
    throw error
  }
}

/** Whether the value is a JSON object: no array, no `null`, and no number kept as `JSON.rawJSON`. */
export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !JSON.isRawJSON(value)

/** `ignoreBOM` keeps the mark in the text, where it is invalid JSON. */
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function utf8Text(bytes: Uint8Array): string {
  try {
    return strictUtf8.decode(bytes)
  } catch {
    throw new InvalidJson('not_utf8')
  }
}

/**
 * Finds a number that a double may print otherwise. The reviver costs many times a plain parse, so it runs only then.
 *
 * A number stands at the start or after `[`, `:` or `,`. It is safe as an integer of at most 15 digits, or as a decimal
 * of at most 9 + 6 digits without a closing zero: doubles hold 15 digits, and print these without an exponent.
 * A string may look like a number: that costs a slow parse, never a digit. Linear: no run of characters is read from
 * two starting points, and what follows one is made of disjoint classes.
 */
const mayChangeNumber =
  /(?:^|[[:,])[ \t\r\n]*(?!(?:0|-?[1-9]\d{0,14}|-?(?:0|[1-9]\d{0,8})\.\d{0,5}[1-9])(?![\d.eE]))-?\d[\d.eE+-]*[ \t\r\n]*(?:[,\]}]|$)/

type Reviver = (key: string, value: unknown) => unknown

/** A reviver; its third argument is missing from TypeScript's library. */
function keepNumber(_key: string, value: JsonValue, context: { source?: string }): JsonValue {
  if (typeof value !== 'number' || context.source === undefined || String(value) === context.source) return value
  return JSON.rawJSON(context.source)
}

function isDeeperThan(text: string, depthMax: number): boolean {
  return hasMoreBracketsThan(text, depthMax) && nestsDeeperThan(text, depthMax)
}

/** The cheap check first: with fewer brackets, even in strings, the text cannot be that deep. */
function hasMoreBracketsThan(text: string, countMax: number): boolean {
  let count = 0
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) if (++count > countMax) return true
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) if (++count > countMax) return true
  return false
}

const quote = 0x22
const backslash = 0x5c

/** `{` and `[` differ from each other, and `}` from `]`, in the bit 0x20 alone. */
const opening = 0x7b
const closing = 0x7d

function nestsDeeperThan(text: string, depthMax: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = closingQuote(text, at)
    else if ((code | 0x20) === opening && ++depth > depthMax) return true
    else if ((code | 0x20) === closing) depth--
  }
  return false
}

/** Where the string that opens at `start` ends; the text's end if it does not. */
function closingQuote(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) return at
    at += code === backslash ? 2 : 1
  }
  return at
}
