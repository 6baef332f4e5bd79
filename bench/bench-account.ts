import { join } from 'node:path'
import type { CaptureBox } from './capture-box.ts'
import type { Visitor } from './paths/path.ts'
import type { ServerAddress } from './server-process.ts'
import { benchSite, writeBenchSite } from './site.ts'

/** Publishes the account under load on a box, running or not. */
export async function publishBenchSite(box: CaptureBox): Promise<void> {
  const site = join(box.folder, 'site')
  await writeBenchSite(site)
  await box.command('apply', site, '--json')
}

/** Someone who has seen the page once, and holds a link that was mailed. */
export async function firstVisit(
  box: CaptureBox,
  { scheme, port }: ServerAddress = { scheme: 'http', port: box.port },
): Promise<Visitor> {
  const answer = await fetch(`${scheme}://127.0.0.1:${port}/${benchSite.slug}`, {
    headers: { Host: benchSite.host },
    tls: { rejectUnauthorized: false },
  })
  if (answer.status !== 200) throw new Error(`the landing page answers ${answer.status}`)
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0]
  if (cookie === undefined) throw new Error('the landing page set no identity cookie')
  return { cookie, clickTarget: () => clickTarget(box) }
}

async function clickTarget(box: CaptureBox): Promise<string> {
  const to = `http://${benchSite.host}/${benchSite.slug}?utm_source=mail`
  const printed = await box.command('link', 'sign', benchSite.account, '--to', to, '--domain', benchSite.host)
  const link = printed.split(/\s+/).find((word) => word.includes('/_svc/c/'))
  if (link === undefined) throw new Error(`link sign printed no link: ${printed}`)
  return new URL(link).pathname
}
