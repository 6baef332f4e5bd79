import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox'
import type { Publisher } from '../../account/publisher.ts'
import { type Act, type ActInput, type Done, subjectOf } from '../../operations/act.ts'
import type { OnRecordNotice } from '../../operations/record/record-notice.ts'
import type { Caller } from '../access/caller.ts'
import type { ConsoleBox } from '../console-box.ts'
import { publisherOf } from '../publisher.ts'
import type { ApiCall, ApiEndpoint, Method } from './endpoint.ts'

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
  /** Instead of the act's, where one of two addresses does a part of it. */
  summary?: string
  /** The input, where it is not what was sent. @throws ApiError */
  input?(call: ApiCall): Partial<In> & object
}

/** The endpoint of an act. */
export function actEndpoint<Of extends 'account' | 'box', I extends TObject, A extends TSchema>(
  act: Act<Of, I, A, never, never, Done<Static<A>>>,
  { method, path, sends, without = [], input: more, summary = act.text, ...endpoint }: Presented<ActInput<Of, I>>,
): ApiEndpoint {
  const elsewhere = [...(path.match(/(?<=:)\w+/g) ?? []), ...without]
  const rest = Object.entries<TSchema>(act.input.properties).filter(([name]) => !elsewhere.includes(name))
  const schema = Type.Object(Object.fromEntries(rest), sends === 'body' ? { additionalProperties: false } : {})
  const inputOf = (call: ApiCall) => {
    const sent = { ...call.params, ...(sends === 'query' && (call.query as object)), ...(call.body as object) }
    return { ...sent, known: call.known, ...more?.(call) } as unknown as ActInput<Of, I>
  }
  const { name, of, scope, ownersOnly, asksAgain, answer } = act
  return {
    ...{ of, method, path, summary, scope, asksAgain, answer, audited: name, ...endpoint },
    ...(ownersOnly && { ownersOnly }),
    ...(sends !== undefined && { [sends]: schema }),
    subject: async (call: ApiCall) => subjectOf(act, inputOf(call)),
    async run(call: ApiCall, box: ConsoleBox) {
      const { answer: value, ...noted } = await act.run(box as never, inputOf(call), acting(call.caller) as never)
      return { value, ...noted }
    },
  } as unknown as ApiEndpoint
}
