import { RecentMap } from '../lib/recent-map.ts'
import { type Carrier, unattempted } from './carrier.ts'
import type { MailServer } from './mail/mail-server.ts'
import { sendMail } from './mail/transport.ts'
import type { ReportLetter } from './report-letter.ts'
import { reportMail } from './report-mail.ts'

const reachedMax = 10_000

/** Mails a report. The letter made for the first try is kept, so that every try sends the same. */
export function reportCarrier(mailServer: MailServer): Carrier {
  const reached = new RecentMap<true>(reachedMax)
  return {
    body: ({ report }) => (report === null ? null : JSON.stringify(report)),
    async attempt({ destination, accountId, deliveries: [delivery] }, body) {
      if (destination.kind !== 'report' || delivery === undefined) throw new TypeError('no report')
      if (body === null) return unattempted('The figures of this report cannot be read; run `capture doctor`.')
      // Not the delivery's own id: after a power failure, its row may be derived again.
      const id = delivery.period === null ? delivery.id : `report.${delivery.period}.${accountId}`
      return sendMail(
        reportMail(JSON.parse(body) as ReportLetter, destination, { sender: mailServer.from, id }),
        mailServer,
        { reached },
      )
    },
  }
}
