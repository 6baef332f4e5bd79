import { plural } from '../../../lib/quantities.ts'
import { refuseSubmission } from '../../../operations/submission/refuse-submission.ts'
import { releaseSubmission } from '../../../operations/submission/release-submission.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { actOnMany, type BulkAction, type BulkResult, bulkIdsMax } from '../../inbox/bulk.ts'
import { type InboxState, inboxStates } from '../../inbox/inbox.ts'
import { setState } from '../../inbox/inbox-acts.ts'
import type { PageNotice } from '../../session/next-page.ts'
import { actForm } from '../act-form.ts'
import type { AccountPageCall, PageAct } from '../page.ts'
import { seeOther } from '../page-http.ts'

// What the forms of the inbox and of a submission's page do. Each leads on with a sentence, and with the way back.

/** Which submission a form is about, and where its sender goes on. */
export interface FormPlace {
  submission: (call: AccountPageCall) => string
  to: (call: AccountPageCall) => string
}

const stateSaid: Record<InboxState, string> = { new: 'Marked as new.', seen: 'Reopened.', done: 'Marked as done.' }

/** Sets a submission's state. */
export function setsState(state: InboxState, { submission, to }: FormPlace): PageAct<AccountPageCall> {
  const act = actForm(setState, { input: (call: AccountPageCall) => ({ submission: submission(call), state }) })
  return {
    ...act,
    async run(call, box) {
      const id = submission(call)
      const before = (await statesOf(call, box, [id])).get(id) ?? 'new'
      const done = await act.run(call, box)
      const undo = { path: inbox(call), fields: { do: before, submission: id } }
      return { ...done, answer: seeOther(to(call)), notice: { text: stateSaid[state], undo } }
    },
  }
}

export const refuses = ({ submission, to }: FormPlace): PageAct<AccountPageCall> =>
  actForm(refuseSubmission, {
    input: (call: AccountPageCall) => ({ submission: submission(call) }),
    shown: ({ answer }, call) => ({
      answer: seeOther(to(call)),
      notice: {
        text: 'Refused: it is in quarantine, and counts no more.',
        undo: { path: inbox(call), fields: { do: 'release', submission: answer.submissionId } },
      },
    }),
  })

export const releases = ({ submission, to }: FormPlace): PageAct<AccountPageCall> =>
  actForm(releaseSubmission, {
    input: (call: AccountPageCall) => ({ submission: submission(call) }),
    shown: ({ answer }, call) => ({
      answer: seeOther(to(call)),
      notice: {
        text: 'Released. From now on it counts as a lead.',
        undo: { path: inbox(call), fields: { do: 'refuse', submission: answer.submissionId } },
      },
    }),
  })

const inbox = ({ account }: AccountPageCall): string => `/a/${account.handle}`
const here = ({ url }: AccountPageCall): string => url.pathname + url.search

const ofRow: FormPlace = { submission: ({ fields }) => (fields.get('submission') ?? '').toLowerCase(), to: here }

/** A checkbox's name: forms of pages have each name once. */
const pick = 'pick:'

const pickedIn = ({ fields }: AccountPageCall): string[] =>
  [...fields.keys()].flatMap((name) => (name.startsWith(pick) ? [name.slice(pick.length).toLowerCase()] : []))

const picks = (ids: readonly string[], value: (id: string) => string = () => 'on'): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [pick + id, value(id)]))

const bulkWords: Record<Exclude<BulkAction, 'remove'>, string> = {
  done: 'marked as done',
  new: 'marked as new',
  refuse: 'refused',
  release: 'released',
}

/** Does something to each submission that is selected. */
const actsOnPicked = (action: Exclude<BulkAction, 'remove'>): PageAct<AccountPageCall> => ({
  async run(call, box) {
    const picked = pickedIn(call)
    const ids = picked.slice(0, bulkIdsMax)
    if (ids.length === 0) return { answer: seeOther(here(call)), notice: nothingPicked }
    const before = await statesOf(call, box, ids)
    const results = await actOnMany(action, { ...call, ids }, box)
    const done = results.flatMap(({ id, done }) => (done ? [id] : []))
    const fields = undoOf(action, done, before)
    const undo = done.length === 0 ? {} : { undo: { path: here(call), fields } }
    const sentence = bulkSentence(bulkWords[action], results)
    const left = picked.length - ids.length
    const text =
      left === 0 ? sentence : `${sentence} Left as before: ${left}, since ${bulkIdsMax} at once are the most.`
    return { answer: seeOther(here(call)), notice: { text, ...undo } }
  },
})

const nothingPicked: PageNotice = { text: 'Nothing is selected. Tick the boxes beside the leads first.' }

function undoOf(
  action: Exclude<BulkAction, 'remove'>,
  done: readonly string[],
  before: ReadonlyMap<string, InboxState>,
): Record<string, string> {
  if (action === 'refuse') return { do: 'bulk-release', ...picks(done) }
  if (action === 'release') return { do: 'bulk-refuse', ...picks(done) }
  return { do: 'bulk-restore', ...picks(done, (id) => before.get(id) ?? 'new') }
}

export function bulkSentence(words: string, results: readonly BulkResult[]): string {
  const done = results.filter((result) => result.done).length
  const failed = results.find(({ error }) => error !== null)
  const left = results.length - done
  const sentence = `${plural(done, 'submission')} ${words}.`
  return failed?.error ? `${sentence} ${left} could not be: ${failed.error.message}` : sentence
}

/** Gives each its state of before. */
const restores: PageAct<AccountPageCall> = {
  async run(call, box) {
    const states = Map.groupBy(pickedIn(call).slice(0, bulkIdsMax), (id) => call.fields.get(pick + id))
    const results: BulkResult[] = []
    for (const [state, ids] of states) {
      const known = inboxStates.find((one) => one === state)
      if (known !== undefined) results.push(...(await actOnMany(known, { ...call, ids }, box)))
    }
    return { answer: seeOther(here(call)), notice: bulkSentence('as before', results) }
  },
}

/** Asks first, on a page of its own. */
const removesPicked: PageAct<AccountPageCall> = {
  async run(call) {
    const ids = pickedIn(call).slice(0, bulkIdsMax)
    if (ids.length === 0) return { answer: seeOther(here(call)), notice: nothingPicked }
    return {
      answer: seeOther(
        `${inbox(call)}/leads/remove?${new URLSearchParams(ids.map((id): [string, string] => ['id', id]))}`,
      ),
    }
  },
}

async function statesOf(
  { account }: AccountPageCall,
  { inboxStates: known }: Pick<ConsoleBox, 'inboxStates'>,
  ids: readonly string[],
): Promise<Map<string, InboxState>> {
  const states = await known.of(account.id, [...ids])
  return new Map([...states].map(([id, { state }]) => [id, state]))
}

export const inboxActs: Record<string, PageAct<AccountPageCall>> = {
  done: setsState('done', ofRow),
  seen: setsState('seen', ofRow),
  new: setsState('new', ofRow),
  refuse: refuses(ofRow),
  release: releases(ofRow),
  'bulk-done': actsOnPicked('done'),
  'bulk-new': actsOnPicked('new'),
  'bulk-refuse': actsOnPicked('refuse'),
  'bulk-release': actsOnPicked('release'),
  'bulk-restore': restores,
  'bulk-remove': removesPicked,
}
