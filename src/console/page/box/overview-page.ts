import { html } from '../../../lib/html.ts'
import type { BoxPage } from '../page.ts'

/** `/`: the accounts that the user has a part in. */
export const overviewPage: BoxPage = {
  of: 'box',
  path: '/',
  link: { group: 'Box', text: 'Overview' },
  for: 'signed_in',
  async show({ caller }, { accounts }) {
    const parts = (await accounts.list()).filter(({ id }) => caller.isOwner || caller.roles.has(id))
    const found = await Promise.all(parts.map(({ handle }) => accounts.find(handle)))
    const cards = found.flatMap((account) =>
      account === null
        ? []
        : [
            html`<li class="card"><h2><a href="/a/${account.handle}">${account.settings.name}</a></h2><p class="hint">${account.settings.domains.join(', ')}</p></li>`,
          ],
    )
    return {
      title: 'Accounts',
      body: cards.length === 0 ? html`<p>No account yet.</p>` : html`<ul class="cards">${cards}</ul>`,
    }
  },
}
