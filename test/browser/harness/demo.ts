import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { RunningProgram } from '../../binary/harness/program.ts'
import { builtExecutable } from '../../harness/executable.ts'
import { closeContexts, sharedChromium } from './chromium.ts'

/** `serve --demo` as it runs on a terminal, and a browser that reaches it. */
export interface Demo {
  program: RunningProgram
  browser: Browser
  /** The addresses that it prints. */
  landingPage: string
  testPage: string
  stop: () => Promise<void>
}

export async function startDemo(): Promise<Demo> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'capture-demo-')))
  const program = new RunningProgram(['serve', '--demo'], { executable: await builtExecutable(), cwd: folder })
  await program.says('stdout', /Captured from now on/)
  const [, landingPage = ''] = await program.says('stdout', /Landing page +(\S+)/)
  const [, testPage = ''] = await program.says('stdout', /Test page +(\S+)/)
  const browser = await sharedChromium()
  const stop = async () => {
    await closeContexts()
    await program[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  }
  return { program, browser, landingPage, testPage, stop }
}
