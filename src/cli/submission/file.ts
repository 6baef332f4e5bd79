import { resolve } from 'node:path'
import { byteSize } from '../../lib/quantities.ts'
import { defineCommand } from '../command.ts'
import { standardOutputName } from '../output/streams.ts'
import { printable } from '../output/text.ts'

export const submissionFile = defineCommand({
  name: 'submission file',
  summary: 'Writes a file that a visitor sent with a submission',
  details: `\`capture submission show ACCOUNT ID\` lists the files of a submission. The file is written as the visitor sent it: open it as
you would an attachment from a stranger.
--json prints { "account", "submissionId", "id", "field", "name", "type", "bytes", "path" }.
  capture submission file acme 01a1fb9b-63c5-76c7-8301-36bd5b40ceed cv.pdf --out cv.pdf`,
  args: {
    account: { summary: "the account's handle" },
    id: { summary: "the submission's id" },
    file: { summary: "the file's name or id" },
  },
  options: {
    out: {
      value: 'FILE',
      summary: 'where to write it (default: the name that it has, in this folder); -: to standard output',
    },
  },
  async run({ args, options }, session) {
    const { submissionFile: read } = await import('../../operations/submission/submission-file.ts')
    const found = await session.withBox(async (box) => {
      const { file, bytes } = await read(box, { account: args.account, submission: args.id, file: args.file })
      return { file, bytes: await bytes.bytes() }
    })
    const { file, bytes } = found
    if (options.out === standardOutputName) {
      await session.out.write(bytes)
      return 0
    }
    const path = resolve(session.cwd, options.out ?? file.name)
    const { config } = await session.loadConfig()
    const { writeOutFile } = await import('../../storage/filesystem/out-file.ts')
    await writeOutFile(path, config.dataDir, [bytes])
    const { sha256: _, ...about } = file
    return {
      json: { account: args.account, submissionId: args.id, ...about, path },
      text: () => `${printable(`Wrote ${file.name} to ${path} (${byteSize(bytes.byteLength)}).`)}\n`,
    }
  },
})
