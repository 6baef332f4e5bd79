import { OperatorError } from '../../../lib/operator-error.ts'
import { presentDocument } from '../../../operations/report/report-document.ts'
import { reportPage, reportPagePolicy } from '../../../report/document/page.ts'
import { type ReportView, reportView } from '../../../report/document/report-view.ts'
import { periodOf } from '../../../report/report-period.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { verifiedShare } from '../../share/report-share.ts'
import { messagePage, securityHeaders } from '../page-answer.ts'
import type { OpenPage } from '../requests.ts'

/** `/r/TOKEN`: a shared report, for everybody who has the link. Figures only, as in a mailed report. */
export const sharedReportPage: OpenPage = {
  path: '/r/:token',
  async show({ params }, box) {
    const shown = await sharedReport(params.token ?? '', box)
    // The same answer, whatever is wrong with the link.
    return shown ?? messagePage('noReport', { 'x-robots-tag': 'noindex, nofollow' })
  },
}

async function sharedReport(token: string, box: ConsoleBox): Promise<Response | null> {
  const now = box.clock.now()
  const claim = verifiedShare(token, await box.signingKeys.read(), now)
  const share = claim && (await box.shares.find(claim.id))
  if (share === null || share.revokedAt !== null || share.expiresAt <= now) return null
  const named = (await box.accounts.list()).find(({ id }) => id === share.accountId)
  const account = named && (await box.accounts.find(named.handle))
  if (!account) return null
  try {
    return documentAnswer(reportView(await presentDocument(account, periodOf(share.period, now), box)))
  } catch (error) {
    // The account has since moved to a time zone in which this day has not begun.
    if (error instanceof OperatorError) return null
    throw error
  }
}

const documentAnswer = (view: ReportView): Response =>
  new Response(reportPage(view), {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      ...securityHeaders,
      'content-security-policy': `${reportPagePolicy(view)}; frame-ancestors 'none'`,
      'x-robots-tag': 'noindex, nofollow',
    },
  })
