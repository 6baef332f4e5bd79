import { Type } from '@sinclair/typebox'
import { NotThere } from '../../../lib/operator-error.ts'
import { submissionNamed } from '../../../operations/submission/submission-named.ts'
import { actorOf } from '../../audit/noted-act.ts'
import { inboxStates, newState, type StateOfSubmission } from '../../inbox/inbox-state.ts'
import { accountEndpoint } from '../endpoint.ts'
import { closed, oneOf, orNull, text, textOrNull } from '../schema.ts'
import { actor } from './actor-schema.ts'

const path = '/accounts/:account/submissions/:submission'

export const stateChoice = oneOf(inboxStates)

const stateSchema = Type.Object({ submissionId: text, state: stateChoice, at: textOrNull, by: orNull(actor) })

export const showStateEndpoint = accountEndpoint({
  method: 'GET',
  path: `${path}/state`,
  summary: 'Read the state of a submission: new, seen or done',
  scope: 'read',
  answer: stateSchema,
  async run({ account, params }, box) {
    const { submission } = await submissionNamed(box.submissions, account, params.submission ?? '')
    const states = await box.inboxStates.of(account.id, [submission.id])
    return { value: stateJson(submission.id, states.get(submission.id) ?? newState) }
  },
})

export const setStateEndpoint = accountEndpoint({
  method: 'PUT',
  path: `${path}/state`,
  summary: 'Set the state of a submission: new, seen or done',
  scope: 'release',
  audited: 'submission.state',
  body: closed({ state: stateChoice }),
  answer: stateSchema,
  async run({ account, params, body, caller }, box) {
    const id = (params.submission ?? '').toLowerCase()
    const given = { state: body.state, at: box.clock.now(), by: actorOf(caller) }
    if (!(await box.inboxStates.set(account.id, id, given))) throw new NotThere(`There is no submission "${id}".`)
    return { value: stateJson(id, body.state === 'new' ? newState : given) }
  },
})

const stateJson = (submissionId: string, { state, at, by }: StateOfSubmission) => ({
  submissionId,
  state,
  at: at === null ? null : new Date(at).toISOString(),
  by,
})
