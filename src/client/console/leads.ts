import { heedSubmits, noteSeen } from './lead-acts.ts'
import { heedKeys } from './lead-keys.ts'
import { countPicked } from './lead-rows.ts'
import { followInbox } from './live.ts'
import { addOlder, joinPanes, list } from './panes.ts'

// Lists of leads, and leads: new ones appear by themselves, and a list stays beside the lead that is open.

/** As many rows as a page of the inbox shows. */
const searchedRowsMax = 50

/** A search that stopped for time goes on by itself, one page after the other, until the list is full. */
async function searchFurther(): Promise<void> {
  const rows = () => document.getElementById('inbox')?.childElementCount ?? 0
  while (document.getElementById('further') && rows() < searchedRowsMax && (await addOlder()) !== null);
}

const lookMs = 1000
const dayMs = 86_400_000

/** Moves the rows of a list that stays open past midnight, in the account's time zone, to the day before. */
function keepDays(): void {
  const inbox = list()
  let midnight = Date.now() + Number(inbox?.dataset.dayLeft)
  setInterval(() => {
    if (!inbox || !(Date.now() >= midnight)) return
    midnight += dayMs
    // A customer's days are words in their language, which the box has.
    if (!inbox.dataset.list) location.reload()
    for (const { dataset } of inbox.children as HTMLCollectionOf<HTMLElement>)
      dataset.day = dataset.day === 'today' ? 'yesterday' : 'earlier'
  }, lookMs)
}

document.addEventListener('lead', noteSeen)
void joinPanes().then(() => {
  // Only now, or the row of the list that is still on its way would stay new.
  noteSeen()
  heedSubmits()
  countPicked()
  heedKeys()
  followInbox()
  keepDays()
  void searchFurther()
})
