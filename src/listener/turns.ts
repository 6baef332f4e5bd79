/** How often the event loop turns in a pause for clients: 300 ms, and longer on a machine so busy that clients are late too. */
const turnsPerPause = 30
const turnMs = 10
/** However late it is, a process that was kept from running reads what has arrived meanwhile. */
const turnsMin = 5

/**
 * Waits in turns of the event loop while `goesOn` says so.
 *
 * @param turnsMax after so many it ends in any case; not said: a pause for clients whose request is on its way
 * @param isLate whether it may end once the loop has read what had arrived
 */
export async function turnsWhile(
  goesOn: () => boolean,
  { turnsMax = turnsPerPause, isLate = () => false }: { turnsMax?: number; isLate?: () => boolean } = {},
): Promise<void> {
  for (let turn = 0; turn < turnsMax && goesOn(); turn++) {
    if (turn >= turnsMin && isLate()) return
    await Bun.sleep(turnMs)
  }
}
