import { keepDays } from './days.ts'
import { heedSubmits, noteSeen } from './lead-acts.ts'
import { heedKeys } from './lead-keys.ts'
import { countPicked } from './lead-rows.ts'
import { followInbox } from './live.ts'
import { addOlder, joinPanes } from './panes.ts'

// Lists of leads, and leads: new ones appear by themselves, and a list stays beside the lead that is open.

/** As many rows as a page of the inbox shows. */
const searchedRowsMax = 50

/** A search that stopped for time goes on by itself, one page after the other, until the list is full. */
async function searchFurther(): Promise<void> {
  const rows = () => document.getElementById('inbox')?.childElementCount ?? 0
  while (document.getElementById('further') && rows() < searchedRowsMax && (await addOlder()) !== null);
}

document.addEventListener('lead', noteSeen)
noteSeen()
void joinPanes().then(() => {
  heedSubmits()
  countPicked()
  heedKeys()
  followInbox()
  keepDays()
  void searchFurther()
})
