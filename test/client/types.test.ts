import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const types = join(import.meta.dir, '../../src/client/types/v1.d.ts')
const compiler = join(import.meta.dir, '../../node_modules/.bin/tsc')

let dir: string

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'capture-types-'))
  copyFileSync(types, join(dir, 'capture.d.ts'))
  const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, types: [], lib: ['ES2022', 'DOM'] }
  writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** What the compiler says of a web developer's file beside the downloaded types. */
async function complaints(code: string): Promise<string> {
  writeFileSync(join(dir, 'page.ts'), code)
  const child = Bun.spawn([compiler, '-p', dir], { stdout: 'pipe', stderr: 'pipe' })
  return await new Response(child.stdout).text()
}

test('the types take every command, event and consent signal of the script', async () => {
  const code = `
    svc('track', 'plan_chosen', { plan: 'pro' })
    svc('track', 'plan_chosen')
    svc('identify', { email: 'ada@example.test' })
    svc('consent', true)
    svc('submit', document.querySelector('form')!)
    svc('filter', (event) => event.event === 'debug' ? null : { ...event, properties: {} })
    svc('track@go.acme.example', 'plan_chosen')
    window.svcConsent = () => ({ granted: true })
    document.addEventListener('svc:accepted', ({ detail }) => detail.submissionId.length)
    document.querySelector('form')!.addEventListener('svc:refused', ({ detail }) => detail.code === 'bot' && detail.status)
  `
  expect(await complaints(code)).toBe('')
})

test.each([
  `svc('trak', 'x')`,
  `svc('consent', 'yes')`,
  `svc('identify')`,
  `svc('submit', '#form')`,
  `svc('filter', () => {})`,
])('the types refuse %s', async (code) => {
  expect(await complaints(code)).toContain('error TS')
})
