import { pageItself, type Split, versionKey } from '../account/split.ts'
import { english, type Locale } from '../language/locale.ts'
import { filled } from '../language/wording.ts'
import type { Measure } from '../processing/figures/measures.ts'
import { percentOf } from './percent.ts'

/** A version of a split page, with a 95 % interval for its conversion. */
export interface VersionFigures {
  /** `a` is the page itself. */
  name: string
  /** Visits in which it was viewed. */
  visits: number
  /** Leads that were sent from it, or later in a visit that had seen it. */
  leads: number
  /** Leads of a hundred visits, with one decimal; `null`: there were none. */
  conversion: number | null
  low: number | null
  high: number | null
}

export interface SplitFigures {
  /** The slug. */
  page: string
  /** The page itself first. */
  variants: VersionFigures[]
  /** In words, in English. */
  verdict: string
  /** The date on which counting began, if it is within the period. */
  since: string | null
}

/** The splits that are configured now, in the order of `site.toml`. */
export const splitsReport = (splits: readonly Split[], counted: CountedVersions): SplitFigures[] =>
  splits.map((split) => splitReport(split, counted))

export function splitReport({ page, variants }: Split, { countOf, sinceOf }: CountedVersions): SplitFigures {
  const names = [pageItself, ...variants.map(({ name }) => name)]
  const keys = names.map((name) => versionKey(page, name))
  const versions = names.map((name) => {
    const key = versionKey(page, name)
    return versionFigures(name, countOf('split_visit', key), countOf('split_lead', key))
  })
  return { page, variants: versions, verdict: verdictOn(versions, english), since: sinceOf(page, keys) }
}

interface CountedVersions {
  countOf(measure: Measure, version: string): number
  sinceOf(page: string, versions: readonly string[]): string | null
}

function versionFigures(name: string, visits: number, leads: number): VersionFigures {
  if (visits === 0) return { name, visits, leads, conversion: null, low: null, high: null }
  const { share, low, high } = wilson({ visits, leads }, confidence95)
  return { name, visits, leads, conversion: percentOf(share, 1), low: percentOf(low, 1), high: percentOf(high, 1) }
}

type Counted = Pick<VersionFigures, 'visits' | 'leads'>

/** One visit may send several forms. */
const shareOf = ({ visits, leads }: Counted): number => Math.min(leads, visits) / visits

const confidence95 = 1.96

/** Wilson's interval for a share (1927): sound for few leads, where the usual one would go below zero. */
function wilson({ visits, leads }: Counted, z: number): { share: number; low: number; high: number } {
  const share = shareOf({ visits, leads })
  const spread = z ** 2 / visits
  const middle = (share + spread / 2) / (1 + spread)
  const reach = (z * Math.sqrt((share * (1 - share)) / visits + spread / (4 * visits))) / (1 + spread)
  return { share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}

/** Fewer say nothing, whatever a test says of them. */
export const splitVisitsMin = 100
const leadsMin = 10

/**
 * Quantiles of the normal distribution by number of versions, from two on: 95 % for all comparisons of versions together
 * (Bonferroni), since whoever compares many finds a difference by chance.
 */
const quantiles = [1.96, 2.394, 2.638, 2.807, 2.935, 3.038, 3.124, 3.197, 3.261]

interface Beaten {
  name: string
  /** How many more of a hundred visits bring a lead, at least and at most. */
  low: number
  high: number
}

/** What can be said of the versions by now: which is better than which others. */
export function verdictOn(versions: readonly VersionFigures[], locale: Locale): string {
  const texts = locale.texts.report.splits
  const z = quantiles[versions.length - 2] ?? quantiles.at(-1) ?? 0
  const best = bestOf(versions.filter(({ visits, leads }) => visits >= splitVisitsMin && leads >= leadsMin))
  if (best === null) return texts.noDifference
  const others = versions.filter((version) => version !== best)
  const beaten = others.flatMap((other) => beatenBy(best, other, z))
  if (beaten.length === 0) return texts.noDifference
  const than = locale.list(
    beaten.map(({ name, low, high }) =>
      filled(texts.than, { name, low: locale.decimal(low), high: locale.decimal(high) }),
    ),
  )
  const left = others.filter(({ name }) => !beaten.some((other) => other.name === name)).map(({ name }) => name)
  const { name } = best
  return left.length === 0
    ? filled(texts.better, { name, than })
    : filled(texts.betterThanSome, { name, than, names: left.join(', ') })
}

/** By leads of visits: rounded conversions of rare leads would be alike. */
const bestOf = (versions: readonly VersionFigures[]): VersionFigures | null =>
  versions.toSorted((one, other) => shareOf(other) - shareOf(one))[0] ?? null

/** Newcombe's interval for the difference of two shares (1998, method 10) is above zero; empty: it is not. */
function beatenBy(best: VersionFigures, other: VersionFigures, z: number): Beaten[] {
  if (other.visits < splitVisitsMin) return []
  const [one, two] = [wilson(best, z), wilson(other, z)]
  const difference = one.share - two.share
  const from = difference - Math.hypot(one.share - one.low, two.high - two.share)
  const to = difference + Math.hypot(one.high - one.share, two.share - two.low)
  return from > 0 ? [{ name: other.name, low: from * 100, high: to * 100 }] : []
}
