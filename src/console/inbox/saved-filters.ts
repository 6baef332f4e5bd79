export interface SavedFilter {
  id: string
  name: string
  /** As in the inbox's address: `status=refused&q=…`. */
  query: string
}

export const filterNameCharactersMax = 40
export const filterQueryCharactersMax = 400
export const savedFiltersMax = 30

/**
 * The saved filters of a user in an account.
 *
 * Guarantees: they are deleted with the user and with the account; an erasure deletes those that contain the person's address.
 */
export interface SavedFilters {
  /** In the order in which they were saved. */
  of(owner: FilterOwner): Promise<SavedFilter[]>
  /** Replaces a filter of the same name. `false`: the user already has `savedFiltersMax` filters. */
  save(owner: FilterOwner, filter: SavedFilter): Promise<boolean>
  remove(owner: FilterOwner, id: string): Promise<void>
}

export interface FilterOwner {
  userId: string
  accountId: string
}
