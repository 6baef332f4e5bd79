import { mintTrackingKey } from '../../account/tracking-key.ts'
import { defineCommand } from '../command.ts'
import { toJson } from '../output/json.ts'

export const keyNew = defineCommand({
  name: 'key new',
  summary: 'Prints a fresh tracking key for a site.toml',
  details: 'It is stored nowhere and belongs to no account until `capture apply` meets it as `key` under [tracking].',
  args: {},
  options: {},
  printsResult: true,
  async run({ json }, { out }) {
    const trackingKey = mintTrackingKey()
    await out.write(json ? toJson({ trackingKey }) : `${trackingKey}\n`)
    return 0
  },
})
