import { Type } from '@sinclair/typebox'
import { count, text } from '../../lib/schema.ts'
import { defineAct } from '../act.ts'
import type { Box } from '../box.ts'
import { accountCaughtUp } from '../record/catch-up.ts'
import type { OnRecordNotice } from '../record/record-notice.ts'

export const rejudgeClicks = defineAct({
  name: 'clicks.rejudge',
  text: "Apply today's verdict rules to stored clicks",
  of: 'account',
  scope: 'admin',
  input: Type.Object({}),
  answer: Type.Object({
    account: text,
    clicks: count,
    changed: Type.Array(Type.Object({ from: text, to: text, clicks: count })),
  }),
  async run(
    box: Pick<Box, 'accounts' | 'processing' | 'rejudging'>,
    { account: handle },
    { onNotice }: { onNotice: OnRecordNotice },
  ) {
    const account = await accountCaughtUp(box, handle, onNotice)
    const rejudging = await box.rejudging()
    return { answer: { account: account.handle, ...(await rejudging.rejudge(account.id)) } }
  },
})
