import { mintTrackingKey } from '../../account/tracking-key.ts'
import { defineCommand } from '../command.ts'

export const keyNew = defineCommand({
  name: 'key new',
  summary: 'Prints a fresh tracking key for a site.toml',
  details: 'The key is stored nowhere. It works once `capture apply` finds it as `key` under [tracking].',
  async run() {
    const trackingKey = mintTrackingKey()
    return { json: { trackingKey }, text: trackingKey }
  },
})
