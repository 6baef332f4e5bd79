import type { AccountSettings } from '../account/account.ts'
import { pagePath } from '../account/goal.ts'
import type { Clock } from '../lib/clock.ts'
import type { LocalDays } from '../lib/local-day.ts'
import { targetUrl } from '../lib/request-target.ts'
import type { Verdicts } from '../verdict/verdicts.ts'
import { type MissingCount, type MissingLog, missingPathsPerDayMax } from './missing-log.ts'
import { recordedAgent } from './source.ts'
import { UnwrittenCounts } from './unwritten-counts.ts'
import { cleanBase } from './url/clean-url.ts'

/** Held for the whole box until they are written. */
const countersMax = 10_000
/** A longer path is not counted: nobody has linked to it. */
const pathCharactersMax = 300
/** Whose paths of the day are remembered; those of the account that has had its day longest go first. */
const accountsMax = 1000
/** Tokens and numbers that a page's address may hold, but that nobody needs to mend a link. */
const opaque = /[0-9a-f]{16}|\d{10}/i

/**
 * What scanners and crawlers try on every host, and what no link of a site leads to: hidden files, tools of other servers, backups
 * at the top, and what crawlers fetch by themselves. Other names in `.php` are not among them: links to a site that moved here have such.
 */
const tried = [
  /\/\./,
  /^\/[^/]*\.(?:env|sql|bak|old|zip)$/i,
  /^\/(?:wp-|phpmyadmin|cgi-bin)/i,
  /^\/(?:xmlrpc\.php|ads\.txt|sitemap\.xml)$/i,
]

interface PathsOfDay {
  day: number
  paths: Set<string>
}

/** Counts requests for addresses at which nothing is, without those of bots. */
export class MissingTally {
  private readonly counts: UnwrittenCounts<MissingCount>
  /** By account. */
  private readonly named = new Map<string, PathsOfDay>()

  constructor(
    log: MissingLog,
    private readonly by: { clock: Clock; days: LocalDays; verdicts: Pick<Verdicts, 'isBot'> },
  ) {
    this.counts = new UnwrittenCounts(countersMax, (counts) => log.add(counts))
  }

  add(request: Request, { id, settings }: { id: string; settings: Pick<AccountSettings, 'timezone'> }): void {
    const { clock, days, verdicts } = this.by
    const { pathname } = targetUrl(request)
    const source = { userAgent: recordedAgent(request) }
    if (pathname.length > pathCharactersMax || isUnlinkedPath(pathname)) return
    if (verdicts.isBot({ kind: 'page_view', source })) return
    const cleaned = cleanBase(`http://site.invalid${pathname}`)
    if (cleaned === null) return
    const path = pagePath(masked(cleaned.path))
    const day = days.of(clock.now(), settings.timezone)
    if (this.isNamed(id, day, path)) this.counts.add(`${id} ${day} ${path}`, { accountId: id, day, path, count: 1 })
  }

  flush(): Promise<void> {
    return this.counts.flush()
  }

  /** Whether the path is among the first of its day. The log, which survives a restart, decides for good. */
  private isNamed(accountId: string, day: number, path: string): boolean {
    const known = this.named.get(accountId)
    const ofDay = known?.day === day ? known : this.begun(accountId, day)
    if (ofDay.paths.size < missingPathsPerDayMax) ofDay.paths.add(path)
    return ofDay.paths.has(path)
  }

  private begun(accountId: string, day: number): PathsOfDay {
    const ofDay = { day, paths: new Set<string>() }
    this.named.delete(accountId)
    const [oldest] = this.named.keys()
    if (oldest !== undefined && this.named.size >= accountsMax) this.named.delete(oldest)
    this.named.set(accountId, ofDay)
    return ofDay
  }
}

const isUnlinkedPath = (path: string): boolean => tried.some((pattern) => pattern.test(path))

const masked = (path: string): string =>
  path
    .split('/')
    .map((segment) => (opaque.test(segment) ? '-' : segment))
    .join('/')
