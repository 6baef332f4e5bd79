import { servedPage } from '../../../operations/submission/served-page.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import type { AccountPage } from '../page.ts'

/**
 * `/a/ACCOUNT/s/SUBMISSION/page`: the landing page as it was served to the sender of the submission. It is always a download,
 * never a page of the console: its markup is foreign and would run in the console's origin.
 */
export const shownPage: AccountPage = {
  of: 'account',
  path: '/a/:account/s/:submission/page',
  scope: 'read',
  clients: 'masked',
  async show({ account, params }, box) {
    const asked = { account: account.handle, id: params.submission ?? '' }
    const { record } = await showSubmission(box, asked, () => {})
    const bytes = await servedPage(box, record)
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename="${record.page?.slug ?? 'page'}-${record.receivedAt.slice(0, 10)}.html"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      },
    })
  },
}
