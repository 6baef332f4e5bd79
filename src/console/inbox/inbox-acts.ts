import { type Static, Type } from '@sinclair/typebox'
import type { AccountStore } from '../../account/account-store.ts'
import type { Clock } from '../../lib/clock.ts'
import { newId } from '../../lib/id.ts'
import { instant, instantOrNull } from '../../lib/instant.ts'
import { NotThere, OperatorError, UnfitInput } from '../../lib/operator-error.ts'
import { oneOf, orNull, text, textOrNull } from '../../lib/schema.ts'
import { accountNamed } from '../../operations/account/account-named.ts'
import { defineAct } from '../../operations/act.ts'
import type { Caller } from '../access/caller.ts'
import { actorOf } from '../audit/noted-act.ts'
import {
  type InboxStates,
  inboxStates,
  type Note,
  type Notes,
  newState,
  noteCharactersMax,
  notesMax,
  type StateOfSubmission,
  stateRevision,
} from './inbox.ts'

interface InboxBox {
  accounts: Pick<AccountStore, 'find' | 'list'>
  clock: Pick<Clock, 'now'>
  inboxStates: InboxStates
  notes: Notes
}

type By = { caller: Caller }

/** The person or program that did something, as the audit log names them. */
const actor = Type.Object({ kind: oneOf(['user', 'token', 'command', 'nobody']), id: text, label: text })

export const stateChoice = oneOf(inboxStates)

export const stateSchema = Type.Object({ submissionId: text, state: stateChoice, at: textOrNull, by: orNull(actor) })

const ofSubmission = ({ submission }: { submission: string }): string => submission

const unknown = (): NotThere => new NotThere('There is no such submission.')

export const setState = defineAct({
  name: 'submission.state',
  text: 'Set the state of a submission: new, seen or done',
  of: 'account',
  scope: 'release',
  input: Type.Object({ submission: text, state: stateChoice }),
  answer: stateSchema,
  subject: ofSubmission,
  async run(box: Omit<InboxBox, 'notes'>, { account, submission, state, known = null }, { caller }: By) {
    const { id: accountId } = await accountNamed(box.accounts, account)
    const id = submission.toLowerCase()
    const given = { state, at: box.clock.now(), by: actorOf(caller) }
    if (!(await box.inboxStates.set(accountId, id, given, known))) throw unknown()
    return stateAnswer(id, state === 'new' ? newState : given)
  },
})

export const stateAnswer = (submissionId: string, given: StateOfSubmission) => ({
  answer: { submissionId, ...given, at: instantOrNull(given.at) },
  revision: stateRevision(given),
})

export const noteSchema = Type.Object({ id: text, at: text, by: actor, text })

export const addNote = defineAct({
  name: 'submission.note',
  text: 'Write a note on a submission',
  of: 'account',
  scope: 'release',
  input: Type.Object({
    submission: text,
    text: Type.String({ minLength: 1, maxLength: noteCharactersMax, pattern: '\\S' }),
  }),
  answer: noteSchema,
  subject: ofSubmission,
  async run({ accounts, clock, notes }: Omit<InboxBox, 'inboxStates'>, { account, submission, text }, { caller }: By) {
    if (text === '' || text.length > noteCharactersMax)
      throw new UnfitInput(`A note must have 1 to ${noteCharactersMax} characters. Go back and change it.`)
    const { id: accountId } = await accountNamed(accounts, account)
    const note = { id: newId(), at: clock.now(), by: actorOf(caller), text }
    const outcome = await notes.add(accountId, submission, note)
    if (outcome === 'unknown') throw unknown()
    if (outcome === 'full') throw new OperatorError(`A submission can have ${notesMax} notes. Remove one first.`)
    return { answer: noteJson(note) }
  },
})

export const removeNote = defineAct({
  name: 'submission.note.remove',
  text: 'Remove a note',
  of: 'account',
  scope: 'release',
  input: Type.Object({ submission: text, note: text }),
  answer: Type.Object({ id: text }),
  subject: ofSubmission,
  async run({ accounts, notes }: Pick<InboxBox, 'accounts' | 'notes'>, { account, submission, note }) {
    const { id: accountId } = await accountNamed(accounts, account)
    const id = note.toLowerCase()
    if (await notes.remove(accountId, submission, id)) return { answer: { id } }
    throw new NotThere('There is no such note.')
  },
})

export const noteJson = ({ at, ...note }: Note): Static<typeof noteSchema> => ({ ...note, at: instant(at) })
