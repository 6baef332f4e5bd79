import { html } from '../../../lib/html.ts'
import type { AccountPage } from '../page.ts'
import { historyPart } from './history-part.ts'
import { publishForms, showPublish } from './publish-flow.ts'

/** `/a/ACCOUNT/publish`: takes a folder, shows its plan, and publishes it. */
export const publishPage: AccountPage = {
  of: 'account',
  path: '/a/:account/publish',
  link: { group: 'Site', text: 'Publish' },
  scope: 'publish',
  async show(call, box) {
    const shown = await showPublish(call, box)
    if (call.url.searchParams.has('upload'))
      return { title: shown.status === undefined ? 'What would change' : 'Publish', ...shown }
    return { title: 'Publish', body: html`${shown.body}${await historyPart(call, box)}` }
  },
  forms: { scope: 'publish', ...publishForms },
}
