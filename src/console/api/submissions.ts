import { Type } from '@sinclair/typebox'
import { oneOf, orNull } from '../../lib/schema.ts'
import { listSubmissions } from '../../operations/submission/list-submissions.ts'
import { refuseSubmission } from '../../operations/submission/refuse-submission.ts'
import { releaseSubmission } from '../../operations/submission/release-submission.ts'
import { erasableSubmission, removeSubmission } from '../../operations/submission/remove-submission.ts'
import { showSubmission, submissionNamed } from '../../operations/submission/show-submission.ts'
import { submissionColumns, submissionSchema } from '../../report/record.ts'
import type { SubmissionPlace } from '../../report/submission-reader.ts'
import { maskedSubmission } from '../access/masked.ts'
import { isStaff, permissionOn } from '../access/permission.ts'
import { fileAnswer } from '../file-answer.ts'
import { actOnMany, bulkActions, bulkIdsMax } from '../inbox/bulk.ts'
import { newState } from '../inbox/inbox.ts'
import {
  addNote,
  noteJson,
  noteSchema,
  removeNote,
  setState,
  stateAnswer,
  stateChoice,
  stateSchema,
} from '../inbox/inbox-acts.ts'
import { isProved } from '../session/session.ts'
import { ApiError } from './api-error.ts'
import { accountEndpoint, actEndpoint, acting, etagOf } from './endpoint.ts'
import { dryRunQuery, receiptFor } from './erasures.ts'
import { accountList, cursorOf, pageOf, placeIn } from './list.ts'

export const listSubmissionsEndpoint = accountList({
  path: '/accounts/:account/submissions',
  summary: 'List submissions, latest first',
  scope: 'read',
  clients: 'masked',
  audited: ({ format }) => (format === 'csv' ? 'export.read' : null),
  subject: async () => 'submissions',
  query: Type.Object({
    status: oneOf(['all', 'accepted', 'refused'], { default: 'all' }),
    form: Type.Optional(Type.String({ maxLength: 8 })),
    state: Type.Optional(stateChoice),
  }),
  item: submissionSchema,
  columns: ({ account }) => submissionColumns(account.forms),
  async read({ account, query, view, caller }, box, onNotice) {
    const { status, form, state, q, limit, cursor } = query
    const isClient = !isStaff(account.id, caller)
    if (isClient && (state !== undefined || q !== undefined || status === 'refused'))
      throw new ApiError('forbidden', 'Clients read leads. They see no states and no quarantine, and do not search.')
    const which = isClient ? 'accepted' : status
    const wanted = { account: account.handle, which, since: null, limit, q, form, state }
    const found = await listSubmissions(box, { ...wanted, behind: submissionPlace(cursor) }, onNotice)
    const items =
      view === 'masked' ? found.records.map((record) => maskedSubmission(record, account.forms)) : found.records
    return { items, next: submissionCursor(found.next) }
  },
})

export const showSubmissionEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions/:submission',
  summary: 'Read one submission',
  scope: 'read',
  clients: 'masked',
  answer: submissionSchema,
  async run({ account, caller, params, view }, box) {
    const { record } = await showSubmission(box, { account: account.handle, id: params.submission ?? '' }, () => {})
    if (record.status !== 'accepted' && !isStaff(account.id, caller)) throw new ApiError('not_found')
    return { value: view === 'masked' ? maskedSubmission(record, account.forms) : record }
  },
})

/** Clients who see masked fields see no files. */
export const submissionFileEndpoint = accountEndpoint({
  method: 'GET',
  path: '/accounts/:account/submissions/:submission/files/:file',
  summary: 'Download a file of a submission',
  scope: 'read',
  clients: 'masked',
  audited: 'file.read',
  // Not the file: its name is the visitor's, and the log outlives an erasure.
  subject: async ({ params }) => params.submission ?? '',
  answer: Type.String({ contentEncoding: 'binary' }),
  produces: 'application/octet-stream',
  run: ({ account, params, view }, box) => fileAnswer(box, { account: account.handle, params, view }),
})

export const releaseSubmissionEndpoint = actEndpoint(releaseSubmission, {
  method: 'POST',
  path: '/accounts/:account/submissions/:submission/release',
})

const path = '/accounts/:account/submissions/:submission'

export const refuseSubmissionEndpoint = actEndpoint(refuseSubmission, { method: 'POST', path: `${path}/refuse` })

/** The act, or with `dryRun` what it would do. */
export const removeSubmissionEndpoint = accountEndpoint({
  method: 'DELETE',
  path,
  summary: `${removeSubmission.text}; with dryRun, count what would go`,
  scope: removeSubmission.scope,
  right: 'remove',
  asksAgain: true,
  audited: ({ dryRun }) => (dryRun ? null : removeSubmission.name),
  query: dryRunQuery,
  answer: removeSubmission.answer,
  async run({ account, caller, params, query }, box) {
    const named = { account: account.handle, submission: params.submission ?? '' }
    if (query.dryRun) return { value: (await erasableSubmission(box, named, () => {})).answer }
    const { answer } = await removeSubmission.run(box, named, acting(caller))
    return { value: receiptFor(caller, answer) }
  },
})

export const bulkEndpoint = accountEndpoint({
  method: 'POST',
  path: '/accounts/:account/submissions/bulk',
  summary: `Do one thing to up to ${bulkIdsMax} submissions; \`remove\` also needs the scope \`erase\``,
  scope: 'release',
  body: Type.Object(
    {
      action: oneOf(bulkActions),
      ids: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: bulkIdsMax }),
    },
    { additionalProperties: false },
  ),
  answer: Type.Object({
    action: oneOf(bulkActions),
    results: Type.Array(
      Type.Object({
        id: Type.String(),
        done: Type.Boolean(),
        error: orNull(Type.Object({ code: oneOf(['not_found', 'conflict']), message: Type.String() })),
      }),
    ),
  }),
  async run({ account, caller, address, body: { action, ids } }, box) {
    if (action === 'remove') {
      if (permissionOn(account.id, caller, { scope: 'erase', right: 'remove' }) !== 'whole')
        throw new ApiError('forbidden')
      if (caller.kind === 'user' && !isProved(caller, box.clock.now())) throw new ApiError('prove_again')
    }
    return { value: { action, results: await actOnMany(action, { account, caller, address, ids }, box) } }
  },
})

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

/** The cursor of a place in the list of submissions. */
export const submissionCursor = (place: SubmissionPlace | null): string | null =>
  cursorOf(place && `${place.receivedAt}.${place.cursor}`)

/** @throws ApiError `invalid` for a cursor that this list did not return */
export function submissionPlace(cursor: string | null | undefined): SubmissionPlace | null {
  const [receivedAt, row = ''] = placeIn(cursor, /^(\d{1,15})\.(\d{1,15})$/) ?? []
  return receivedAt === undefined ? null : { receivedAt: Number(receivedAt), cursor: row }
}
