/** How often visitors asked for a path of an account at which nothing is. */
export interface MissingAddress {
  /** As in a URL. */
  path: string
  count: number
}

/** A report names so many at most: all that are counted in one day. */
export const missingShownMax = 200

/** What browsers and crawlers ask for by themselves: nobody has linked to it. */
const askedUnasked = /^\/(?:favicon\.ico|robots\.txt|apple-touch-icon[\w-]*\.png|\.well-known\/.*)$/

export const isLinkedTo = ({ path }: MissingAddress): boolean => !askedUnasked.test(path)
