import { newShortId } from '../../lib/id.ts'
import { defineCommand } from '../command.ts'

export const formNew = defineCommand({
  name: 'form new',
  summary: 'Prints a fresh form id for a site.toml',
  details: `The id is stored nowhere: paste it as \`id\` under [[forms]], and as data-svc-form into the page.
--json prints { "id" }.`,
  async run() {
    const id = newShortId()
    return { json: { id }, text: id }
  },
})
