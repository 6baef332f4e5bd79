import type { Aim, GoalSettings } from '../../../src/account/goal.ts'

const form: Aim = { kind: 'form', form: 'contact1' }
const event: Aim = { kind: 'event', event: 'signed up' }
const page: Aim = { kind: 'page', page: '/launch' }

/** Goals and funnels of what the sample entries do, with steps that come twice. */
export const sampleGoals: GoalSettings = {
  goals: [form, event, page].map((aim) => ({ name: aim.kind, aim })),
  funnels: [
    { name: 'Lead', steps: [page, form] },
    { name: 'Return', steps: [page, event, page, form] },
    { name: 'Twice', steps: [event, event] },
  ],
}
