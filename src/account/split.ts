/** Versions of a landing page among which its visitors are divided (docs/splits.md). */
export interface Split {
  /** The slug of the page, which is the version `a` itself. */
  page: string
  /** In the order of the file. */
  variants: SplitVariant[]
}

export interface SplitVariant {
  name: string
  /** The slug of the page that is shown instead. */
  page: string
  /** Per cent of the visitors; the page itself has the rest. */
  share: number
}

/** What the page itself is called among its versions. */
export const pageItself = 'a'

/** A version of a split page. */
export interface PageVersion {
  split: Split
  variant: string
  /** The slug of the page that is shown. */
  page: string
}

/** The name of a version's figures. No variant's name has a colon. */
export const versionKey = (split: string, variant: string): string => `${variant}:${split}`

const positionsPerPercent = 100
const positions = 100 * positionsPerPercent

/**
 * The version that a visitor gets: the same on every box, after every restart, and whatever other splits there are. A changed share
 * moves no visitors but those between the old bounds and the new ones.
 */
export function versionOf(split: Split, visitor: string): PageVersion {
  const { page, variants } = split
  // xxHash is a published standard; hashes that a runtime may improve would shuffle visitors with an upgrade.
  const position = Bun.hash.xxHash32(visitor, Bun.hash.xxHash32(page)) % positions
  let end = 0
  for (const variant of variants) {
    end += variant.share * positionsPerPercent
    if (position < end) return { split, variant: variant.name, page: variant.page }
  }
  return { split, variant: pageItself, page }
}

/** What of the account's published pages a split needs. */
type LivePages = Pick<ReadonlyMap<string, unknown>, 'has'>

/** Identifies a split page among what is counted since a day (`goal_since`). No goal's or funnel's key begins like it. */
export const splitKey = (page: string): string => `@${page}`

/** An account's splits. One of whose versions is not live rests: everybody gets the page itself, and nothing is counted. */
export class RunningSplits {
  private readonly byPage: ReadonlyMap<string, Split>

  constructor(
    splits: readonly Split[],
    private readonly pages: LivePages,
  ) {
    this.byPage = new Map(splits.map((split) => [split.page, split]))
  }

  /** Whether the account has no splits, not even resting ones, which a page's times may wake. */
  get areNone(): boolean {
    return this.byPage.size === 0
  }

  /** Of the page with this slug; `null`: it has one version. */
  of(page: string): Split | null {
    const split = this.byPage.get(page)
    return split?.variants.every((variant) => this.pages.has(variant.page)) ? split : null
  }

  /** The account's only split; `null`: there are none or several. */
  only(): Split | null {
    const [page] = this.byPage.keys()
    return this.byPage.size === 1 && page !== undefined ? this.of(page) : null
  }
}
