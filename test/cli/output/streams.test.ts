import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'

const writer = join(import.meta.dir, 'write-forever.ts')
const streams = join(import.meta.dir, '../../../src/cli/output/streams.ts')

describe('standard output', () => {
  test('tells a writer that its reader has gone', async () => {
    const child = Bun.spawn(['sh', '-c', `"${process.execPath}" "${writer}" | head -c 10`], {
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect({ stdout, stderr }).toEqual({ stdout: 'xxxxxxxxxx', stderr: 'OutputClosed' })
  })

  test('keeps the order of texts that were not waited for', async () => {
    const script = `
      const { standardOutput } = await import('${streams}')
      const out = standardOutput()
      const texts = Array.from({ length: 200 }, (_, i) => out.write(i + ' '))
      await Promise.all(texts)`
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' })
    expect(await child.stdout.text()).toBe(Array.from({ length: 200 }, (_, index) => `${index} `).join(''))
  })

  const says = `const { standardOutput, standardError } = await import('${streams}')
    standardError().write('terminal: ' + standardOutput().isTerminal + ' ' + standardOutput().columns)`

  test('knows a terminal and its columns', async () => {
    let shown = ''
    const terminal = { cols: 61, data: (_: unknown, bytes: Uint8Array) => (shown += new TextDecoder().decode(bytes)) }
    await Bun.spawn([process.execPath, '-e', says], { terminal }).exited
    expect(shown).toContain('terminal: true 61')
  })

  test.each(['| cat', '> /dev/null', '>&-'])('takes "%s" for no terminal', async (where) => {
    const child = Bun.spawn(['sh', '-c', `"${process.execPath}" -e "$SAYS" ${where}`], {
      env: { ...process.env, SAYS: says },
      stdout: 'ignore',
      stderr: 'pipe',
    })
    expect(await child.stderr.text()).toBe('terminal: false undefined')
  })
})
