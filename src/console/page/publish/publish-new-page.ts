import type { BoxPage } from '../page.ts'
import { publishForms, showPublish } from './publish-flow.ts'

/** `/publish`: makes a new account from a folder. */
export const publishNewPage: BoxPage = {
  of: 'box',
  path: '/publish',
  link: { group: 'Box', text: 'New account' },
  for: 'owner',
  show: async (call, box) => ({ title: 'New account', ...(await showPublish(call, box)) }),
  forms: publishForms,
}
