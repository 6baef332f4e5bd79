import { dirname } from 'node:path'
import type { FiguresReport } from '../../src/report/figures.ts'
import type { PersonRecord } from '../../src/report/person-reader.ts'
import type { EventRecord, SubmissionRecord } from '../../src/report/record.ts'
import { APair } from '../cluster/a-pair.ts'
import { eventually } from '../harness/eventually.ts'
import { HeldBox, parsedLines } from './box/held-box.ts'
import { linkSigner } from './box/mailing-links.ts'
import { AccountTruth } from './count/account-truth.ts'
import type { Happening } from './month/happening.ts'
import { populate } from './month/people.ts'
import { carryOut, day, Plan } from './month/plan.ts'
import { Random } from './month/random.ts'
import { formIds, siteFolder, type TrueSite, trueSites } from './month/true-site.ts'

/** One account after the month: what was done there, and what the program says of it. */
export interface TrueAccount {
  site: TrueSite
  truth: AccountTruth
  /** The first date of the report; something was done before it. */
  from: string
  /** Between these instants the report was asked for. */
  asked: number[]
  report: FiguresReport
  submissions: SubmissionRecord[]
  events: EventRecord[]
  persons: PersonRecord[]
  /** What the program printed of it: the month's own box, an empty one that was fed with its ledger, and a follower that leads now. */
  printed: string[]
  printedByReplay: string[]
  printedByFollower: string[]
}

const monthDays = 31
const linkPauseMs = 1000

/**
 * Lets the month up to the last midnight pass in a running service, and reads what it says of each account afterwards.
 * The same things happen in every run, so many hours before midnight (UTC).
 */
export async function month(): Promise<Map<string, TrueAccount>> {
  await using box = await HeldBox.start(trueSites.map(siteFolder))
  using pair = new APair(box.databaseFile)
  const until = Math.floor(Date.now() / day) * day
  const time = { from: until - monthDays * day, until }
  const world = { box, sign: await linkSigner(box), diary: [] as Happening[] }
  const plans = trueSites.map((site) => new Plan(world, site, new Random(site.seed), time))
  populate(plans)
  const followed = followedBy(pair)
  await carryOut(plans, world)
  await followed.stop()
  box.clock.set(Date.now())
  await box.stopServing()
  await release(box, world.diary)
  await eventually('everything is linked', async () => pair.isLinked())
  await pair.follow()
  if (!pair.follower.startDelivering()) throw new Error('the follower cannot lead')
  const follower = box.beside(dirname(pair.followerFile))
  const since = time.from + day
  const accounts = await Promise.all(
    trueSites.map((site) => read({ box, follower }, { site, diary: world.diary, since })),
  )
  return new Map(accounts.map((account) => [account.site.account, account]))
}

/** Follows as it goes: a link has what happened since the one before. */
function followedBy(pair: APair): { stop(): Promise<void> } {
  let isOver = false
  const following = (async () => {
    while (!isOver) {
      pair.link()
      await pair.follow()
      await Bun.sleep(linkPauseMs)
    }
  })()
  return {
    stop() {
      isOver = true
      return following
    },
  }
}

/** An operator releases every second of the sign-ups that were refused. */
async function release(box: HeldBox, diary: Happening[]): Promise<void> {
  for (const { account } of trueSites) {
    const kept = await box.lines<SubmissionRecord>(['export', account, 'submissions', '--refused'])
    const signUps = kept.filter(({ formId }) => formId === formIds.signup)
    for (const { submissionId, receivedAt } of signUps.filter((_, index) => index % 2 === 0)) {
      const { releasedAt } = JSON.parse(await box.done(['submission', 'release', account, submissionId, '--json']))
      for (const one of diary) {
        const isIt = one.kind === 'submission' && one.account === account && one.at === Date.parse(receivedAt)
        if (isIt) one.releasedAt = Date.parse(releasedAt)
      }
    }
  }
}

async function read(
  { box, follower }: { box: HeldBox; follower: Pick<HeldBox, 'done'> },
  { site, diary, since }: { site: TrueSite; diary: Happening[]; since: number },
): Promise<TrueAccount> {
  const { account } = site
  const truth = new AccountTruth(diary, site)
  const from = truth.date(since)
  const begun = Date.now()
  const printed = await print(box, account, since)
  const [report = '', submissions = '', events = '', persons = ''] = printed
  return {
    site,
    truth,
    from,
    asked: [begun, Date.now()],
    report: JSON.parse(report),
    submissions: parsedLines(submissions),
    events: parsedLines(events),
    persons: parsedLines(persons),
    printed,
    printedByReplay: await print(box.replayed(), account, since),
    printedByFollower: await print(follower, account, since),
  }
}

const print = async (box: Pick<HeldBox, 'done'>, account: string, since: number): Promise<string[]> => [
  await box.done(['report', account, '--since', new Date(since).toISOString(), '--json']),
  await box.done(['export', account, 'submissions', '--all']),
  await box.done(['export', account, 'events']),
  await box.done(['export', account, 'persons']),
]
