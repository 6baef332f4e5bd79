/** What operators change here, on its way to the other nodes of the cluster. */
export class SharedChanges {
  private asking: Promise<boolean> | null = null
  private isBehind = false

  /** @param ask whether the cluster has every change by now, at the latest after 5 s */
  constructor(private readonly ask: () => Promise<boolean>) {}

  /** Waits until the cluster has every change. @returns `false`: it takes longer than 5 s, or another node leads */
  async share(): Promise<boolean> {
    const isShared = await this.ask()
    this.isBehind = !isShared
    return isShared
  }

  /** Whether some are kept here alone, as far as is known; asks once more meanwhile. */
  areBehind(): boolean {
    if (this.isBehind)
      this.asking ??= this.share().finally(() => {
        this.asking = null
      })
    return this.isBehind
  }
}
