import { Type } from '@sinclair/typebox'
import { oneOf, text, textOrNull } from '../../../lib/schema.ts'
import { checkJson, worstStatus } from '../../../operations/check-result.ts'
import { boxEndpoint } from '../endpoint.ts'

const status = oneOf(['ok', 'warning', 'fault'])

export const doctorEndpoint = boxEndpoint({
  method: 'GET',
  path: '/doctor',
  summary: 'Examine the box, with advice on each fault',
  scope: 'read',
  query: Type.Object({
    deep: Type.Boolean({ default: false, description: 'also read and hash all published pages, images and files' }),
  }),
  answer: Type.Object({
    status,
    checks: Type.Array(Type.Object({ check: text, status, found: text, advice: textOrNull })),
  }),
  async run({ query: { deep } }, { examination }) {
    const { checks } = await examination.run(deep)
    return { value: { status: worstStatus(checks), checks: checks.map(checkJson) } }
  },
})
