import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { makeBox } from './capture-box.ts'
import { compare, type SideResult } from './compare.ts'
import { expectProcessed, expectStored, storedRecords } from './ledger-rows.ts'
import { pagePath } from './paths/page.ts'
import { pageHtml } from './site.ts'

export interface SplitResult {
  /** A page with one version. */
  whole: SideResult
  /** A page of the same size with two. */
  split: SideResult
}

const split = { page: 'offer', variant: 'offer-b' }

/** What choosing a version adds to a page: a page with a split and one without, in turn, from one server. */
export async function measureSplit(run: BenchRun): Promise<SplitResult> {
  run.progress('split: a page with a split against one without')
  const box = await makeBox(run)
  await publishBenchSite(box)
  const site = join(box.folder, 'site')
  for (const page of Object.values(split)) await Bun.write(join(site, 'pages', `${page}.html`), pageHtml)
  const variants = `[{ name = "b", page = "${split.variant}", share = 50 }]`
  await appendFile(join(site, 'site.toml'), `\n[[splits]]\npage = "${split.page}"\nvariants = ${variants}\n`)
  await box.command('apply', site, '--json')
  const server = await box.start()
  const request = await pagePath.request(await firstVisit(box))
  const before = storedRecords(box.dataFolder)
  const side = { server, request, status: pagePath.status, atRest: () => expectProcessed(box.dataFolder) }
  const splitRequest = { ...request, target: `/${split.page}${new URL(request.target, 'http://bench').search}` }
  const { bare: whole, measured } = await compare(
    { bare: side, measured: { ...side, request: splitRequest } },
    { load: run.load, options: run.options, folder: run.folder },
  )
  await expectStored(box.dataFolder, before + whole.requests + measured.requests)
  await server.stop()
  await box.remove()
  return { whole, split: measured }
}
