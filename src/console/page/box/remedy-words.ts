import { html, type Markup } from '../../../lib/html.ts'
import type { Remedy } from '../../../operations/doctor/remedy.ts'

type Words = { [Act in Remedy['act']]: (remedy: Extract<Remedy, { act: Act }>) => Markup }

const words: Words = {
  resume_destination: ({ account, destination }) =>
    html`Repair the receiver, then resume “${destination}” under ${deliveriesOf(account)}.`,
  test_destination: ({ account, destination }) =>
    html`${deliveriesOf(account)} shows why, and “Send a test” at “${destination}” tries it.`,
  retry_deliveries: ({ account, destination }) =>
    html`${deliveriesOf(account)} shows why, and “Try again now” at “${destination}” tries again.`,
  see_destinations: () => html`<a href="/">The overview</a> names those that fail or are paused.`,
  check_name: ({ account }) => html`“Check now” under ${namesOf(account)} says why it is not renewed.`,
  try_name_again: ({ account, why }) => html`${why} ${triedAgain} under ${namesOf(account)}.`,
  see_names: () => html`The page Domains of each account shows its names; ${namesOf(null)} are on this page.`,
  back_up: () =>
    html`The server tries again by itself; “Back up now” under <a href="#backups">Backups</a> tries at once.`,
  test_mail: ({ account }) =>
    html`docs/mail.md explains refusals; “Send a test” under ${deliveriesOf(account)} shows the whole dialogue.`,
  publish_again: () =>
    html`Publish the site folders that have it again, each at its account in <a href="/">the overview</a>. If no site folder has it, restore a backup from before the damage.`,
  erase_again: ({ account }) =>
    html`Erase these persons again, from your own list of erasures, under <a href="/a/${account}/persons">Persons of ${account}</a>.`,
  release_again: () =>
    html`Nothing comes back by that, and what counts by now still does. Release again, on the pages of the submissions, what was released and does not count. A restore of an older backup no longer names all that was erased since. See to the disk first.`,
}

/** What to do about a finding, with a link to the page that does it. */
export const remedyWords = <Act extends Remedy['act']>(remedy: Extract<Remedy, { act: Act }>): Markup =>
  words[remedy.act as Act](remedy)

/** Follows the reason of a failed order; the sentence goes on with where the button is. */
export const triedAgain =
  'After 30 days the box stops trying until the DNS of the name changes or you choose “Check now”'

const deliveriesOf = (account: string): Markup => html`<a href="/a/${account}/deliveries">Deliveries of ${account}</a>`

const namesOf = (account: string | null): Markup =>
  account === null
    ? html`<a href="#names">Names of the box</a>`
    : html`<a href="/a/${account}/domains">Domains of ${account}</a>`
