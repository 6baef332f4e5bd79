import type { ConsoleBox } from '../../console-box.ts'
import type { BoxPage, PageCall } from '../page.ts'
import { noteBoxAct } from '../page-audit.ts'
import { actOnPublish, type PublishPlace, showPublish, titled } from './publish-flow.ts'

/** `/publish`: a folder makes a new account. */
export const publishNewPage: BoxPage = {
  of: 'box',
  path: '/publish',
  link: { group: 'Box', text: 'New account' },
  for: 'owner',
  readsBody: true,
  show: async (call, box) => titled(await showPublish(call, placeOf(call, box), box), 'New account'),
  act: async (call, box) => titled(await actOnPublish(call, placeOf(call, box), box), 'New account'),
}

const placeOf = (call: PageCall, box: ConsoleBox): PublishPlace => ({
  account: null,
  timeZone: 'UTC',
  note: (handle) => noteBoxAct(call, { action: 'account.apply', subject: handle, box }),
})
