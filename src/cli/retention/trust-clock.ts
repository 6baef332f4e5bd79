import { timestamp } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'

export const retentionTrustClock = defineCommand({
  name: 'retention trust-clock',
  summary: 'Confirms that the clock is right, when retention doubts it',
  details: `For a machine that was off for more than a week, and a clock that was set right after it had been wrong. What is due by
the clock is then looked at anew: where that is most of an account, \`capture retention allow\` is asked for as well.
--json prints { "now", "doubted" }; "doubted": whether it was.`,
  async run(_, session) {
    const { trustClock } = await import('../../operations/retention/trust-clock.ts')
    const { now, doubted } = await session.withBox(trustClock, { action: 'clock.trust' })
    const text = `It is ${timestamp(now)}${doubted ? ': retention continues.' : ', which was not doubted: nothing to do.'}`
    return { json: { now: new Date(now).toISOString(), doubted }, text }
  },
})
