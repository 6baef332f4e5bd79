import type { Entry } from '../ledger/entry.ts'
import { printable } from './output/printable.ts'

const valueCharactersMax = 60

/** One line about a record, for the terminal of the demo. What visitors sent is made harmless first. */
export function capturedLine(entry: Entry): string {
  const time = new Date(entry.receivedAt).toISOString().slice(11, 19)
  const [what, detail] = described(entry)
  return printable(`${time}  ${what.padEnd(11)} ${short(detail)}`) + '\n'
}

function described(entry: Entry): [what: string, detail: string] {
  switch (entry.kind) {
    case 'submission': {
      const what = entry.status === 'accepted' ? 'submission' : 'refused'
      const names = Object.keys(entry.fields).join(', ')
      return [what, `form ${entry.formId}: ${entry.email ?? 'no e-mail address'} (${names})`]
    }
    case 'event':
      return ['event', `${entry.event} from device ${entry.deviceId.slice(-6)}`]
    case 'page_view':
      return ['page view', `/${entry.slug} by device ${entry.deviceId.slice(-6)}`]
    case 'click':
      return ['click', `${entry.verdict}: ${entry.url}`]
  }
}

const short = (text: string) =>
  text.length <= 2 * valueCharactersMax ? text : `${text.slice(0, 2 * valueCharactersMax)}…`
