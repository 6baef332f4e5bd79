import { list } from './panes.ts'

const lookMs = 1000
const dayMs = 86_400_000

/** Moves the rows of a list that stays open past midnight, in the account's time zone, to the day before. */
export function keepDays(): void {
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
