import { Type } from '@sinclair/typebox'
import { newId } from '../../../lib/id.ts'
import { NotThere, OperatorError } from '../../../lib/operator-error.ts'
import { submissionNamed } from '../../../operations/submission/submission-named.ts'
import type { Column } from '../../../report/csv.ts'
import { actorOf } from '../../audit/noted-act.ts'
import { type Note, noteCharactersMax, notesMax } from '../../inbox/notes.ts'
import { accountEndpoint } from '../endpoint.ts'
import { listAnswer, listOf, listQuery, pageOf } from '../list.ts'
import { type ActorJson, actorSchema } from './actor-schema.ts'

const path = '/accounts/:account/submissions/:submission/notes'

interface NoteJson {
  id: string
  at: string
  by: ActorJson
  text: string
}

const noteSchema = Type.Object({ id: Type.String(), at: Type.String(), by: actorSchema, text: Type.String() })

export const listNotesEndpoint = accountEndpoint({
  method: 'GET',
  path,
  summary: 'List the notes on a submission, oldest first',
  scope: 'read',
  clients: 'nothing',
  query: listQuery,
  answer: listOf(noteSchema),
  async run({ account, params, query, request }, box) {
    const { submission } = await submissionNamed(box.submissions, account, params.submission ?? '')
    const notes = (await box.notes.of(account.id, submission.id)).map(noteJson)
    const page = pageOf(notes, query, { key: ({ id }) => id, texts: ({ text, by }) => [text, by.label] })
    return listAnswer(page, { query, url: request.url }, columns)
  },
})

export const addNoteEndpoint = accountEndpoint({
  method: 'POST',
  path,
  summary: 'Write a note on a submission',
  scope: 'release',
  clients: 'nothing',
  audited: 'submission.note',
  body: Type.Object(
    { text: Type.String({ minLength: 1, maxLength: noteCharactersMax, pattern: '\\S' }) },
    { additionalProperties: false },
  ),
  answer: noteSchema,
  async run({ account, params, body, caller }, box) {
    const note = { id: newId(), at: box.clock.now(), by: actorOf(caller), text: body.text }
    const outcome = await box.notes.add(account.id, params.submission ?? '', note)
    if (outcome === 'unknown') throw new NotThere('There is no such submission.')
    if (outcome === 'full') throw new OperatorError(`A submission can have ${notesMax} notes. Remove one first.`)
    return { value: noteJson(note), status: 201 }
  },
})

export const removeNoteEndpoint = accountEndpoint({
  method: 'DELETE',
  path: `${path}/:note`,
  summary: 'Remove a note',
  scope: 'release',
  clients: 'nothing',
  audited: 'submission.note.remove',
  subject: async ({ params }) => params.submission ?? '',
  answer: Type.Object({ id: Type.String() }),
  async run({ account, params }, box) {
    const id = (params.note ?? '').toLowerCase()
    if (await box.notes.remove(account.id, params.submission ?? '', id)) return { value: { id } }
    throw new NotThere('There is no such note.')
  },
})

const noteJson = ({ at, ...note }: Note): NoteJson => ({ ...note, at: new Date(at).toISOString() })

const columns: Column<NoteJson>[] = [
  { header: 'id', cell: ({ id }) => id },
  { header: 'at', cell: ({ at }) => at },
  { header: 'by', cell: ({ by }) => by.label },
  { header: 'text', cell: ({ text }) => text },
]
