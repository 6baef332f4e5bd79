import { movePage } from '../../../operations/page/move-page.ts'
import { type PreviewLink, previewLink } from '../../../operations/page/preview-link.ts'
import { rollBackPage } from '../../../operations/page/roll-back-page.ts'
import { pageMoved, pageRolledBack } from '../../audit/changes.ts'
import type { ConsoleBox } from '../../console-box.ts'
import { publisherOf } from '../../publisher.ts'
import type { AccountPageCall, PageAct, PageContent } from '../page.ts'

export const previewTimes = [
  [1, 'an hour'],
  [24, 'a day'],
  [7 * 24, 'a week'],
  [30 * 24, '30 days'],
] as const

const slugIn = ({ params }: AccountPageCall): string => params.slug ?? ''

/** The revision that the form showed, so that the act does not overwrite somebody else's later change. */
const seenPage = (call: AccountPageCall) => ({
  account: call.account.handle,
  slug: slugIn(call),
  by: publisherOf(call.caller),
  known: [call.fields.get('seen') ?? ''],
})

/** The acts of the forms about a landing page. @param content the page with a preview address that was just made */
export const pageActs = (
  content: (call: AccountPageCall, box: ConsoleBox, preview: PreviewLink) => Promise<PageContent>,
): Record<string, PageAct<AccountPageCall>> => ({
  publish: {
    noted: { action: 'page.publish', subject: slugIn },
    async run(call, box) {
      const change = pageMoved(await movePage(box, { ...seenPage(call), state: 'live' }))
      return { notice: 'Published. Visitors see it now.', change }
    },
  },
  unpublish: {
    noted: { action: 'page.unpublish', subject: slugIn },
    async run(call, box) {
      const change = pageMoved(await movePage(box, { ...seenPage(call), state: 'preview' }))
      return { notice: 'Moved back to preview. Visitors get 404.', change }
    },
  },
  rollback: {
    noted: { action: 'page.rollback', subject: slugIn },
    async run(call, box) {
      const to = Number(call.fields.get('to'))
      return {
        notice: `Rolled back to version ${to}.`,
        change: pageRolledBack(await rollBackPage(box, { ...seenPage(call), to })),
      }
    },
  },
  preview: {
    noted: { action: 'preview.sign', subject: slugIn },
    run: async (call, box) => ({ answer: await content(call, box, await signedPreview(call, box)) }),
  },
})

function signedPreview(call: AccountPageCall, box: ConsoleBox): Promise<PreviewLink> {
  const hours = previewTimes.find(([hours]) => String(hours) === call.fields.get('hours'))?.[0] ?? 1
  const version = Number(call.fields.get('version')) || null
  const wanted = { kind: 'page', name: slugIn(call), version } as const
  return previewLink(box, { account: call.account.handle, wanted, ttlMs: hours * 3_600_000 })
}
