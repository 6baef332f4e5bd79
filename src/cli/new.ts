import { mkdir, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { handlePattern } from '../account/account.ts'
import { capitalised } from '../lib/capitalised.ts'
import { readHostname } from '../lib/hostname.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { defineCommand, usageError } from './command.ts'
import { firstSite, handleFrom } from './first-site.ts'

export const newSite = defineCommand({
  name: 'new',
  summary: 'Writes a first site folder: a page with a form, a thank-you page, a stylesheet',
  details: `It publishes nothing: look at the folder, change it, and run \`capture apply DIR\`.
The folder may be there already if it is empty.
  capture new acme --domain go.acme.example
--json prints { "dir", "account", "domain", "formId", "files": [PATH] }.`,
  args: { dir: { summary: 'the folder to write' } },
  options: {
    account: { value: 'HANDLE', summary: "the account's handle (default: made of the folder's name)" },
    domain: { value: 'HOST', summary: 'where the pages will live (default: go.HANDLE.example, to be replaced)' },
  },
  async run({ args, options }, session) {
    if (args.dir === '') throw usageError('DIR is empty: name the folder to write.')
    const dir = resolve(session.cwd, args.dir)
    const account = options.account ?? handleFrom(basename(dir))
    if (!handlePattern.test(account)) throw usageError('--account takes a handle, 1 to 40 of [a-z0-9-].')
    const { domain: typed = `go.${account}.example` } = options
    const domain = typedDomain(typed)
    await makeEmpty(dir)
    const { formId, files: made } = await firstSite({ account, name: nameFrom(account), domain })
    const { writeFiles } = await import('../client/examples.ts')
    const files = await writeFiles(made, dir).catch((error) => unwritable(dir, error))
    const placeholder =
      options.domain === undefined ? [`${domain} stands for your own domain: replace it in site.toml.`] : []
    return {
      json: { dir, account, domain, formId, files },
      text: files.map((file) => join(args.dir, file)),
      notes: [...placeholder, `To publish it: capture apply ${args.dir}`],
    }
  },
})

/** `my-site` → `My Site`. */
const nameFrom = (handle: string): string =>
  handle
    .split('-')
    .filter((word) => word !== '')
    .map(capitalised)
    .join(' ') || handle

function typedDomain(text: string): string {
  const read = readHostname(text)
  if ('value' in read) return read.value
  throw usageError(`--domain takes ${read.expected}, not "${text}".`)
}

/** Makes a folder, or finds it empty. @throws OperatorError */
async function makeEmpty(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true }).catch((error: NodeJS.ErrnoException) =>
    error.code === 'EEXIST' ? notEmpty(dir) : unwritable(dir, error),
  )
  const there = await readdir(dir).catch((error) => unwritable(dir, error))
  if (there.length > 0) notEmpty(dir)
}

function unwritable(dir: string, error: Error): never {
  throw new OperatorError(`${dir} cannot be written: ${error.message}. Name a folder that you may write to.`)
}

function notEmpty(dir: string): never {
  throw new OperatorError(`${dir} is there already, and not an empty folder: nothing was written. Name a new one.`)
}
