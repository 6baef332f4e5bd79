import { submissionNamed } from '../../../operations/submission/show-submission.ts'
import {
  addNote,
  noteJson,
  noteSchema,
  removeNote,
  setState,
  stateAnswer,
  stateSchema,
} from '../../inbox/inbox-acts.ts'
import { newState } from '../../inbox/inbox-state.ts'
import { actEndpoint } from '../act-endpoint.ts'
import { pageOf } from '../cursor.ts'
import { accountEndpoint, etagOf } from '../endpoint.ts'
import { accountList } from '../list.ts'

const path = '/accounts/:account/submissions/:submission'

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
    const { answer: value, revision } = stateAnswer(submission.id, states.get(submission.id) ?? newState)
    return { value, headers: etagOf(revision) }
  },
})

export const setStateEndpoint = actEndpoint(setState, {
  method: 'PUT',
  path: `${path}/state`,
  sends: 'body',
  answersETag: true,
  ifMatch: 'optional',
})

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

export const addNoteEndpoint = actEndpoint(addNote, { method: 'POST', path: `${path}/notes`, sends: 'body' })

export const removeNoteEndpoint = actEndpoint(removeNote, { method: 'DELETE', path: `${path}/notes/:note` })
