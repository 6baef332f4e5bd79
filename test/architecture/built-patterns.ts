// Run as a program of its own: prints the patterns that the sources build at run time, as JSON.
import { relative } from 'node:path'
import type { Pattern } from './patterns.ts'
import { root, sourceFiles } from './sources.ts'

const builds = /\bnew RegExp\(/
const built: Pattern[] = []

globalThis.RegExp = new Proxy(RegExp, {
  construct(target, parts: [string | RegExp, string?]) {
    const pattern = new target(...parts)
    const [frame = ''] = new Error().stack?.match(/\/[^():]*(?=\.ts:\d)/g)?.slice(1) ?? []
    const path = `${relative(root, frame)}.ts`
    if (path.startsWith('src/')) built.push({ path, source: pattern.source, flags: pattern.flags })
    return pattern
  },
})

const building = sourceFiles('src').filter(({ text }) => builds.test(text))
for (const { path } of building) await import(`${root}/${path}`)

// Those that are built when they are needed.
const { AddressSpellings } = await import('../../src/storage/sqlite/forgetting/address-spellings.ts')
new AddressSpellings('ada.o-brien@xn--bcher-kva.example')
const { sessionSecret } = await import('../../src/console/session/session.ts')
sessionSecret('', { secure: true, cookieMark: '' })
const { BotAgents } = await import('../../src/verdict/bot-agent.ts')
// No sign tells this agent from a customer's own program, so that each is tried alone.
new BotAgents().isBot('event', 'curl/8.5.0')

process.stdout.write(JSON.stringify({ built, files: building.map(({ path }) => path) }))
