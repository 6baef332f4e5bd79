import { html, type Markup } from '../../../lib/html.ts'
import { plural } from '../../../lib/quantities.ts'
import { backfillDestination, countBackfill } from '../../../operations/delivery/backfill.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { actForm, FormRefusal } from '../act-form.ts'
import { type AccountPageCall, may, type PageAct } from '../page.ts'

/** `?backfill=NAME&from=DAY`: from when on earlier leads are sent to a destination, how many, and the button that sends them. */
export async function backfillPart(call: AccountPageCall, box: ConsoleBox): Promise<Markup | null> {
  const { account, url } = call
  const name = url.searchParams.get('backfill')
  const isFilled = account.destinations.some((destination) => destination.name === name && 'forms' in destination)
  if (name === null || !isFilled || !may(call, 'admin')) return null
  const from = url.searchParams.get('from') ?? ''
  return html`<section class="said"><h2>Send earlier leads to ${name}</h2>
<form class="filters" method="get"><input type="hidden" name="backfill" value="${name}">
<label>From <input name="from" type="date" required value="${from}"></label> <button>Count</button></form>
${await countedPart(call, { name, from }, box)}</section>`
}

interface Asked {
  name: string
  from: string
}

async function countedPart(
  { account }: AccountPageCall,
  { name, from }: Asked,
  box: ConsoleBox,
): Promise<Markup | null> {
  const since = beginOf(from, account.settings.timezone)
  if (since === null) return null
  const submissions = await countBackfill(box, { account: account.handle, destination: name, since })
  if (submissions === 0) return html`<p>${name} has had every lead since then that it is meant to get.</p>`
  return html`<p>${plural(submissions, 'earlier lead')} would be sent, each once, marked as sent later.</p>
<form method="post" class="acts"><input type="hidden" name="destination" value="${name}"><input type="hidden" name="from" value="${from}">
<button name="act" value="backfill">Send ${plural(submissions, 'lead')}</button></form>`
}

/** The start of the day in the account's time zone; `null`: it is no day. */
function beginOf(date: string, timeZone: string): string | null {
  try {
    return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).toInstant().toString()
  } catch {
    return null
  }
}

export const backfillAct: PageAct<AccountPageCall> = actForm(backfillDestination, {
  input({ account, fields }: AccountPageCall) {
    const since = beginOf(fields.get('from') ?? '', account.settings.timezone)
    if (since === null) throw new FormRefusal('Choose the day from which on leads are to be sent.')
    return { destination: fields.get('destination') ?? '', since }
  },
  shown: ({ answer: { submissions, destination } }) => ({
    notice: `Sending ${plural(submissions, 'earlier lead')} to ${destination}.`,
  }),
})
