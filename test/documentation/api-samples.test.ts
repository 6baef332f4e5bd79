import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aSite } from '../harness/a-site.ts'
import { Box, boxStartMsMax } from '../harness/box.ts'
import { formRequest } from '../harness/capture-requests.ts'
import { root } from './markdown.ts'

// The samples of docs/api.md are run as they stand there, by each program that this machine has.

const page = readFileSync(join(root, 'docs/api.md'), 'utf8')
const sampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language} list\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

const samples = [
  { language: 'sh', program: 'curl', file: 'list.sh', argv: ['sh', 'list.sh'] },
  { language: 'ts', program: 'bun', file: 'list.ts', argv: ['bun', 'list.ts'] },
  { language: 'python', program: 'python3', file: 'list.py', argv: ['python3', 'list.py'] },
]

let box: Box
let dir: string
let token: string
let submissionId: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'capture-sample-'))
  box = await Box.start([aSite()], { console: { listen: '127.0.0.1:0' } })
  const { text } = await box.send(formRequest())
  submissionId = (JSON.parse(text) as { submissionId: string }).submissionId
  const argv = [
    'token',
    'create',
    '--name',
    'sample',
    '--account',
    'acme',
    '--scope',
    'read',
    '--expires',
    '1d',
    '--json',
  ]
  token = (JSON.parse((await box.run(argv)).stdout) as { token: string }).token
}, boxStartMsMax)
afterAll(async () => {
  await box.stop()
  rmSync(dir, { recursive: true, force: true })
})

describe.each(samples)('the sample in $language', ({ language, program, file, argv }) => {
  test.skipIf(Bun.which(program) === null)('lists the leads of an account', async () => {
    writeFileSync(join(dir, file), sampleIn(language))
    const env = { ...process.env, CONSOLE_URL: `http://localhost:${box.consolePort}`, CAPTURE_TOKEN: token }
    const ran = Bun.spawn(argv, { cwd: dir, env, stdout: 'pipe', stderr: 'pipe' })
    const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
    expect({ isListed: out.includes(submissionId), err }).toEqual({ isListed: true, err: '' })
  })
})
