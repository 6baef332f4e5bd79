import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mintWebhookSecret } from '../../src/account/webhook-secret.ts'
import { webhookHeaders } from '../../src/delivery/carriers.ts'
import { root } from './markdown.ts'

// The samples of docs/webhooks.md are run as they stand there, by each interpreter that this machine has.

const page = readFileSync(join(root, 'docs/webhooks.md'), 'utf8')
const sampleIn = (language: string): string =>
  new RegExp(`\`\`\`${language} verify\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''

/** What is put around a sample: it prints whether the arguments verify. */
interface Harness {
  language: string
  program: string
  file: string
  around: (sample: string) => string
  argv: (file: string) => string[]
}

const harnesses: Harness[] = [
  {
    language: 'ts',
    program: 'bun',
    file: 'verify.ts',
    around: (sample) => `${sample}
const [secret, id, timestamp, signature, body] = process.argv.slice(2)
console.log(verify(secret, { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }, body))`,
    argv: (file) => [file],
  },
  {
    language: 'python',
    program: 'python3',
    file: 'verify.py',
    around: (sample) => `${sample}
import sys
s, i, t, g, b = sys.argv[1:]
print(str(verify(s, {"webhook-id": i, "webhook-timestamp": t, "webhook-signature": g}, b.encode())).lower())`,
    argv: (file) => [file],
  },
  {
    language: 'php',
    program: 'php',
    file: 'verify.php',
    around: (sample) => `${sample}\necho verify(...array_slice($argv, 1)) ? "true" : "false";`,
    argv: (file) => [file],
  },
  {
    language: 'ruby',
    program: 'ruby',
    file: 'verify.rb',
    around: (sample) => `${sample}\nputs verify(*ARGV)`,
    argv: (file) => [file],
  },
  {
    language: 'go',
    program: 'go',
    file: 'verify.go',
    around: (sample) =>
      `${sample.replace('import (', 'import (\n\t"fmt"\n\t"os"')}
func main() { fmt.Println(verify(os.Args[1], os.Args[2], os.Args[3], os.Args[4], []byte(os.Args[5]))) }`,
    argv: (file) => ['run', file],
  },
]

const body = '{"type":"submission.accepted","data":{"fields":{"message":"Grüße, \\"Ada\\""}}}'
const id = '01a20281-7145-70d1-866e-7ad9d2ebd684'
const secret = mintWebhookSecret()
const signed = (secrets: string[], now = Date.now()) => {
  const headers = webhookHeaders({ id, body, secrets, now })
  return { timestamp: headers['webhook-timestamp'] ?? '', signature: headers['webhook-signature'] ?? '' }
}

describe.each(harnesses)('the sample in $language', ({ language, program, file, around, argv }) => {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'capture-sample-'))
    writeFileSync(join(dir, file), around(sampleIn(language)))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))

  test('is there', () => {
    expect(sampleIn(language)).toContain('verify(')
  })

  const verified = (timestamp: string, signature: string, sent = body): string => {
    const { stdout, stderr } = Bun.spawnSync(
      [program, ...argv(join(dir, file)), secret, id, timestamp, signature, sent],
      {
        cwd: dir,
        env: {
          ...process.env,
          GOFLAGS: '-mod=mod',
          GOPATH: join(dir, 'go'),
        },
      },
    )
    return stdout.toString().trim() || stderr.toString()
  }

  test.skipIf(Bun.which(program) === null)('takes what this box signs, also with two secrets, and nothing else', () => {
    const one = signed([secret])
    const two = signed([mintWebhookSecret(), secret])
    const other = signed([mintWebhookSecret()])
    const old = signed([secret], Date.now() - 600_000)
    expect(verified(one.timestamp, one.signature)).toBe('true')
    expect(verified(two.timestamp, two.signature)).toBe('true')
    expect(verified(other.timestamp, other.signature)).toBe('false')
    expect(verified(old.timestamp, old.signature)).toBe('false')
    expect(verified(one.timestamp, one.signature, `${body} `)).toBe('false')
  })
})
