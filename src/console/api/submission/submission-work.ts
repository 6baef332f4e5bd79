import { type Static, Type } from '@sinclair/typebox'
import { newId } from '../../../lib/id.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { closed, oneOf, orNull, text, textOrNull } from '../../../lib/schema.ts'
import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import type { Actor } from '../../audit/audit-log.ts'
import { actorOf } from '../../audit/noted-act.ts'
import { inboxStates, newState, type StateOfSubmission, stateRevision } from '../../inbox/inbox-state.ts'
import { type Note, noteCharactersMax, notesMax } from '../../inbox/notes.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint, etagOf } from '../endpoint.ts'
import { accountList } from '../list.ts'

const path = '/accounts/:account/submissions/:submission'

/** The person or program that did something, as the audit log names them. */
const actor = Type.Object({
  kind: oneOf(['user', 'token', 'command', 'nobody']),
  id: text,
  label: text,
}) satisfies { static: Actor }

export const stateChoice = oneOf(inboxStates)

const stateSchema = Type.Object({ submissionId: text, state: stateChoice, at: textOrNull, by: orNull(actor) })

export const showStateEndpoint = accountEndpoint({
  method: 'GET',
  path: `${path}/state`,
  summary: 'Read the state of a submission: new, seen or done',
  scope: 'read',
  answersETag: true,
  answer: stateSchema,
  async run({ account, params }, box) {
    const { submission } = await submissionNamed(box.submissions, account, params.submission ?? '')
    const states = await box.inboxStates.of(account.id, [submission.id])
    return stateAnswer(submission.id, states.get(submission.id) ?? newState)
  },
})

export const setStateEndpoint = accountEndpoint({
  method: 'PUT',
  path: `${path}/state`,
  summary: 'Set the state of a submission: new, seen or done',
  scope: 'release',
  audited: 'submission.state',
  answersETag: true,
  ifMatch: 'optional',
  body: closed({ state: stateChoice }),
  answer: stateSchema,
  async run({ account, params, body, caller, known }, box) {
    const id = (params.submission ?? '').toLowerCase()
    const given = { state: body.state, at: box.clock.now(), by: actorOf(caller) }
    if (!(await box.inboxStates.set(account.id, id, given, known)))
      throw new NotThere(`There is no submission "${id}".`)
    return stateAnswer(id, body.state === 'new' ? newState : given)
  },
})

const stateAnswer = (submissionId: string, given: StateOfSubmission) => ({
  value: { submissionId, ...given, at: given.at === null ? null : new Date(given.at).toISOString() },
  headers: etagOf(stateRevision(given)),
})

const noteSchema = Type.Object({ id: text, at: text, by: actor, text })

export const listNotesEndpoint = accountList({
  path: `${path}/notes`,
  summary: 'List the notes on a submission, oldest first',
  scope: 'read',
  item: noteSchema,
  columns: ['id', 'at', { header: 'by', cell: ({ by }) => by.label }, 'text'],
  async read({ account, params, query }, box) {
    const { submission } = await submissionNamed(box.submissions, account, params.submission ?? '')
    const notes = (await box.notes.of(account.id, submission.id)).map(noteJson)
    return pageOf(notes, query, { key: ({ id }) => id, texts: ({ text, by }) => [text, by.label] })
  },
})

export const addNoteEndpoint = accountEndpoint({
  method: 'POST',
  path: `${path}/notes`,
  summary: 'Write a note on a submission',
  scope: 'release',
  audited: 'submission.note',
  body: closed({ text: Type.String({ minLength: 1, maxLength: noteCharactersMax, pattern: '\\S' }) }),
  answer: noteSchema,
  async run({ account, params, body, caller }, box) {
    const note = { id: newId(), at: box.clock.now(), by: actorOf(caller), text: body.text }
    const outcome = await box.notes.add(account.id, params.submission ?? '', note)
    if (outcome === 'unknown') throw new NotThere('There is no such submission.')
    if (outcome === 'full') throw new OperatorError(`A submission can have ${notesMax} notes. Remove one first.`)
    return { value: noteJson(note) }
  },
})

export const removeNoteEndpoint = accountEndpoint({
  method: 'DELETE',
  path: `${path}/notes/:note`,
  summary: 'Remove a note',
  scope: 'release',
  audited: 'submission.note.remove',
  subject: async ({ params }) => params.submission ?? '',
  answer: Type.Object({ id: text }),
  async run({ account, params }, box) {
    const id = (params.note ?? '').toLowerCase()
    if (await box.notes.remove(account.id, params.submission ?? '', id)) return { value: { id } }
    throw new NotThere('There is no such note.')
  },
})

const noteJson = ({ at, ...note }: Note): Static<typeof noteSchema> => ({ ...note, at: new Date(at).toISOString() })
