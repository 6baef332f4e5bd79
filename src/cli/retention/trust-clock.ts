import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'

export const retentionTrustClock = defineCommand({
  name: 'retention trust-clock',
  summary: 'Confirms that the clock is right, when retention doubts it',
  details: `For a machine that was off for more than a week, and a clock that was set right after it had been wrong. What is due by
the clock is then looked at anew: where that is most of an account, \`capture retention allow\` is asked for as well.
--json prints { "now", "doubted" }; "doubted": whether it was.`,
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, session) {
    const { withBox } = await import('../with-box.ts')
    const { trustClock } = await import('../../operations/retention/trust-clock.ts')
    const { now, doubted } = await withBox(session, trustClock, { action: 'clock.trust' })
    const text = doubted
      ? `It is ${timestamp(now)}: retention continues.\n`
      : `It is ${timestamp(now)}, which was not doubted: nothing to do.\n`
    await session.out.write(json ? toJson({ now: new Date(now).toISOString(), doubted }) : text)
    return 0
  },
})
