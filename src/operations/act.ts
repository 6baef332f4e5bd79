import type { Static, TObject, TSchema, TUnion } from '@sinclair/typebox'
import type { Right, Scope } from '../account/scope.ts'
import type { JsonObject } from '../lib/json-value.ts'
import type { KnownRevisions } from '../lib/revision.ts'
import type { ActName } from './act-words.ts'

/** What an act changed, for the audit log: settings and states, never a secret. */
export interface AuditChange {
  /** `null`: there was nothing before, or, of `after`, there is nothing after. */
  before: JsonObject | null
  after: JsonObject | null
}

/** What the audit log learns from what was done. */
export interface NotedResult {
  /** What it was done to, where only the result knows. */
  subject?: string | undefined
  /** Where only the result knows: of the account that was made, or that somebody is invited to. */
  accountId?: string | undefined
  change?: AuditChange | undefined
  /** It was done before, and its answer is given again: the log has it already. */
  isRepeat?: boolean | undefined
}

/** What an act has done: what `--json` and the API answer, and what the audit log learns. */
export type Done<A> = {
  answer: A
  /** Of what it wrote, for whoever writes next. */
  revision?: string
} & NotedResult

/** The same, where an absent member may also be given as `undefined`. */
type OrUndefined<T> = { [K in keyof T]: Pick<T, K> extends Required<Pick<T, K>> ? T[K] : T[K] | undefined }

/** What an act is done with. Acts of an account name it by its handle; `known` are the revisions that it may overwrite. */
export type ActInput<Of, I extends TSchema> = OrUndefined<Static<I>> &
  (Of extends 'account' ? { account: string; known?: KnownRevisions } : unknown)

/** Something that can be done, whatever presents it. */
export interface Doable<In, Box, By, D> {
  name: ActName
  /** What the audit log names as its object; absent: the account's handle. Asked before it is done. */
  subject?(input: In, box: Box): string | Promise<string>
  run(box: Box, input: In, by: By): Promise<D>
}

/** What an act is told: members by name, or one of several sets of them. */
export type InputSchema = TObject | TUnion<TObject[]>

/** Something that can be done to an account or to the box: declared here, presented by a command, a page and an endpoint. */
export interface Act<Of extends 'account' | 'box', I extends InputSchema, A extends TSchema, Box, By, D>
  extends Doable<ActInput<Of, I>, Box, By, D> {
  /** A verb and its object, for the API's description. */
  text: string
  of: Of
  /** The right that users and tokens need; `signed_in`: none, to act on what is one's own. */
  scope: Of extends 'box' ? Scope | 'signed_in' : Scope
  /** What users need where a part of the scope is enough; absent: the scope. */
  right?: Right
  /** Only owners and tokens of the box may, although it concerns an account. */
  ownersOnly?: true
  /** Users must have confirmed their identity within the last ten minutes. */
  asksAgain?: true
  input: I
  answer: A
}

/** What an act answers. */
export type AnswerOf<T extends { answer: TSchema }> = Static<T['answer']>

/** Declares an act; its schemas give the types of its input and answer. */
export const defineAct = <
  Of extends 'account' | 'box',
  I extends InputSchema,
  A extends TSchema,
  Box,
  By,
  D extends Done<Static<A>>,
>(
  act: Act<Of, I, A, Box, By, D>,
): Act<Of, I, A, Box, By, D> => act

/** What the log names before the act is done. */
export const subjectOf = async <In, Box>(
  { subject }: Pick<Doable<In, Box, never, unknown>, 'subject'>,
  input: In,
  box: Box,
): Promise<string> => subject?.(input, box) ?? (input as { account?: string }).account ?? ''
