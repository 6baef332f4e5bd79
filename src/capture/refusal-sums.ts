/** Limits the accounts counted separately; later ones share one count. */
export const accountsNamedMax = 1000
const allOthers = '*'

/** Refusals of an account since the process began. */
export interface RefusalSum {
  /** `null`: of all accounts beyond the limit. */
  accountId: string | null
  endpoint: string
  check: string
  count: number
}

/** Counts refusals since the process started. The counts never reset; monitoring computes differences. */
export class RefusalSums {
  private readonly sums = new Map<string, number>()
  private readonly accountIds = new Set<string>()

  /** @param group account, endpoint and check, separated by blanks, which none of them holds */
  add(accountId: string, group: string): void {
    const known = this.sums.get(group)
    if (known !== undefined) this.sums.set(group, known + 1)
    else this.begin(accountId, group)
  }

  read(): RefusalSum[] {
    return [...this.sums].map(([group, count]) => {
      const [accountId = '', endpoint = '', check = ''] = group.split(' ')
      return { accountId: accountId === allOthers ? null : accountId, endpoint, check, count }
    })
  }

  private begin(accountId: string, group: string): void {
    if (this.accountIds.size < accountsNamedMax) this.accountIds.add(accountId)
    const name = this.accountIds.has(accountId) ? group : allOthers + group.slice(accountId.length)
    this.sums.set(name, (this.sums.get(name) ?? 0) + 1)
  }
}
