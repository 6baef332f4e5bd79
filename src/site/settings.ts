import type { AccountSettings, BotCheckSettings } from '../account/account.ts'
import { type Aim, aimKey, type Funnel, type Goal, type GoalSettings } from '../account/goal.ts'
import type { Redirect } from '../account/redirect.ts'
import type { Split } from '../account/split.ts'
import { camelKeys } from '../lib/camel-keys.ts'
import type { Located } from '../lib/toml/shape.ts'
import type { Place } from '../lib/toml/value.ts'
import { type SecretSources, secretOf } from './secret.ts'
import type { FolderReport } from './site-faults.ts'
import type { WrittenAim, WrittenBotCheck, WrittenFunnel, WrittenGoal, WrittenSite } from './site-schema.ts'

/** The account's settings from `site.toml`: its own keys as they are, without the lists that are stored apart. */
export function accountSettings(
  written: WrittenSite,
  {
    botCheck,
    goals,
    splits,
    redirects,
  }: { botCheck: BotCheckSettings; goals: GoalSettings; splits: Split[]; redirects: Redirect[] },
): AccountSettings {
  const {
    account,
    forms,
    deliveries,
    pages,
    images,
    files,
    assets,
    bot_check,
    payload_limit: payloadBytesMax,
    no_leads_for: noLeadsForHours,
    ...own
  } = written
  const { key, ...tracking } = written.tracking
  const { submissions: submissionsDays, events: eventsDays, refused: refusedDays } = written.retention
  return {
    ...camelKeys(own),
    payloadBytesMax,
    noLeadsForHours,
    tracking: camelKeys(tracking),
    botCheck,
    retention: { submissionsDays, eventsDays, refusedDays },
    ...goals,
    splits,
    redirects,
  }
}

/** The bot check with its secret. `requiredAnywhere`: the account or one of its forms requires it. */
export async function botCheckSettings(
  written: WrittenBotCheck,
  sources: SecretSources & { requiredAnywhere: boolean },
  report: FolderReport,
): Promise<BotCheckSettings> {
  const { provider, sitekey, required, verify_url: verifyUrl, difficulty } = written.value
  const secret = await secretOf('bot_check', written, sources, report)
  if (provider === 'altcha') {
    if (verifyUrl !== null)
      report.warn('unused_key', written.place('verify_url'), 'is not used: altcha is verified on this box')
  } else if (sources.requiredAnywhere) {
    if (sitekey === '')
      report.key(written.place('sitekey'), `${provider} needs a sitekey where a bot check is required`)
    if (secret === '')
      report.key(
        written.place('secret'),
        `${provider} needs secret, secret_env or secret_file where a bot check is required`,
      )
  }
  return { provider, sitekey, secret: secret ?? '', required, verifyUrl, difficulty }
}

interface WrittenGoals {
  goals: readonly WrittenGoal[]
  funnels: readonly WrittenFunnel[]
}

/** A page or form that a goal or a funnel counts. */
export interface FolderStep {
  kind: 'form' | 'page'
  /** The form's id, the page's path. */
  text: string
  place: Place
}

/** The pages and forms that goals and funnels count. */
export const folderSteps = ({ goals, funnels }: WrittenGoals): FolderStep[] =>
  [...goals, ...funnels.flatMap(({ value: { steps } }) => steps)].flatMap(({ value, place }) =>
    (['form', 'page'] as const).flatMap((kind) => {
      const text = value[kind]
      return text === null ? [] : [{ kind, text, place: place(kind) }]
    }),
  )

/** Goals and funnels in the folder, as far as they are sound; what is not is reported. */
export function folderGoals({ goals, funnels }: WrittenGoals, report: FolderReport): GoalSettings {
  report.twins(goals, 'name', ({ name }) => name)
  report.twins(funnels, 'name', ({ name }) => name)
  return {
    goals: read(goals, (goal) => goalOf(goal, report), report),
    funnels: read(funnels, (funnel) => funnelOf(funnel, report), report),
  }
}

function goalOf(goal: WrittenGoal, report: FolderReport): Goal | null {
  const aim = aimOf(goal, report)
  return aim && { name: goal.value.name, aim }
}

function funnelOf({ value }: WrittenFunnel, report: FolderReport): Funnel | null {
  const steps = value.steps.map((step) => aimOf(step, report))
  return steps.includes(null) ? null : { name: value.name, steps: steps.filter((step) => step !== null) }
}

const kinds = ['form', 'event', 'page'] as const

/** `null`: it names none or several things, which has been reported. */
function aimOf({ value, key, line }: Located<WrittenAim>, report: FolderReport): Aim | null {
  const named = kinds.filter((kind) => value[kind] !== null)
  const [kind] = named
  if (kind === undefined || named.length > 1)
    return report.key({ key, line }, 'needs one of form, event and page, which says what counts')
  const text = value[kind] ?? ''
  if (kind === 'form') return { kind, form: text }
  return kind === 'event' ? { kind, event: text } : { kind, page: text }
}

/** Two of the same figures would be shown under two names. */
function read<Written extends Place, Read extends Goal | Funnel>(
  written: readonly Written[],
  of: (written: Written) => Read | null,
  report: FolderReport,
): Read[] {
  const seen = new Map<string, Written>()
  return written.flatMap((entry) => {
    const found = of(entry)
    if (found === null) return []
    const counted = 'aim' in found ? aimKey(found.aim) : found.steps.map(aimKey).join('\n')
    const other = seen.get(counted)
    if (other !== undefined)
      report.key(entry, `counts the same as ${other.key} (line ${other.line}); remove one of them`)
    seen.set(counted, entry)
    return [found]
  })
}
