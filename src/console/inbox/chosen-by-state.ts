import type { ConsoleBox } from '../console-box.ts'
import type { InboxState } from './inbox-state.ts'

/** Chooses the submissions of one state in a list; absent: of every state. */
export const chosenByState = (
  { inboxStates }: Pick<ConsoleBox, 'inboxStates'>,
  accountId: string,
  wanted: InboxState | undefined,
) =>
  wanted === undefined
    ? {}
    : {
        chosen: async (submissionIds: readonly string[]) => {
          const states = await inboxStates.of(accountId, submissionIds)
          return (id: string) => (states.get(id)?.state ?? 'new') === wanted
        },
      }
