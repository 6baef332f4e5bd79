/** A choice of the inbox that a user comes back to. */
export interface SavedFilter {
  /** UUIDv7. */
  id: string
  name: string
  /** As in the inbox's address: `status=refused&q=…`. */
  query: string
}

export const filterNameCharactersMax = 40
export const filterQueryCharactersMax = 400
/** Of one user in one account. */
export const savedFiltersMax = 30

/**
 * Saved filters, of a user in an account.
 *
 * Guarantees: they go with the user and with the account; an erasure takes those that name the person's address.
 */
export interface SavedFilters {
  /** In the order in which they were saved. */
  of(owner: FilterOwner): Promise<SavedFilter[]>
  /** One of the same name is replaced. `false`: there are `savedFiltersMax` already. */
  save(owner: FilterOwner, filter: SavedFilter): Promise<boolean>
  remove(owner: FilterOwner, id: string): Promise<void>
}

export interface FilterOwner {
  userId: string
  accountId: string
}
