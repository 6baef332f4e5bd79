import { type Static, type TSchema, Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import { type Act, type ActInput, type Done, type InputSchema, subjectOf } from '../../operations/act.ts'
import type { OnRecordNotice } from '../../operations/record/record-notice.ts'
import type { Caller } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { publisherOf } from '../publisher.ts'
import { type ApiCall, type ApiEndpoint, etagOf, type Method } from './endpoint.ts'

/** Who does an act through the API or a page. */
export type ActingCaller = Publisher & { caller: Caller; onNotice: OnRecordNotice }

export const acting = (caller: Caller): ActingCaller => ({ ...publisherOf(caller), caller, onNotice: () => {} })

/** How an act is called. */
interface Presented<In> {
  method: Exclude<Method, 'GET'>
  /** Below `/api/v1`, with `:names`; members of the act's input by these names are read there. */
  path: string
  /** Where the rest of its input stands; absent: there is none. */
  sends?: 'query' | 'body'
  /** Members of the input that this address does not take. */
  without?: readonly string[]
  status?: 201
  ifMatch?: 'optional'
  answersETag?: true
  /** Instead of the act's, where one of two addresses does a part of it. */
  summary?: string
  /** The input, where it is not what was sent. @throws ApiError */
  input?(call: ApiCall): Partial<In> & object
}

/** The endpoint of an act. */
export function actEndpoint<Of extends 'account' | 'box', I extends InputSchema, A extends TSchema>(
  act: Act<Of, I, A, never, never, Done<Static<A>>>,
  { method, path, sends, without = [], input: more, summary = act.text, ...endpoint }: Presented<ActInput<Of, I>>,
): ApiEndpoint {
  const elsewhere = [...(path.match(/(?<=:)\w+/g) ?? []), ...without]
  const inputOf = (call: ApiCall) => {
    const sent = { ...call.params, ...(sends === 'query' && (call.query as object)), ...(call.body as object) }
    return { ...sent, known: call.known, ...more?.(call) } as unknown as ActInput<Of, I>
  }
  const { name, of, scope, ownersOnly, asksAgain, answer } = act
  return {
    ...{ of, method, path, summary, scope, asksAgain, answer, audited: name, ...endpoint },
    ...(ownersOnly && { ownersOnly }),
    ...(sends !== undefined && { [sends]: sentHere(act.input, { elsewhere, isClosed: sends === 'body' }) }),
    subject: (call: ApiCall, box: ConsoleBox) => subjectOf(act, inputOf(call), box as never),
    async run(call: ApiCall, box: ConsoleBox) {
      const done = await act.run(box as never, inputOf(call), acting(call.caller) as never)
      const { answer: value, revision, ...noted } = done
      return { value, ...noted, ...(revision !== undefined && { headers: etagOf(revision) }) }
    },
  } as unknown as ApiEndpoint
}

/** The members that the path does not name. Several sets of members are sent as they are. */
function sentHere(
  input: InputSchema,
  { elsewhere, isClosed }: { elsewhere: string[]; isClosed: boolean },
): InputSchema {
  if (!('properties' in input)) return input
  const rest = Object.entries<TSchema>(input.properties).filter(([name]) => !elsewhere.includes(name))
  return Type.Object(Object.fromEntries(rest), isClosed ? { additionalProperties: false } : {})
}
