import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { firstVisit, publishBenchSite } from './bench-account.ts'
import type { BenchRun } from './bench-run.ts'
import { type CaptureBox, makeBox } from './capture-box.ts'
import { type BenchPairs, makePairs } from './certificates.ts'
import { compare, type SideResult } from './compare.ts'
import { compareHandshakes, type HandshakeResult } from './handshakes.ts'
import { expectProcessed } from './ledger-rows.ts'
import { formPath } from './paths/form.ts'
import { pagePath } from './paths/page.ts'
import type { BenchPath, NamedPath } from './paths/path.ts'
import { type ServerProcess, startBare } from './server-process.ts'

const pathsOverHttps = [formPath, pagePath]
const certificateCounts = [1, 300]
/** More domains than an account may have. */
const domainsEach = 100

export interface HttpsPathResult {
  path: NamedPath
  /** Bun alone, over https. */
  bare: SideResult
  secure: SideResult
  /** The same box over plain HTTP. */
  plain: SideResult
  ratioToBare: number
  ratioToPlain: number
}

export interface HttpsResult {
  paths: HttpsPathResult[]
  handshakes: { certificates: number; bare: HandshakeResult; measured: HandshakeResult }[]
}

/** Kept-alive requests over https, and new connections. */
export async function measureHttps(run: BenchRun): Promise<HttpsResult> {
  const paths: HttpsPathResult[] = []
  for (const path of pathsOverHttps) {
    run.progress(`https: ${path.title}`)
    paths.push(await withServers({ run, answer: path.bare, certificates: 1 }, (servers) => measurePath(path, servers)))
  }
  const handshakes: HttpsResult['handshakes'] = []
  for (const certificates of certificateCounts) {
    run.progress(`https: new connections with ${certificates} certificates`)
    const compared = await withServers({ run, answer: 'page', certificates }, ({ bare, secure, pairs }) =>
      compareHandshakes({ bare, measured: secure }, pairs.names, run),
    )
    handshakes.push({ certificates, ...compared })
  }
  return { paths, handshakes }
}

interface Servers {
  run: BenchRun
  box: CaptureBox
  pairs: BenchPairs
  bare: ServerProcess
  /** One process with two listeners. */
  secure: ServerProcess
  plain: ServerProcess
}

async function measurePath(path: BenchPath, { run, box, bare, secure, plain }: Servers): Promise<HttpsPathResult> {
  const { load, options, folder } = run
  const how = { load, options, folder }
  const atRest = () => expectProcessed(box.dataFolder)
  const overHttps = await path.request(await firstVisit(box, secure))
  const secureSide = { server: secure, request: overHttps, status: path.status, atRest }
  const toBare = await compare(
    { bare: { server: bare, request: overHttps, status: path.bareStatus }, measured: secureSide },
    how,
  )
  const overHttp = await path.request(await firstVisit(box, plain))
  const toPlain = await compare(
    { bare: { server: plain, request: overHttp, status: path.status, atRest }, measured: secureSide },
    how,
  )
  return {
    path,
    bare: toBare.bare,
    secure: toBare.measured,
    plain: toPlain.bare,
    ratioToBare: toBare.ratio,
    ratioToPlain: toPlain.ratio,
  }
}

async function withServers<T>(
  { run, answer, certificates }: { run: BenchRun; answer: BenchPath['bare']; certificates: number },
  work: (servers: Servers) => Promise<T>,
): Promise<T> {
  const pairs = await makePairs(join(run.folder, 'pairs'), certificates)
  const box = await makeBox(run, pairs)
  await publishBenchSite(box)
  await publishNames(box, pairs.names.slice(1))
  const [bare, plain] = await Promise.all([startBare(answer, run.signal, pairs), box.start()])
  try {
    const secure: ServerProcess = { ...plain, scheme: 'https', port: box.httpsPort }
    const result = await work({ run, box, pairs, bare, secure, plain })
    await plain.stop()
    await box.remove()
    return result
  } finally {
    await bare.stop()
  }
}

/** Connects the names: a certificate of any other is not used. */
async function publishNames(box: CaptureBox, names: string[]): Promise<void> {
  for (let from = 0; from < names.length; from += domainsEach) {
    const folder = join(box.folder, `names-${from}`)
    await mkdir(folder)
    const domains = JSON.stringify(names.slice(from, from + domainsEach))
    await Bun.write(join(folder, 'site.toml'), `account = "names-${from}"\nname = "Names"\ndomains = ${domains}\n`)
    await box.command('apply', folder, '--json')
  }
}
