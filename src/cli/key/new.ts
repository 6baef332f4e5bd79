import { mintTrackingKey } from '../../account/tracking-key.ts'
import { defineCommand } from '../command.ts'

export const keyNew = defineCommand({
  name: 'key new',
  summary: 'Prints a fresh tracking key for a site.toml',
  details: 'It is stored nowhere and belongs to no account until `capture apply` meets it as `key` under [tracking].',
  async run() {
    const trackingKey = mintTrackingKey()
    return { json: { trackingKey }, text: trackingKey }
  },
})
