import { servedPage } from '../../../operations/submission/served-page.ts'
import { showSubmission } from '../../../operations/submission/show-submission.ts'
import type { AccountPage } from '../page.ts'

/**
 * `/a/ACCOUNT/s/SUBMISSION/page`: the landing page as it was served to whoever sent the submission. It is a file to keep, never a
 * page of the console: its markup is another's, and would act in the console's name.
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
