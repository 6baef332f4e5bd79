import type { ConsoleBox } from '../../console-box.ts'
import type { AccountPage, AccountPageCall } from '../page.ts'
import { notePageAct } from '../page-audit.ts'
import { historyPart } from './history-part.ts'
import { actOnPublish, type PublishPlace, showPublish, titled } from './publish-flow.ts'

/** `/a/ACCOUNT/publish`: a folder is dropped, its plan shown, and then published. */
export const publishPage: AccountPage = {
  of: 'account',
  path: '/a/:account/publish',
  link: { group: 'Site', text: 'Publish' },
  scope: 'publish',
  clients: 'nothing',
  readsBody: true,
  async show(call, box) {
    const isPlan = call.url.searchParams.has('upload')
    return titled(
      await showPublish(call, placeOf(call, box), box),
      title(isPlan),
      isPlan ? null : await historyPart(call, box),
    )
  },
  act: async (call, box) => titled(await actOnPublish(call, placeOf(call, box), box), title(false)),
}

const title = (isPlan: boolean): string => (isPlan ? 'What would change' : 'Publish')

const placeOf = (call: AccountPageCall, box: ConsoleBox): PublishPlace => ({
  account: call.account.handle,
  timeZone: call.account.settings.timezone,
  note: (handle) => notePageAct(call, { action: 'account.apply', subject: handle, box }),
})
